"""Players in the shadow of a recorded one, without processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import pytest

from referee.app.shadows import (
    LONGEST_TURN_US,
    MOST_FAULTS,
    Answered,
    Audience,
    Latecomer,
    Shadowed,
    Spared,
)
from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import Infraction
from referee.match.moment import find_moment
from referee.match.player import Ask, Fault, GameEnd, GameStart, MatchStart, Player, Reply, Ruled
from referee.match.record import AskRecord, MatchRecord
from referee.match.recorded import RecordedPlayer, table_of
from referee.match.replay import Replay
from referee.match.series import Games
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup

CONTROL: Final = TimeControl(
    move_limit_us=500, bank_us=1000, increment_us=7, match_limit_us=1_000_000
)
CRASH: Final = Fault(Infraction.CRASHED, QUICK, "exit status 1")


def recorded(control: TimeControl = CONTROL) -> MatchRecord:
    """Seat 0 is refused in its first turn, after 300 of 500 us; in its third it crashes."""
    slow = Evidence(300)
    legal = honest(1)
    script = iter([Reply((80, 1), slow), None, None, CRASH])
    player = ScriptedPlayer(lambda ask: next(script, None) or legal.answer(ask))
    table = setup(2, series=Games(2), time_control=control)
    return record_of(play(table, [player, honest(2)]), time_control=control)


RECORD: Final = recorded()
ASKS: Final = [ask for ask in RECORD.asks if ask.seat == 0]
LAST: Final = ASKS[-1]


def shadowed(
    shadows: Sequence[Player], at: AskRecord = LAST, record: MatchRecord = RECORD
) -> Answered:
    """What shadows of seat 0 answer at a question of the record."""

    async def answered() -> Answered:
        replay = Replay(record.transcript)
        player = Shadowed(record, find_moment(record.transcript, at.game, at.turn), 0, shadows)
        table = table_of(record, replay, [player, RecordedPlayer(record, 1)], match_id="m")
        playing = asyncio.create_task(table.play())
        answered = await player.answered
        playing.cancel()
        await asyncio.wait({playing})
        return answered

    return asyncio.run(answered())


def test_they_are_asked_all_that_the_recorded_one_was() -> None:
    shadow = honest()
    shadowed([shadow])
    assert [(ask.game, ask.turn, ask.try_) for ask in shadow.asked] == [
        (ask.game, ask.turn, ask.try_) for ask in ASKS
    ]
    assert len({ask.request_id for ask in shadow.asked}) == len(ASKS)
    rulings = [message for message in shadow.told if isinstance(message, Ruled)]
    assert [ruled.kind for ruled in rulings] == [Infraction.ILLEGAL, Infraction.CRASHED]
    assert rulings[0].request_id == shadow.asked[0].request_id


def test_they_have_all_of_a_turn_s_limit_and_the_recorded_bank() -> None:
    shadow = honest()
    answered = shadowed([shadow])
    assert ASKS[1].limit_us == 200
    assert {ask.left_us for ask in shadow.asked} == {500}
    assert [ask.bank_us for ask in shadow.asked] == [ask.bank_us for ask in ASKS]
    assert {ask.match_left_us for ask in shadow.asked} == {None}
    assert LAST.bank_us is not None
    assert answered.allowed_us == 500 + LAST.bank_us


def test_without_a_limit_they_have_one() -> None:
    shadow = honest()
    record = recorded(TimeControl(move_limit_us=None))
    last = [ask for ask in record.asks if ask.seat == 0][-1]
    assert shadowed([shadow], last, record).allowed_us == LONGEST_TURN_US
    assert {ask.left_us for ask in shadow.asked} == {LONGEST_TURN_US}


def test_the_first_try_of_a_turn_is_the_one() -> None:
    answered = shadowed([honest(), honest(5)], at=ASKS[1])
    assert len(answered.replies) == 2
    assert all(isinstance(reply, Reply) for reply in answered.replies)


@pytest.mark.parametrize("since", [(0, 0), (2, 0), (LAST.game, LAST.turn)])
def test_a_latecomer_hears_the_match_s_start_and_what_comes_later(since: tuple[int, int]) -> None:
    shadow = honest()
    shadowed([Latecomer(shadow, since)])
    assert [(ask.game, ask.turn) for ask in shadow.asked] == [
        (ask.game, ask.turn) for ask in ASKS if (ask.game, ask.turn) >= since
    ]
    kinds = [type(message) for message in shadow.told if not isinstance(message, Ruled)]
    assert kinds == {
        (0, 0): [MatchStart, GameStart, GameEnd, GameStart],
        (2, 0): [MatchStart, GameStart],
    }.get(since, [MatchStart])
    assert len(shadow.told) - len(kinds) == (2 if since == (0, 0) else 0)


def _faulty(faults: Sequence[bool]) -> tuple[ScriptedPlayer, list[Fault]]:
    """A player that answers or not; and, of a spared one, the faults that are told."""
    script = iter(faults)
    legal = honest()
    player = ScriptedPlayer(
        lambda ask: Fault(Infraction.LATE, QUICK, "") if next(script) else legal.answer(ask)
    )
    seen: list[Fault] = []

    class Listener(Spared):
        async def ask(self, ask: Ask) -> Reply | Fault:
            reply = await super().ask(ask)
            if isinstance(reply, Fault):
                seen.append(reply)
            return reply

    shadowed([Listener(player)])
    return player, seen


def test_one_that_gives_no_answer_is_asked_so_often_and_no_more() -> None:
    player, seen = _faulty([True] * len(ASKS))
    assert len(player.asked) == MOST_FAULTS
    first = f"no answer since game 1, turn {ASKS[0].turn}"
    assert [fault.detail for fault in seen[:3]] == ["", "", first]
    assert {fault.detail for fault in seen[3:]} == {f"{first}; asked no more"}


def test_an_answer_ends_what_there_is_to_tell() -> None:
    player, seen = _faulty([True, False, False, True] + [False] * len(ASKS))
    assert len(player.asked) == len(ASKS)
    assert [fault.detail for fault in seen] == ["", ""]


def test_what_a_bot_hears_that_is_started_again_is_the_match_so_far() -> None:
    audience = Audience()
    shadowed([audience])
    heard = audience.scribe.heard
    hooks = [one.hook for one in heard]
    crash = next(at for at, ask in enumerate(ASKS) if ask.answer is None)
    assert hooks[:2] == ["match_started", "game_started"]
    assert hooks.count("answer") == len(ASKS) - crash - 1
    assert "ruled" not in hooks
    again = heard[hooks.index("answer")]
    assert "1 1 open" in again.value or "1 0 open" in again.value
    assert (heard[-1].hook, heard[-1].turn) == ("answer", LAST.turn)
