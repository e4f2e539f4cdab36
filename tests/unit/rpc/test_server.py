"""The service over real gRPC, on a Unix socket and on TCP, with bots on raw generated stubs."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from referee.core.errors import HostFault
from referee.match.conduct import DEFAULT_GRACE_US, Consequence, Infraction, breach_ruling
from referee.match.player import Fault, GameEnd, MatchEnd, Reply, Ruled
from referee.match.record import Result
from referee.rpc import endpoint
from referee.rpc.inbox import MOST_MESSAGE_BYTES
from referee.rpc.server import NONCE_BYTES, PlayServer
from tests.support.rpc import GAME_START, MATCH_START, ManualTimers, answer, ask, hello, resign
from tests.support.streams import encoded, raw_stream, read, seated, send, status_of, stream

UNIX_ONLY = pytest.mark.skipif(not endpoint.unix_sockets_serve(), reason="no Unix sockets here")


@pytest.fixture
def timers() -> ManualTimers:
    return ManualTimers()


@pytest.fixture(params=[pytest.param("unix", marks=UNIX_ONLY), "tcp"])
async def server(request: pytest.FixtureRequest, timers: ManualTimers) -> AsyncIterator[PlayServer]:
    async with PlayServer(tcp=request.param == "tcp", timers=timers) as started:
        yield started


def mode_of(path: Path) -> int:
    return path.stat().st_mode


async def test_a_whole_conversation(server: PlayServer) -> None:
    session = server.add_seat("bot")
    async with stream(server, hello(session.token)) as call:
        assert await session.connected(None)
        (message,) = await read(call)
        assert message.welcome.protocol_version == 1
        assert message.welcome.max_matches == 1
        assert message.welcome.max_message_bytes == MOST_MESSAGE_BYTES
        assert message.welcome.referee_version
        assert len(message.welcome.resume_nonce) == NONCE_BYTES

        session.tell(MATCH_START)
        session.tell(GAME_START)
        asking = asyncio.create_task(session.ask(ask("a")))
        start, game, turn = await read(call)
        assert start.match_start.rules.profile == "ravensburger@1"
        assert list(game.game_start.elfer_raus.hand) == [10, 12, 45]
        await send(call, answer(turn.turn.request_id, (10, 45)))
        reply = await asking
        assert isinstance(reply, Reply)
        assert reply.answer == (10, 45)

        session.tell(GameEnd(1, ("2 1 lay R10",), (0, 4, 5), (0,)))
        (message,) = await read(call)
        assert list(message.game_end.acts) == ["2 1 lay R10"]
        result = Result((0, 4, 5), (0, 0, 10), (0, 4, 15), (1, 2, 3), (False,) * 3, (0,))
        session.tell(MatchEnd(result))
        (message,) = await read(call)
        assert list(message.match_end.totals) == [0, 4, 15]

        closing = asyncio.create_task(session.close())
        (message,) = await read(call)
        assert message.HasField("goodbye")
        assert await status_of(call) is grpc.StatusCode.OK
        await closing


async def test_two_seats_do_not_hear_each_other(server: PlayServer) -> None:
    async with seated(server, "one") as (one, call_one), seated(server, "two") as (two, call_two):
        asking = [asyncio.create_task(session.ask(ask("a"))) for session in (one, two)]
        for call, card in ((call_two, 12), (call_one, 10)):
            await read(call)
            await send(call, answer("a", (card,)))
        replies = await asyncio.gather(*asking)
        assert [reply.answer for reply in replies if isinstance(reply, Reply)] == [(10,), (12,)]


async def test_an_unknown_token(server: PlayServer) -> None:
    session = server.add_seat("bot")
    for token in ("", "guess", "é", session.token + " "):
        async with stream(server, hello(token)) as call:
            assert await status_of(call) is grpc.StatusCode.UNAUTHENTICATED
    assert not session.seated


async def test_a_used_token_is_refused_and_its_stream_untouched(server: PlayServer) -> None:
    async with seated(server) as (session, call):
        async with stream(server, hello(session.token)) as second:
            assert await status_of(second) is grpc.StatusCode.ALREADY_EXISTS
        asking = asyncio.create_task(session.ask(ask("a")))
        await read(call)
        await send(call, answer("a"))
        assert isinstance(await asking, Reply)


async def test_another_version_of_the_protocol_leaves_the_token_good(server: PlayServer) -> None:
    session = server.add_seat("bot")
    async with stream(server, hello(session.token, version=2)) as call:
        assert await status_of(call) is grpc.StatusCode.FAILED_PRECONDITION
        assert await call.details() == (
            "the bot speaks version 2 of the protocol, this referee version 1"
        )
    async with stream(server, hello(session.token)) as call:
        await read(call)
    assert session.seated


@pytest.mark.parametrize(
    "first",
    [b"", b"\xff\xff", encoded(answer("a")), encoded(resign(), hello("token"))],
    ids=["empty", "garbage", "answer", "hello not alone"],
)
async def test_a_first_message_that_is_no_hello(server: PlayServer, first: bytes) -> None:
    async with raw_stream(server, first) as call:
        assert await status_of(call) is grpc.StatusCode.INVALID_ARGUMENT


async def test_no_hello_in_time(server: PlayServer, timers: ManualTimers) -> None:
    async with stream(server) as call:
        reading = asyncio.create_task(status_of(call))
        await timers.armed.wait()
        timers.advance(5_000_001)
        assert await reading is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_stream_without_a_word(server: PlayServer) -> None:
    async with stream(server) as call:
        await call.done_writing()
        assert await status_of(call) is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_bot_that_comes_after_the_start_limit(
    server: PlayServer, timers: ManualTimers
) -> None:
    session = server.add_seat("bot")
    waiting = asyncio.create_task(session.connected(1000))
    await timers.armed.wait()
    timers.advance(1001)
    assert not await waiting
    async with stream(server, hello(session.token)) as call:
        assert await status_of(call) is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_message_over_the_size_limit(server: PlayServer) -> None:
    session = server.add_seat("bot")
    async with raw_stream(server, encoded(hello(session.token))) as call:
        await call.read()
        session.tell(MATCH_START)
        asking = asyncio.create_task(session.ask(ask("a")))
        await call.read()
        await call.write(bytes(MOST_MESSAGE_BYTES + 1))
        assert await status_of(call) is grpc.StatusCode.RESOURCE_EXHAUSTED
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.FLOOD
        assert fault.detail == "an element of 65537 bytes"


async def test_a_message_of_the_size_limit_is_read(server: PlayServer) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a")))
        await read(call)
        cards = (10,) * (MOST_MESSAGE_BYTES - 200)
        await send(call, answer("a", cards))
        reply = await asking
        assert isinstance(reply, Reply)
        assert reply.answer == cards


async def test_strays_and_a_late_answer(server: PlayServer, timers: ManualTimers) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a", left_us=1000)))
        await read(call)
        timers.advance(1001)
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.LATE
        asking = asyncio.create_task(session.ask(ask("b")))
        await read(call)
        await send(call, answer("a"))
        await send(call, answer("early"))
        await send(call, answer("b", match_id="other"))
        await send(call, answer("b"), answer("b"))
        assert isinstance(await asking, Reply)
        assert [stray.kind for stray in session.strays()] == [
            Infraction.EARLY,
            Infraction.WRONG_SEAT,
            Infraction.DUPLICATE,
        ]


async def test_garbage_is_malformed_and_the_stream_goes_on(server: PlayServer) -> None:
    session = server.add_seat("bot")
    async with raw_stream(server, encoded(hello(session.token))) as call:
        await call.read()
        session.tell(MATCH_START)
        asking = asyncio.create_task(session.ask(ask("a")))
        await call.read()
        await call.write(b"\xff\xff\xff")
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.MALFORMED
        session.tell(Ruled("a", breach_ruling(fault.kind), fault.kind, 10, 1, Consequence.RETRY))
        asking = asyncio.create_task(session.ask(ask("b")))
        await call.read()
        await call.write(encoded(answer("b")))
        assert isinstance(await asking, Reply)


async def test_a_flood_ends_the_stream(server: PlayServer) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a")))
        await read(call)
        await send(call, *[answer("early")] * 100)
        assert await status_of(call) is grpc.StatusCode.RESOURCE_EXHAUSTED
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.FLOOD


async def test_a_bot_that_does_not_read_holds_nobody_up(
    server: PlayServer, timers: ManualTimers
) -> None:
    async with seated(server) as (session, _):
        session.tell(GameEnd(1, ("x" * 500_000,), (0, 0, 0), (0,)))
        asking = asyncio.create_task(session.ask(ask("a", left_us=1000)))
        await asyncio.sleep(0)
        timers.advance(1001)
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.LATE
        closing = asyncio.create_task(session.close())
        await asyncio.sleep(0)
        timers.advance(1_000_001)
        await closing


@pytest.mark.parametrize("how", ["half-close", "cancel"])
async def test_a_bot_that_leaves(server: PlayServer, timers: ManualTimers, how: str) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a", left_us=None)))
        await read(call)
        timers.armed.clear()
        if how == "cancel":
            call.cancel()
        else:
            await call.done_writing()
        await timers.armed.wait()
        assert not asking.done()
        timers.advance(DEFAULT_GRACE_US)
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.DISCONNECTED
        assert fault.detail == "the bot's stream ended"


async def test_a_channel_that_closes(server: PlayServer, timers: ManualTimers) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a", left_us=None)))
        await read(call)
        timers.armed.clear()
    await timers.armed.wait()
    timers.advance(DEFAULT_GRACE_US)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.DISCONNECTED


async def test_stop_says_goodbye_to_all(timers: ManualTimers) -> None:
    async with PlayServer(timers=timers) as server, seated(server) as (_, call):
        stopping = asyncio.create_task(server.stop())
        *_, last = await read(call)
        assert last.HasField("goodbye")
        assert await status_of(call) is grpc.StatusCode.OK
        await stopping


@UNIX_ONLY
async def test_the_socket_is_for_this_user_alone_and_goes_away() -> None:
    async with PlayServer() as server:
        socket = Path(server.address.removeprefix("unix:"))
        assert stat.S_ISSOCK(mode_of(socket))
        assert stat.S_IMODE(mode_of(socket.parent)) == 0o700
        assert len(os.fsencode(socket)) <= endpoint.MOST_PATH_BYTES
    with pytest.raises(FileNotFoundError):
        mode_of(socket.parent)


@UNIX_ONLY
def test_a_long_temporary_folder_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with endpoint.make_socket_folder() as folder:
        assert len(os.fsencode(folder / endpoint.SOCKET)) <= endpoint.MOST_PATH_BYTES


@UNIX_ONLY
async def test_no_folder_for_a_socket_is_the_hosts_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with pytest.raises(HostFault, match="/nowhere"):
        await PlayServer().start()


@UNIX_ONLY
async def test_a_socket_that_cannot_be_bound_is_the_hosts_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("referee.rpc.server.SOCKET", "missing/socket")
    with pytest.raises(HostFault, match="cannot listen"):
        await PlayServer().start()
