"""Series (rulebook §7): what one match is, who plays on, who wins."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from elfer.cards import Card, cards_of
from referee.core.dice import Dice
from referee.games.registry import game_of_line
from referee.match.conduct import Conduct, Consequence, Fault, Infraction
from referee.match.record import InfractionRecord
from referee.match.replay import GameBegun, Replay
from referee.match.result import derive
from referee.match.series import Games, Limit, Pairing, Played, Series, parse_series, points_of
from referee.match.verify import verify, verify_transcript
from tests.support import matches


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


# By hand: (seats, games played, tied seats) -> who deals the tie-break game. After so many games
# the deal would be that of seat games % seats; the first tied seat clockwise from it deals.
TIE_BREAK_DEALERS = [
    (2, 1, (0, 1), 1),
    (2, 2, (0, 1), 0),
    (3, 1, (0, 2), 2),
    (3, 2, (0, 1), 0),
    (3, 3, (1, 2), 1),
    (3, 4, (0, 2), 2),
    (4, 1, (0, 2, 3), 2),
    (4, 2, (0, 1, 3), 3),
    (4, 3, (0, 1, 2), 0),
    (4, 4, (1, 3), 1),
    (4, 5, (0, 3), 3),
    (4, 6, (0, 1, 2, 3), 2),
    (5, 3, (0, 1, 2), 0),
    (6, 7, (0, 5), 5),
    (6, 11, (0, 1, 5), 5),
    (6, 12, (3, 5), 3),
]


@pytest.mark.parametrize(("seats", "games", "tied", "dealer"), TIE_BREAK_DEALERS)
def test_the_first_tied_seat_clockwise_from_the_next_deal_deals_the_tie_break_game(
    seats: int, games: int, tied: tuple[int, ...], dealer: int
) -> None:
    points = tuple(5 if seat in tied else 6 for seat in range(seats))
    series = Limit(max(points) * games)
    played = run(series, seats, [points] * games)
    assert [game.pairing.dealer for game in played] == [game % seats for game in range(games)]
    assert series.next(seats, played) == Pairing(games + 1, dealer, tied, tie_break=True)


def test_three_tied_seats_have_one_winner_and_share_second_place() -> None:
    series = Limit(100)
    played = run(series, 4, [(30, 70, 30, 30), (10, 40, 10, 10)])
    pairing = series.next(4, played)
    assert pairing == Pairing(3, dealer=2, seats=(0, 2, 3), tie_break=True)
    played.append(Played(pairing, (25, 0, 3, 0)))
    assert series.next(4, played) is None
    result = derive(4, played, (), (), Conduct())
    assert result.points == (40, 110, 40, 40)
    assert result.places == (2, 4, 2, 1)
    assert result.winners == (3,)
    assert result.scores() == (Fraction(1, 2), Fraction(0), Fraction(1, 2), Fraction(1))


def test_a_total_that_penalties_made_equal_is_no_tie() -> None:
    """[fill-in] to §7.4: it goes behind the winner of the tie-break game, beside its losers."""
    series = Limit(50)
    played = run(series, 4, [(20, 20, 30, 50)])
    pairing = series.next(4, played)
    assert pairing is not None
    assert pairing.seats == (0, 1)
    played.append(Played(pairing, (0, 9, 0, 0)))
    penalties = [
        InfractionRecord(1, 1, seat, Infraction.ILLEGAL, 10, 1, Consequence.RETRY, Fault.BOT, "")
        for seat in (0, 1)
    ]
    result = derive(4, played, (), penalties, Conduct())
    assert result.totals == (30, 30, 30, 50)
    assert result.places == (1, 2, 2, 4)


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


def test_at_the_cap_there_is_no_tie_break_game_either() -> None:
    series = Limit(500, cap=2)
    played = run(series, 3, [(200, 300, 200), (100, 250, 100)])
    assert series.next(3, played) is None
    assert Limit(500, cap=3).next(3, played) == Pairing(3, 2, (0, 2), tie_break=True)
    assert derive(3, played, (), (), Conduct()).places == (1, 3, 1)


# A deck so small that ties are frequent.
TINY = (
    "custom@1 colours=RYGB numbers=1-4 table=- start=2 opener=first redeal=yes opening=alone"
    " duty=no draw=1 pass=stuck hand=5,4,3,0,0"
)


@pytest.mark.parametrize(
    ("seats", "number", "tied", "result"),
    [
        (3, 6, "3 dealer 2 seats 0 2", ((4, 8, 4), (2, 3, 1))),
        (4, 335, "3 dealer 2 seats 0 2 3", ((7, 8, 7, 7), (1, 4, 2, 2))),
    ],
)
def test_a_tie_break_game_is_dealt_for_those_who_play_it(
    seats: int, number: int, tied: str, result: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """§7.2: from the match's seed, under the next game's label, at a table of their number."""
    seed = number.to_bytes(32, "big")
    match = matches.setup(seats, game=game_of_line(TINY, seats), series=Limit(8), seed=seed)
    played = matches.play(match, [matches.honest(seat) for seat in range(seats)])
    assert f"\ngame {tied} deal 0\n" in played.transcript
    assert (played.result.points, played.result.places) == result
    assert verify(matches.record_of(played, seed=seed)) is None

    deck = [card for card in Card if card.number <= 4]
    Dice(seed).stream("deal/3/0").shuffle(deck)
    for step in Replay(played.transcript).steps():
        if isinstance(step, GameBegun) and step.pairing.tie_break:
            players = len(step.pairing.seats)
            first = step.pairing.seats.index(step.pairing.dealer) + 1
            cards = {2: 5, 3: 4}[players] * players
            for seat in range(players):
                hand = cards_of(step.state.view(seat).hand)
                assert set(hand) == set(deck[(seat - first) % players : cards : players])


def test_a_transcript_whose_tie_break_game_could_not_be_dealt_is_refused() -> None:
    text = (
        f"elfer 1 house 1\nrules {TINY.replace('hand=5,4', 'hand=0,4')}\nseries limit 8 cap 9\n"
        f"seats 3\nseed {bytes(32).hex()}\n"
    )
    difference = verify_transcript(text)
    assert difference is not None
    assert difference.where == "transcript line 2"
    assert "seats: 2 is not allowed by custom@1; allowed: 3, 4" in difference.found
    by_games = verify_transcript(text.replace("limit 8 cap 9", "games 1"))
    assert by_games is not None
    assert by_games.where == "transcript line 6"


@pytest.mark.parametrize("series", [Games(1), Games(1000), Limit(500), Limit(30, cap=7)])
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
        "games 1001",
        "limit 500 cap 1001",
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
