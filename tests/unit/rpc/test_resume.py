"""A stream that is lost, and taken up again or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from elfer.v1 import play_pb2
from referee.match.conduct import Infraction
from referee.match.player import Fault, GameEnd, MatchEnd, Reply
from referee.rpc.grace import EXIT_GRACE_US
from referee.rpc.outbox import MOST_KEPT_BYTES
from tests.support.rpc import GAME_START, Seated, answer, ask

GRACE_US = 2 * EXIT_GRACE_US
NO_ACTS = GameEnd(1, (), (0, 0, 0), (0,))


@pytest.fixture
async def seat() -> AsyncIterator[Seated]:
    async with Seated(GRACE_US) as seated:
        yield seated


@pytest.fixture
async def exited(seat: Seated) -> asyncio.Future[str]:
    """Of the bot's process."""
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    seat.session.watch(exited)
    return exited


def bodies(messages: list[play_pb2.RefereeMessage]) -> list[str | None]:
    return [message.WhichOneof("body") for message in messages]


def kind_of(outcome: Reply | Fault) -> Infraction:
    assert isinstance(outcome, Fault)
    return outcome.kind


@pytest.mark.parametrize("received", [None, 1], ids=["not counting", "counting"])
async def test_an_open_question_is_sent_again(seat: Seated, received: int | None) -> None:
    asking = asyncio.create_task(seat.session.ask(ask("a", left_us=1000)))
    first = (await seat.sent())[-1]
    await seat.lose_stream()
    seat.timers.advance(400)
    await seat.sit_down(received)
    assert await seat.sent() == [first]
    assert first.turn.request_id == "a"
    seat.timers.advance(600)
    await seat.send(answer("a"))
    reply = await asking
    assert isinstance(reply, Reply)
    assert reply.evidence.elapsed_us == 1000
    assert seat.session.strays() == ()
    assert seat.session.alive


