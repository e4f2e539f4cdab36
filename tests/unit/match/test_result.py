"""Places, winners and scores (rulebook §7.4)."""

from fractions import Fraction

from referee.match.conduct import Conduct, Consequence, Fault, Infraction
from referee.match.record import InfractionRecord
from referee.match.result import derive
from referee.match.series import Pairing, Played


def game(*points: int) -> Played:
    return Played(Pairing(1, 0, tuple(range(len(points))), tie_break=False), points)


def late(seat: int, penalty: int) -> InfractionRecord:
    return InfractionRecord(
        1, 1, seat, Infraction.LATE, penalty, 1, Consequence.HOUSE, Fault.BOT, ""
    )


def test_penalties_are_added_to_the_points_to_give_the_total_that_places() -> None:
    result = derive(3, [game(0, 30, 40)], (), [late(0, 20), late(0, 15)], Conduct())
    assert result.points == (0, 30, 40)
    assert result.penalties == (35, 0, 0)
    assert result.totals == (35, 30, 40)
    assert result.places == (2, 1, 3)
    assert result.winners == (1,)


def test_a_league_may_list_penalties_only() -> None:
    result = derive(2, [game(0, 30)], (), [late(0, 50)], Conduct(list_only=True))
    assert result.penalties == (50, 0)
    assert result.totals == (0, 30)
    assert result.winners == (0,)


def test_a_forfeiter_places_last_whatever_its_points() -> None:
    result = derive(3, [game(0, 30, 40)], {0}, (), Conduct())
    assert result.places == (3, 1, 2)
    assert result.forfeits == (True, False, False)
    assert list(result.scores()) == [0, 1, Fraction(1, 2)]


def test_forfeiters_share_the_place_behind_all_others_and_score_nothing() -> None:
    result = derive(4, [game(0, 10, 20, 30)], {0, 2}, (), Conduct())
    assert result.places == (3, 1, 3, 2)
    assert list(result.scores()) == [0, 1, 0, Fraction(2, 3)]


def test_nobody_wins_when_all_have_forfeited() -> None:
    result = derive(2, [], {0, 1}, (), Conduct())
    assert result.places == (1, 1)
    assert result.winners == ()
    assert list(result.scores()) == [0, 0]


def test_the_tie_break_winner_goes_before_seats_of_the_same_total_only() -> None:
    played = [
        game(40, 40, 90),
        Played(Pairing(2, 0, (0, 1), tie_break=True), (0, 12, 0)),
    ]
    assert derive(3, played, (), (), Conduct()).places == (1, 2, 3)
    assert derive(3, played, (), [late(0, 10)], Conduct()).places == (2, 1, 3)
