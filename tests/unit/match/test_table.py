"""The loop of one match: what is asked, told, noted and written."""

from collections.abc import Callable

import pytest

from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import BREACHES, Consequence, Infraction
from referee.match.player import (
    Ask,
    Fault,
    GameEnd,
    GameStart,
    MatchEnd,
    MatchStart,
    Reply,
    Ruled,
)
from referee.match.replay import Acted, Replay
from referee.match.series import Games, Limit
from referee.match.verify import verify
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup

NO_CARD = 4000


def once(first: Reply | Fault, then: ScriptedPlayer) -> ScriptedPlayer:
    """Gives ``first`` to the first question and goes on as ``then``."""
    left = [first]
    return ScriptedPlayer(lambda ask: left.pop() if left else then.answer(ask))


def test_a_match_of_honest_players_ends_without_an_infraction() -> None:
    players = [honest(seat) for seat in range(4)]
    played = play(setup(4, series=Games(3)), players)
    assert played.infractions == ()
    assert played.games == 3
    assert [type(message) for message in players[0].told] == [
        MatchStart,
        *[GameStart, GameEnd] * 3,
        MatchEnd,
    ]
    assert players[0].told[-1] == MatchEnd(played.result)
    assert verify(record_of(played)) is None


def test_turns_tell_each_seat_what_is_new_to_it_and_count_what_is_hidden() -> None:
    players = [honest(seat) for seat in range(3)]
    played = play(setup(3), players)
    lines = [step for step in Replay(played.transcript).steps() if isinstance(step, Acted)]
    for seat, player in enumerate(players):
        end = player.told[-2]
        assert isinstance(end, GameEnd)
        seen = [line for ask in player.asked for line in ask.acts] + list(end.acts)
        assert len(seen) == len(lines)
        for line, step in zip(seen, lines, strict=True):
            full = f"{step.turn} {step.seats[0]} {step.text}"
            if step.seats == (seat,) or not step.text.startswith("draw"):
                assert line == full
            else:
                drawn = len(step.act.cards)
                assert line.startswith(f"{step.turn} {step.seats[0]} draw {drawn}")


def test_a_refused_answer_is_an_infraction_and_may_be_given_again() -> None:
    player = once(Reply((NO_CARD,), QUICK), honest(0))
    played = play(setup(2), [player, honest(1)])
    [infraction] = played.infractions
    assert infraction.kind is Infraction.ILLEGAL
    assert infraction.consequence is Consequence.RETRY
    assert infraction.penalty == BREACHES[Infraction.ILLEGAL].default.penalty
    first, second = player.asked[:2]
    assert (first.turn, first.try_) == (second.turn, second.try_ - 1)
    assert first.request_id != second.request_id
    [ruled] = [message for message in player.told if isinstance(message, Ruled)]
    assert ruled.request_id == first.request_id
    assert ruled.consequence is Consequence.RETRY
    assert (ruled.ruling.code, ruled.ruling.card) == ("not_in_deck", NO_CARD)
    [ask] = [ask for ask in played.asks if ask.request_id == first.request_id]
    assert ask.ruling == ruled.ruling
    assert "house" not in played.transcript.partition("\n")[2]


def test_after_the_last_try_the_house_plays_that_turn_alone() -> None:
    left = [Reply((NO_CARD,), QUICK)] * 2
    honest_player = honest(0)
    player = ScriptedPlayer(lambda ask: left.pop() if left else honest_player.answer(ask))
    played = play(setup(2), [player, honest(1)])
    assert [found.consequence for found in played.infractions] == [
        Consequence.RETRY,
        Consequence.HOUSE,
    ]
    assert [found.strikes for found in played.infractions] == [1, 2]
    assert played.transcript.count(" house lay ") == 1
    assert played.result.penalties == (20, 0)


def test_tries_share_one_clock() -> None:
    answers = [
        Reply((NO_CARD,), Evidence(elapsed_us=700_000)),
        Reply((NO_CARD,), Evidence(elapsed_us=300_001)),
    ]
    rest = honest(0)
    player = ScriptedPlayer(lambda ask: answers.pop(0) if answers else rest.answer(ask))
    control = TimeControl(move_limit_us=1_000_000)
    played = play(setup(2, time_control=control), [player, honest(1)])
    assert [ask.left_us for ask in player.asked[:2]] == [1_000_000, 300_000]
    recorded = [ask.limit_us for ask in played.asks if ask.seat == 0]
    assert recorded == [ask.left_us for ask in player.asked]
    assert [found.kind for found in played.infractions] == [Infraction.ILLEGAL, Infraction.LATE]


def test_no_try_is_given_when_no_time_is_left() -> None:
    answers = [Reply((NO_CARD,), Evidence(elapsed_us=1_000_000))]
    rest = honest(0)
    player = ScriptedPlayer(lambda ask: answers.pop() if answers else rest.answer(ask))
    control = TimeControl(move_limit_us=1_000_000)
    played = play(setup(2, time_control=control), [player, honest(1)])
    assert [found.consequence for found in played.infractions] == [Consequence.HOUSE]


def test_an_answer_over_the_limit_is_late_even_when_it_is_there() -> None:
    control = TimeControl(move_limit_us=50_000)
    slow = Evidence(elapsed_us=50_001)
    in_time = Evidence(elapsed_us=60_000, excused_us=10_000, excuse="host")
    fair = honest(0)

    def answer(evidence: Evidence) -> Callable[[Ask], Reply | Fault]:
        def give(ask: Ask) -> Reply | Fault:
            reply = fair.answer(ask)
            assert isinstance(reply, Reply)
            return Reply(reply.answer, evidence)

        return give

    late = play(setup(2, time_control=control), [ScriptedPlayer(answer(slow)), honest(1)])
    assert {found.kind for found in late.infractions} == {Infraction.LATE}
    assert late.asks[0].answer is not None
    excused = play(setup(2, time_control=control), [ScriptedPlayer(answer(in_time)), honest(1)])
    assert excused.infractions == ()


def test_an_exception_of_a_player_leaves_the_loop() -> None:
    def broken(_: Ask) -> Reply | Fault:
        raise OSError("ours")

    with pytest.raises(OSError, match="ours"):
        play(setup(2), [ScriptedPlayer(broken), honest(1)])


def test_a_tie_break_game_is_played_by_the_tied_seats_alone() -> None:
    for number in range(400):
        seed = number.to_bytes(32, "big")
        players = [honest(number + seat) for seat in range(4)]
        played = play(setup(4, series=Limit(60), seed=seed), players)
        ends = [line for line in played.transcript.splitlines() if line.startswith("game ")]
        if len(ends[-1].split(" seats ")[1].split(" deal ")[0].split()) < 4:
            break
    else:
        pytest.fail("no tie in 400 matches")
    assert verify(record_of(played, seed=seed)) is None
    assert played.result.winners[0] in range(4)
    assert len(played.result.winners) == 1