async def test_its_clock_runs_on(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    await seat.lose_stream()
    seat.timers.advance(400)
    await seat.sit_down()
    await seat.sent()
    seat.timers.advance(601)
    assert kind_of(await asking) is Infraction.LATE
    await seat.send(answer("a"))
    assert seat.session.strays() == ()


async def test_a_limit_that_passes_in_the_grace(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    await seat.lose_stream()
    seat.timers.advance(1001)
    assert kind_of(await asking) is Infraction.LATE
    assert seat.session.alive
    asking = asyncio.create_task(seat.session.ask(ask("b", left_us=None)))
    await asyncio.sleep(0)
    await seat.sit_down(received=1)
    (turn,) = await seat.sent()
    assert turn.turn.request_id == "b"
    await seat.send(answer("b"))
    assert isinstance(await asking, Reply)


async def test_all_that_did_not_come_through_is_sent_again_in_order(seat: Seated) -> None:
    seat.session.tell(GAME_START)
    asking = asyncio.create_task(seat.session.ask(ask("a")))
    lost = [await seat.sent()]
    seat.timers.advance(2_000_001)
    assert kind_of(await asking) is Infraction.LATE
    seat.session.tell(NO_ACTS)
    lost.append(await seat.sent())
    await seat.lose_stream()
    seat.session.tell(MatchEnd(None))
    await seat.sit_down(received=0)
    again = [await seat.sent() for _ in range(3)]
    assert again[:2] == lost
    assert [bodies(element) for element in again] == [
        ["match_start", "game_start", "turn"],
        ["game_end"],
        ["match_end"],
    ]
    await seat.lose_stream()
    await seat.sit_down(received=2)
    assert bodies(await seat.sent()) == ["match_end"]


async def test_a_question_that_the_bot_did_not_have_comes_once(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.lose_stream()
    await seat.sit_down(received=0)
    assert bodies(await seat.sent()) == ["match_start", "turn"]
    await seat.send(answer("a"))
    assert isinstance(await asking, Reply)
    assert seat.stream.silent


async def test_what_was_answered_is_not_sent_again(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.send(answer("a"))
    await asking
    assert not seat.session.can_resume_after(0)
    await seat.lose_stream()
    await seat.sit_down(received=1)
    seat.session.tell(NO_ACTS)
    assert bodies(await seat.sent()) == ["game_end"]


async def test_an_answer_that_came_just_before_is_not_asked_for_again(seat: Seated) -> None:
    """Though whoever asked has not been told yet."""
    asking = await seat.asked("a")
    seat.stream.end(play_pb2.PlayRequest(messages=[answer("a")]).SerializeToString())
    await seat.stream.dealt_with()
    seat.stream.end()
    await seat.sit_down()
    assert isinstance(await asking, Reply)
    seat.session.tell(NO_ACTS)
    assert bodies(await seat.sent()) == ["game_end"]


async def test_what_is_told_in_the_grace_goes_out_after_it(seat: Seated) -> None:
    await seat.lose_stream()
    seat.session.tell(GAME_START)
    asking = asyncio.create_task(seat.session.ask(ask("a")))
    await asyncio.sleep(0)
    await seat.sit_down()
    assert bodies(await seat.sent()) == ["match_start", "game_start", "turn"]
    await seat.send(answer("a"))
    assert isinstance(await asking, Reply)


async def test_a_new_stream_takes_over_from_one_that_is_still_open(seat: Seated) -> None:
    asking = await seat.asked("a")
    old, conversation = seat.stream, seat.conversation
    old.takes.clear()
    await seat.sit_down()
    assert await conversation is False
    await seat.sent()
    # Nobody reads there any more.
    old.end(play_pb2.PlayRequest(messages=[answer("a", (99,))]).SerializeToString())
    await seat.send(answer("a", (10,)))
    reply = await asking
    assert isinstance(reply, Reply)
    assert reply.answer == (10,)
    seat.timers.advance(10 * GRACE_US)
    assert seat.session.alive
    assert old.silent


async def test_after_the_grace_the_bot_is_gone(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.lose_stream()
    seat.timers.advance(GRACE_US - 1)
    assert seat.session.alive
    assert not asking.done()
    seat.timers.advance(1)
    assert kind_of(await asking) is Infraction.DISCONNECTED
    assert not seat.session.alive


async def test_every_loss_has_a_grace_of_its_own(seat: Seated) -> None:
    for _ in range(3):
        await seat.lose_stream()
        seat.timers.advance(GRACE_US - 1)
        await seat.sit_down()
    seat.timers.advance(GRACE_US)
    assert seat.session.alive


async def test_a_process_that_ends_in_the_grace_has_crashed_at_once(
    seat: Seated, exited: asyncio.Future[str]
) -> None:
    asking = await seat.asked("a")
    await seat.lose_stream()
    seat.timers.advance(GRACE_US - 1)
    exited.set_result("was killed by SIGKILL")
    fault = await asking
    assert kind_of(fault) is Infraction.CRASHED
    assert kind_of(await seat.session.ask(ask("b"))) is Infraction.CRASHED


async def test_a_crash_goes_before_being_late(seat: Seated, exited: asyncio.Future[str]) -> None:
    asking = await seat.asked("a", left_us=1000)
    await seat.lose_stream()
    seat.timers.advance(1001)
    await asyncio.sleep(0)
    assert not asking.done()
    exited.set_result("exited with status 3")
    fault = await asking
    assert kind_of(fault) is Infraction.CRASHED
    assert fault.evidence.elapsed_us == 1001


async def test_being_late_does_not_wait_long_for_a_crash(
    seat: Seated, exited: asyncio.Future[str]
) -> None:
    asking = await seat.asked("a", left_us=1000)
    await seat.lose_stream()
    seat.timers.advance(1001)
    await asyncio.sleep(0)
    seat.timers.advance(EXIT_GRACE_US - 1001)
    assert kind_of(await asking) is Infraction.LATE
    assert seat.session.alive
    assert not exited.done()


async def test_being_late_waits_no_longer_than_until_the_bot_is_back(
    seat: Seated, exited: asyncio.Future[str]
) -> None:
    asking = await seat.asked("a", left_us=1000)
    await seat.lose_stream()
    seat.timers.advance(1001)
    await seat.sit_down(received=1)
    assert kind_of(await asking) is Infraction.LATE
    seat.session.tell(NO_ACTS)
    assert bodies(await seat.sent()) == ["game_end"]
    assert not exited.done()


@pytest.mark.parametrize("back", [True, False])
async def test_whether_the_bot_is_there_shows_at_the_end_of_the_grace(
    seat: Seated, back: bool
) -> None:
    assert await seat.session.there()
    await seat.lose_stream()
    waiting = asyncio.create_task(seat.session.there())
    await asyncio.sleep(0)
    assert not waiting.done()
    if back:
        await seat.sit_down()
    else:
        seat.timers.advance(GRACE_US)
    assert await waiting is back


async def test_a_goodbye_in_the_grace_is_the_end(seat: Seated) -> None:
    await seat.lose_stream()
    await seat.session.close()
    seat.timers.advance(GRACE_US)
    assert seat.session.loss is None
    assert not seat.session.alive


async def test_nothing_is_kept_for_a_bot_that_is_gone(seat: Seated) -> None:
    await seat.asked("a")
    assert seat.session.can_resume_after(0)
    seat.session.lost(Infraction.CRASHED, "the bot's process exited with status 0")
    assert not seat.session.can_resume_after(0)


async def test_a_bot_that_stays_away_is_not_spoken_to_without_end(seat: Seated) -> None:
    await seat.lose_stream()
    for _ in range(MOST_KEPT_BYTES // 1000 + 1):
        seat.session.tell(GameEnd(1, ("x" * 1000,), (0, 0, 0), (0,)))
    assert seat.session.loss is not None
    assert seat.session.loss.kind is Infraction.DISCONNECTED
