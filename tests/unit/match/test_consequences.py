"""What breaches lead to at the table: restarts, strikes, fallen flags, forfeits, strays."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction
from referee.match.player import Ask, Fault, MatchEnd, Reply, Ruled, Stray
from referee.match.record import MatchRecord
from referee.match.series import Games
from referee.match.table import BESIDE_ANY_TURN
from referee.match.verify import verify
from tests.support.matches import QUICK, Answer, ScriptedPlayer, honest, play, record_of, setup

CRASH = Fault(Infraction.CRASHED, QUICK, "exit status 1")
LEFT = Fault(Infraction.DISCONNECTED, QUICK, "")
LATE = Fault(Infraction.LATE, Evidence(2_000_001), "")
REFUSED = Reply((4000,), QUICK)

FORFEITING = [
    kind for kind, breach in BREACHES.items() if breach.default.consequence is Consequence.FORFEIT
]
FAULTS = [*FORFEITING, Infraction.CRASHED, Infraction.LATE, Infraction.MALFORMED]


def errs(at: dict[int, Reply | Fault], *, then: Reply | Fault | None = None) -> ScriptedPlayer:
    """Gives these replies to its questions of these numbers, from 1, and ``then`` after them."""
    legal = honest()
    count = 0

    def answer(ask: Ask) -> Reply | Fault:
        nonlocal count
        count += 1
        if then is not None and count > max(at, default=0):
            return then
        return at.get(count) or legal.answer(ask)

    return ScriptedPlayer(answer)


def played(
    players: Sequence[ScriptedPlayer],
    *,
    games: int = 1,
    conduct: Conduct | None = None,
    time_control: TimeControl | None = None,
) -> MatchRecord:
    """The record of their match, which verifies."""
    conduct, time_control = conduct or Conduct(), time_control or TimeControl()
    match = setup(len(players), series=Games(games), conduct=conduct, time_control=time_control)
    record = record_of(play(match, players), conduct=conduct, time_control=time_control)
    assert verify(record) is None
    return record


def consequences(record: MatchRecord, seat: int = 0) -> list[Consequence]:
    return [found.consequence for found in record.infractions if found.seat == seat]


def ruled(player: ScriptedPlayer) -> list[Ruled]:
    return [message for message in player.told if isinstance(message, Ruled)]


def taking(answer: Answer, elapsed_us: Callable[[int], int]) -> ScriptedPlayer:
    """Answers as ``answer`` does, its nth question in so many microseconds."""
    count = 0

    def give(ask: Ask) -> Reply | Fault:
        nonlocal count
        count += 1
        return answer(ask)._replace(evidence=Evidence(elapsed_us(count)))

    return ScriptedPlayer(give)


def test_a_bot_that_is_restarted_misses_one_turn_and_is_asked_again() -> None:
    player = errs({3: CRASH})
    record = played([player, honest(1)])
    [infraction] = record.infractions
    assert infraction.consequence is Consequence.RESTART
    assert (infraction.penalty, infraction.strikes) == (50, 1)
    crash, after = player.asked[2:4]
    assert f"\n{crash.turn} 0 house lay " in record.transcript
    assert record.transcript.count(" 0 house ") == 1
    assert (after.turn > crash.turn, after.try_) == (True, 1)
    [told] = ruled(player)
    assert (told.request_id, told.consequence) == (crash.request_id, Consequence.RESTART)
    assert record.result.forfeits == (False, False)


def test_beyond_its_restarts_a_bot_forfeits() -> None:
    player = errs({2: CRASH, 4: CRASH, 6: CRASH})
    record = played([player, honest(1)], conduct=Conduct(restarts=2))
    assert consequences(record) == [
        Consequence.RESTART,
        Consequence.RESTART,
        Consequence.FORFEIT,
    ]
    assert len(player.asked) == 6


def test_restarts_are_counted_over_the_match_and_by_seat() -> None:
    players = [errs({1: CRASH, 60: CRASH}), errs({1: CRASH})]
    record = played(players, games=5)
    assert consequences(record, 0) == [Consequence.RESTART, Consequence.FORFEIT]
    assert consequences(record, 1) == [Consequence.RESTART]


def test_a_restart_after_a_breach_beside_a_question_costs_no_turn() -> None:
    flood = BREACHES[Infraction.FLOOD].default._replace(consequence=Consequence.RESTART)
    conduct = Conduct(measures={**Conduct().measures, Infraction.FLOOD: flood})
    player = honest(0)
    player.stray.append(Stray(Infraction.FLOOD, ""))
    record = played([player, honest(1)], conduct=conduct)
    assert consequences(record) == [Consequence.RESTART]
    assert "house" not in record.transcript.partition("\n")[2]
    assert ruled(player)[0].consequence is Consequence.RESTART


def test_a_bot_that_goes_by_one_breach_is_started_again_once() -> None:
    flood = BREACHES[Infraction.FLOOD].default._replace(consequence=Consequence.RESTART)
    conduct = Conduct(restarts=5, measures={**Conduct().measures, Infraction.FLOOD: flood})
    player = honest(0)
    player.stray += [Stray(Infraction.EARLY, ""), *[Stray(Infraction.FLOOD, "")] * 3]
    record = played([player, honest(1)], conduct=conduct)
    assert consequences(record) == [Consequence.NONE, Consequence.RESTART]


@pytest.mark.parametrize("kind", FAULTS)
def test_what_comes_too_late_is_late_unless_something_worse_is(kind: Infraction) -> None:
    player = errs({1: Fault(kind, Evidence(2_000_001), "seen")})
    [infraction] = played([player, honest(1)]).infractions
    worse = kind not in {Infraction.LATE, Infraction.MALFORMED}
    assert infraction.kind is (kind if worse else Infraction.LATE)
    assert infraction.detail == "seen"


@pytest.mark.parametrize("kind", FORFEITING)
def test_a_forfeited_seat_is_played_by_the_house_to_the_end(kind: Infraction) -> None:
    player, others = errs({4: Fault(kind, QUICK, "exit status 1")}), [honest(1), honest(2)]
    record = played([player, *others], games=2)
    assert len(player.asked) == 4
    assert record.transcript.count("forfeit 0\n") == 1
    for other in others:
        assert sum(ask.acts.count("forfeit 0") for ask in other.asked) == 1
    assert record.transcript.count("\nend ") == 2
    assert record.result.forfeits == (True, False, False)
    assert record.result.places[0] == 3
    [infraction] = record.infractions
    assert infraction.detail == "exit status 1"


def test_who_has_too_many_strikes_forfeits_whatever_the_last_one_was_for() -> None:
    player = errs({1: REFUSED, 2: REFUSED, 3: LATE, 4: REFUSED})
    record = played([player, honest(1)], conduct=Conduct(strike_limit=4))
    assert consequences(record) == [
        Consequence.RETRY,
        Consequence.HOUSE,
        Consequence.HOUSE,
        Consequence.FORFEIT,
    ]
    assert [found.strikes for found in record.infractions] == [1, 2, 3, 4]
    assert [told.strikes for told in ruled(player)] == [1, 2, 3, 4]
    assert len(player.asked) == 4


def test_strikes_weigh_as_the_league_says() -> None:
    measures = {kind: measure._replace(strikes=0) for kind, measure in Conduct().measures.items()}
    measures[Infraction.LATE] = measures[Infraction.LATE]._replace(strikes=3)
    player = errs({1: REFUSED, 2: LATE, 3: REFUSED, 4: LATE})
    record = played([player, honest(1)], conduct=Conduct(strike_limit=6, measures=measures))
    assert [found.strikes for found in record.infractions] == [0, 3, 3, 6]
    assert consequences(record)[-1] is Consequence.FORFEIT


def test_who_is_always_late_strikes_out_by_default() -> None:
    player = errs({}, then=LATE)
    record = played([player, honest(1)], games=5)
    assert len(player.asked) == 10
    assert record.result.forfeits == (True, False)


def test_a_strike_beside_a_question_can_be_the_last() -> None:
    player = honest(0)
    player.stray += [Stray(Infraction.EARLY, "")] * 3
    record = played([player, honest(1)], conduct=Conduct(strike_limit=2))
    assert consequences(record) == [Consequence.NONE, Consequence.FORFEIT]
    assert player.asked == []


def test_turns_draw_on_the_bank_of_their_own_seat() -> None:
    control = TimeControl(move_limit_us=1000, bank_us=500, increment_us=100)
    player = taking(honest(0).answer, lambda count: 1300 if count <= 2 else 1)
    record = played([player, honest(1)], time_control=control)
    assert [ask.bank_us for ask in player.asked[:4]] == [500, 300, 100, 200]
    assert record.infractions == ()
    assert [ask.bank_us for ask in record.asks if ask.seat == 1][:3] == [500, 600, 700]


def test_who_is_late_has_no_bank_left() -> None:
    control = TimeControl(move_limit_us=1000, bank_us=500)
    player = taking(honest(0).answer, lambda count: 1501 if count == 1 else 1)
    record = played([player, honest(1)], time_control=control)
    assert [found.kind for found in record.infractions] == [Infraction.LATE]
    assert {ask.bank_us for ask in player.asked[1:]} == {0}


def test_who_has_used_up_the_match_forfeits_it() -> None:
    control = TimeControl(move_limit_us=None, match_limit_us=10_000)
    player = taking(honest(0).answer, lambda count: 4_000)
    record = played([player, honest(1)], time_control=control)
    assert [ask.match_left_us for ask in player.asked] == [10_000, 6_000, 2_000]
    [infraction] = record.infractions
    assert (infraction.kind, infraction.consequence) == (Infraction.LATE, Consequence.FORFEIT)


def test_who_answered_with_the_last_of_its_time_forfeits_at_its_next_turn() -> None:
    control = TimeControl(move_limit_us=20_000, match_limit_us=10_000)
    player = taking(honest(0).answer, lambda count: 5_000)
    record = played([player, honest(1)], time_control=control)
    assert [ask.allowed_us for ask in player.asked] == [10_000, 5_000, 0]
    assert consequences(record) == [Consequence.FORFEIT]


def test_several_forfeiters_share_the_last_place() -> None:
    players = [errs({2: LEFT}), honest(1), errs({5: LEFT}), honest(3)]
    record = played(players, games=2)
    assert record.result.forfeits == (True, False, True, False)
    assert record.result.places[0] == record.result.places[2] == 3
    assert {record.result.places[1], record.result.places[3]} in ({1, 2}, {1})
    assert record.result.scores()[0] == record.result.scores()[2] == 0
    assert record.transcript.count("\nend ") == 2


@pytest.mark.parametrize("asked", [(1, 1), (1, 5), (4, 2)])
def test_the_match_stops_when_all_have_forfeited(asked: tuple[int, int]) -> None:
    players = [errs({count: LEFT}) for count in asked]
    record = played(players, games=5)
    assert "total" not in record.transcript
    assert "end" not in record.transcript
    assert record.result.winners == ()
    assert record.result.places == (1, 1)
    assert list(record.result.scores()) == [0, 0]
    assert [len(player.asked) for player in players] == list(asked)


def test_a_game_that_was_over_counts_when_all_forfeit_in_a_later_one() -> None:
    turns = [sum(ask.game == 1 for ask in player.asked) for player in _two_honest()]
    players = [errs({count + 1: LEFT}) for count in turns]
    record = played(players, games=3)
    assert record.transcript.count("\nend ") == 1
    assert max(record.result.points) > 0
    assert record.result.winners == ()


def _two_honest() -> list[ScriptedPlayer]:
    players = [errs({}), errs({})]
    played(players)
    return players


def test_breaches_between_questions_cost_their_penalty_and_nothing_else() -> None:
    player = honest(0)
    player.stray.append(Stray(Infraction.EARLY, "an answer to nothing"))
    record = played([player, honest(1)])
    assert consequences(record) == [Consequence.NONE]
    assert len([ask for ask in record.asks if ask.seat == 0]) == len(player.asked)


def test_a_breach_between_questions_can_forfeit_without_a_question() -> None:
    player = honest(0)
    player.stray.append(Stray(Infraction.RESIGNED, ""))
    record = played([player, honest(1)])
    assert player.asked == []
    assert record.result.forfeits == (True, False)


def strays_at_its_last_question(kinds: Sequence[Infraction]) -> ScriptedPlayer:
    """Does so many things wrong after each answer, so that the last ones come after the match."""
    player = honest(0)
    answer = player.answer

    def give(ask: Ask) -> Reply | Fault:
        player.stray[:] = [Stray(kind, kind.value) for kind in kinds]
        return answer(ask)

    player.answer = give
    return player


def test_breaches_after_the_last_turn_cost_their_penalty_and_nothing_follows() -> None:
    kinds = [Infraction.STALE, Infraction.FLOOD, Infraction.RESIGNED]
    quiet = dict.fromkeys(kinds, BREACHES[Infraction.STALE].default)
    player = strays_at_its_last_question(kinds)
    # Before the last turn they must not forfeit, and after it they could not.
    conduct = Conduct(strike_limit=None, measures={**Conduct().measures, **quiet})
    record = played([player, honest(1)], games=2, conduct=conduct)
    last = record.infractions[-3:]
    assert [(found.game, found.turn) for found in last] == [(2, BESIDE_ANY_TURN)] * 3
    assert [found.kind for found in last] == kinds
    assert {found.consequence for found in last} == {Consequence.NONE}
    assert all(found.turn > 0 for found in record.infractions[:-3])
    assert record.result.penalties == (5 * len(record.infractions), 0)
    assert [type(message) for message in player.told[-4:]] == [Ruled] * 3 + [MatchEnd]


def test_a_forfeit_and_a_strike_limit_come_too_late_after_the_last_turn() -> None:
    last = len(_two_honest()[0].asked)
    player = errs({})
    answer, count = player.answer, 0

    def give(ask: Ask) -> Reply | Fault:
        nonlocal count
        count += 1
        if count == last:
            player.stray += [Stray(Infraction.FLOOD, ""), Stray(Infraction.CRASHED, "")]
        return answer(ask)

    player.answer = give
    record = played([player, errs({})], conduct=Conduct(strike_limit=1))
    assert consequences(record) == [Consequence.NONE] * 2
    assert record.result.forfeits == (False, False)
    assert record.result.penalties == (100, 0)


@pytest.mark.parametrize("kind", FAULTS)
def test_an_infraction_tells_what_the_league_made_of_it(kind: Infraction) -> None:
    measure = Conduct().measures[kind]._replace(penalty=7, strikes=2)
    conduct = replace(Conduct(), measures={**Conduct().measures, kind: measure})
    player = errs({1: Fault(kind, QUICK, "")})
    record = played([player, honest(1)], conduct=conduct)
    [infraction] = record.infractions
    [told] = ruled(player)
    assert (told.kind, told.penalty, told.strikes, told.consequence) == (
        infraction.kind,
        7,
        2,
        infraction.consequence,
    )
    assert told.ruling.section == "§7.4"
