"""A session, with the bot's side and the time in the test's hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from elfer.v1 import play_pb2
from referee.match.conduct import Consequence, Infraction, breach_ruling
from referee.match.player import Fault, GameEnd, MatchEnd, Reply, Ruled
from referee.rpc.grace import EXIT_GRACE_US
from referee.rpc.outbox import MOST_KEPT_BYTES
from referee.rpc.session import GOODBYE_LIMIT_US, Session
from tests.support.rpc import (
    GAME_START,
    MATCH_START,
    ManualTimers,
    Seated,
    answer,
    ask,
    resign,
)

GARBAGE = b"\xff\xff\xff"


@pytest.fixture
async def seat() -> AsyncIterator[Seated]:
    async with Seated() as seated:
        yield seated


async def test_an_answer_comes_back_with_the_time_it_took(seat: Seated) -> None:
    asking = await seat.asked("a")
    seat.timers.advance(1500)
    await seat.send(answer("a", (12, 10, 99, -1)))
    reply = await asking
    assert isinstance(reply, Reply)
    assert reply.answer == (12, 10, 99, -1)
    assert reply.evidence.elapsed_us == 1500
    assert seat.session.strays() == ()


async def test_what_was_told_goes_out_with_the_question_in_one_element(seat: Seated) -> None:
    seat.session.tell(GAME_START)
    asking = asyncio.create_task(seat.session.ask(ask("a")))
    bodies = [message.WhichOneof("body") for message in await seat.sent()]
    assert bodies == ["match_start", "game_start", "turn"]
    assert seat.stream.silent
    await seat.send(answer("a"))
    await asking


@pytest.mark.parametrize(
    ("message", "body"),
    [(GameEnd(1, (), (0, 1, 2), (0,)), "game_end"), (MatchEnd(None), "match_end")],
    ids=["game", "match"],
)
async def test_an_end_goes_out_at_once(
    seat: Seated, message: GameEnd | MatchEnd, body: str
) -> None:
    seat.session.tell(message)
    assert [sent.WhichOneof("body") for sent in await seat.sent()] == ["match_start", body]


async def test_the_end_of_a_match_that_never_began_is_not_told(seat: Seated) -> None:
    """Such as when another bot of the table could not be started."""
    Session("bot", "token", seat.timers).tell(MatchEnd(None))

    seat.session.tell(MatchEnd(None))
    await seat.sent()
    seat.session.tell(MatchEnd(None))
    closing = asyncio.create_task(seat.session.close())
    assert [sent.WhichOneof("body") for sent in await seat.sent()] == ["goodbye"]
    seat.stream.end()
    await closing


async def test_an_answer_on_the_last_microsecond_is_in_time(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1000)
    await seat.send(answer("a"))
    assert isinstance(await asking, Reply)


async def test_a_late_answer_is_one_fault_and_no_second(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1001)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.LATE
    assert fault.evidence.elapsed_us == 1001
    await seat.send(answer("a"))
    assert seat.stray_kinds() == []
    await seat.send(answer("a"))
    assert seat.stray_kinds() == [Infraction.DUPLICATE]


async def test_without_a_limit_nothing_is_late(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=None)
    seat.timers.advance(10**12)
    await seat.send(answer("a"))
    assert isinstance(await asking, Reply)


async def test_the_limit_is_all_that_the_bot_is_allowed(seat: Seated) -> None:
    question = replace(ask("a", left_us=1000), bank_us=500, match_left_us=1200)
    asking = asyncio.create_task(seat.session.ask(question))
    await seat.sent()
    seat.timers.advance(1200)
    assert not asking.done()
    seat.timers.advance(1)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.LATE


async def test_a_resignation_holds_for_the_rest_of_the_match(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.send(resign())
    for fault in (await asking, await seat.session.ask(ask("b"))):
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.RESIGNED
    seat.session.tell(replace(MATCH_START, match_id="next"))
    asking = await seat.asked("c")
    await seat.send(answer("c", match_id="next"))
    assert isinstance(await asking, Reply)


async def test_a_bot_that_resigned_may_go(seat: Seated) -> None:
    await seat.send(resign())
    seat.session.lost(Infraction.CRASHED, "the bot's process exited with status 0")
    fault = await seat.session.ask(ask("a"))
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.RESIGNED


async def test_nothing_is_read_any_more_once_the_bot_is_lost(seat: Seated) -> None:
    seat.session.lost(Infraction.CRASHED, "the bot's process exited with status 0")
    await seat.conversation
    fault = await seat.session.ask(ask("a"))
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.CRASHED
    assert seat.stray_kinds() == []


async def test_a_stream_that_ends_is_a_lost_connection(seat: Seated) -> None:
    asking = await seat.asked("a")
    seat.stream.end()
    await seat.conversation
    assert not seat.session.alive
    for fault in (await asking, await seat.session.ask(ask("b"))):
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.DISCONNECTED


@pytest.mark.parametrize("steps", range(6))
async def test_a_stream_that_is_cancelled_as_it_ends_is_a_lost_connection(
    seat: Seated, steps: int
) -> None:
    asking = await seat.asked("a", left_us=None)
    seat.stream.end()
    for _ in range(steps):
        await asyncio.sleep(0)
    seat.conversation.cancel()
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.DISCONNECTED
    await seat.session.close()


async def test_a_stream_that_breaks_is_a_lost_connection(seat: Seated) -> None:
    seat.stream.broken = True
    asking = asyncio.create_task(seat.session.ask(ask("a")))
    await seat.conversation
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.DISCONNECTED


async def test_a_process_that_ends_soon_after_its_stream_has_crashed(seat: Seated) -> None:
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    seat.session.watch(exited)
    asking = await seat.asked("a", left_us=1000)
    seat.stream.end()
    await seat.conversation
    # The limit passes as well: that the process has ended goes before being late.
    seat.timers.advance(EXIT_GRACE_US - 1)
    assert not asking.done()
    exited.set_result("exited with status 3")
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.CRASHED
    assert fault.detail == "the bot's process exited with status 3"


async def test_a_process_that_lives_on_without_its_stream_is_disconnected(seat: Seated) -> None:
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    seat.session.watch(exited)
    asking = await seat.asked("a")
    seat.stream.end()
    await seat.conversation
    seat.timers.advance(EXIT_GRACE_US)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.DISCONNECTED
    exited.set_result("exited")


async def test_a_process_that_ends_while_its_stream_stays_has_crashed(seat: Seated) -> None:
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    seat.session.watch(exited)
    asking = await seat.asked("a")
    exited.set_result("was killed by SIGKILL")
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.CRASHED
    await seat.conversation
    assert seat.session.absence == "the bot's process was killed by SIGKILL"


async def test_a_bot_that_does_not_read_is_late_and_holds_nobody_up(seat: Seated) -> None:
    seat.stream.takes.clear()
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1001)
    assert isinstance(await asking, Fault)
    asking = asyncio.create_task(seat.session.ask(ask("b", left_us=1000)))
    await asyncio.sleep(0)
    seat.timers.advance(1001)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.LATE
    assert seat.session.alive


async def test_a_bot_that_never_reads_is_given_up(seat: Seated) -> None:
    seat.stream.takes.clear()
    line = "x" * 1000
    for _ in range(MOST_KEPT_BYTES // len(line) + 1):
        seat.session.tell(GameEnd(1, (line,), (0, 0, 0), (0,)))
    await seat.conversation
    fault = await seat.session.ask(ask("a"))
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.DISCONNECTED
    assert "read" in fault.detail


async def test_an_error_of_ours_is_raised_and_never_a_fault(
    seat: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    asking = await seat.asked("a")
    monkeypatch.setattr("referee.rpc.inbox.Inbox.take", fail)
    seat.stream.end(GARBAGE)
    with pytest.raises(ZeroDivisionError):
        await asking
    await seat.conversation
    with pytest.raises(RuntimeError, match="session of bot failed"):
        await seat.session.ask(ask("b"))
    assert not seat.session.alive


async def test_a_request_id_is_used_once(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.send(answer("a"))
    await asking
    with pytest.raises(ValueError, match="used before"):
        await seat.session.ask(ask("a"))


async def test_one_question_at_a_time(seat: Seated) -> None:
    asking = await seat.asked("a")
    with pytest.raises(RuntimeError, match="open already"):
        await seat.session.ask(ask("b"))
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await seat.send(answer("a"))
    assert seat.stray_kinds() == []


async def test_a_ruling_travels_with_the_next_try(seat: Seated) -> None:
    ruling = breach_ruling(Infraction.MALFORMED)
    seat.session.tell(Ruled("a", ruling, Infraction.MALFORMED, 10, 1, Consequence.RETRY))
    asking = asyncio.create_task(seat.session.ask(ask("b")))
    _, ruled, turn = await seat.sent()
    assert ruled.ruling.code == "malformed"
    assert ruled.ruling.retry
    assert turn.turn.request_id == "b"
    await seat.send(answer("b"))
    await asking


async def test_goodbye_is_the_last_word(seat: Seated) -> None:
    closing = asyncio.create_task(seat.session.close("that was all"))
    *_, last = await seat.sent()
    assert last.goodbye.text == "that was all"
    await closing
    assert seat.conversation.done()
    assert not seat.session.alive
    assert seat.session.loss is None
    with pytest.raises(RuntimeError):
        await seat.session.ask(ask("a"))


async def test_a_goodbye_that_nobody_reads_is_not_waited_for_long(seat: Seated) -> None:
    seat.stream.takes.clear()
    closing = asyncio.create_task(seat.session.close())
    await seat.sent()
    await seat.stream.send(GARBAGE)
    assert seat.stray_kinds() == []
    assert not closing.done()
    seat.timers.advance(GOODBYE_LIMIT_US + 1)
    await closing


async def test_connected_when_the_bot_has_said_hello() -> None:
    session = Session("bot", "token", ManualTimers())
    waiting = asyncio.create_task(session.connected(1000))
    await asyncio.sleep(0)
    session.sit_down(play_pb2.Welcome())
    assert await waiting


async def test_a_bot_that_does_not_come_is_a_start_failure() -> None:
    timers = ManualTimers()
    session = Session("bot", "token", timers)
    waiting = asyncio.create_task(session.connected(1000))
    await timers.armed.wait()
    timers.advance(1001)
    assert not await waiting
    session.tell(MATCH_START)
    fault = await session.ask(ask("a"))
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.START_FAILURE
    await session.close()


async def test_a_process_that_ends_before_its_hello_is_a_start_failure() -> None:
    session = Session("bot", "token", ManualTimers())
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    session.watch(exited)
    exited.set_result("exited with status 1")
    assert not await session.connected(None)
    assert session.loss is not None
    assert session.loss.kind is Infraction.START_FAILURE
    assert session.absence == "the bot's process exited with status 1"
