"""Series (rulebook §7): what one match is, who plays on, who wins."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from referee.match.conduct import Conduct
from referee.match.result import derive
from referee.match.series import Games, Limit, Pairing, Played, Series, parse_series, points_of


def run(series: Series, seats: int, games: Sequence[Sequence[int]]) -> list[Played]:
    """Play the series with these points by match seat. Every game must be wanted."""
    played: list[Played] = []
    for points in games:
        pairing = series.next(seats, played)
        assert pairing is not None
        played.append(Played(pairing, tuple(points)))
    return played


def test_the_deal_moves_one_seat_clockwise_after_each_game() -> None:
    played = run(Games(5), 4, [(0, 1, 1, 1)] * 5)
    assert [game.pairing.dealer for game in played] == [0, 1, 2, 3, 0]
    assert Games(5).next(4, played) is None


def test_row_18_equal_lowest_totals_share_the_win() -> None:
    played = run(
        Games(5),
        4,
        [(8, 8, 11, 12), (8, 8, 11, 12), (8, 8, 11, 12), (8, 8, 11, 12), (8, 8, 11, 13)],
    )
    result = derive(4, played, (), (), Conduct())
    assert result.points == (40, 40, 55, 61)
    assert result.places == (1, 1, 3, 4)
    assert result.winners == (0, 1)
    assert result.scores() == (Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), Fraction(0))


def test_row_19_the_tied_seats_alone_play_one_more_game() -> None:
    series = Limit(500)
    played = run(series, 3, [(480, 505, 480)])
    pairing = series.next(3, played)
    # Game 2 would be seat 1's deal; the first tied seat clockwise from it is seat 2.
    assert pairing == Pairing(2, dealer=2, seats=(0, 2), tie_break=True)
    played.append(Played(pairing, (7, 0, 0)))
    assert series.next(3, played) is None
    result = derive(3, played, (), (), Conduct())
    assert result.points == (480, 505, 480)
    assert result.places == (2, 3, 1)
    assert result.winners == (2,)


@pytest.mark.parametrize(
    ("games", "goes_on"),
    [([(499, 0)], True), ([(500, 0)], False), ([(250, 300), (249, 200)], False)],
)
def test_a_limit_is_checked_after_each_game(games: list[tuple[int, int]], goes_on: bool) -> None:
    assert (Limit(500).next(2, run(Limit(500), 2, games)) is not None) is goes_on


def test_the_cap_ends_the_series_without_a_tie_break_game() -> None:
    series = Limit(500, cap=2)
    played = run(series, 2, [(0, 300), (300, 0)])
    assert series.next(2, played) is None
    assert derive(2, played, (), (), Conduct()).winners == (0, 1)


@pytest.mark.parametrize("series", [Games(1), Games(5), Limit(500), Limit(30, cap=7)])
def test_parse_is_the_inverse_of_print(series: Series) -> None:
    assert parse_series(str(series)) == series


@pytest.mark.parametrize(
    "text",
    [
        "",
        "games",
        "games 0",
        "games 05",
        "games -1",
        "games 5 ",
        "limit 500",
        "limit 5 cap 0",
        "games 5\n",
        "games \u0665",
    ],
)
def test_parse_refuses_what_is_never_printed(text: str) -> None:
    with pytest.raises(ValueError, match="no series"):
        parse_series(text)


def test_points_leave_out_a_tie_break_game() -> None:
    played = [
        Played(Pairing(1, 0, (0, 1), tie_break=False), (5, 5)),
        Played(Pairing(2, 1, (0, 1), tie_break=True), (9, 0)),
    ]
    assert points_of(2, played) == (5, 5)
