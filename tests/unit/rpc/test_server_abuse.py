"""A server under abuse, over real sockets: one seat does what it can, the other plays on."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import NamedTuple

import grpc
import pytest

from elfer.v1 import play_pb2_grpc
from referee.match.conduct import Infraction
from referee.match.player import Fault, GameEnd, Reply
from referee.rpc import endpoint, server
from referee.rpc.exchange import Exchange
from referee.rpc.inbox import MOST_STRAYS
from referee.rpc.outbox import MOST_KEPT_BYTES
from referee.rpc.server import MOST_CONNECTIONS, MOST_READ_BYTES, PlayServer
from referee.rpc.session import Session
from tests.support.rpc import ManualTimers, answer, ask, hello
from tests.support.streams import (
    OPTIONS,
    Call,
    encoded,
    raw_stream,
    read,
    seated,
    send,
    status_of,
    stream,
)

MIB = 2**20
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
UNIX_ONLY = pytest.mark.skipif(not endpoint.unix_sockets_serve(), reason="no Unix sockets here")


class Table(NamedTuple):
    """A server with a bot that plays well."""

    server: PlayServer
    timers: ManualTimers
    session: Session
    call: Call
    request_ids: Iterator[int]

    async def plays_on(self) -> None:
        """The bot is asked, and answers."""
        request_id = str(next(self.request_ids))
        asking = asyncio.create_task(self.session.ask(ask(request_id)))
        await read(self.call)
        await send(self.call, answer(request_id))
        assert isinstance(await asking, Reply)
        assert self.session.strays() == ()


@pytest.fixture(params=[pytest.param("unix", marks=UNIX_ONLY), "tcp"])
async def table(request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    timers = ManualTimers()
    async with (
        PlayServer(tcp=request.param == "tcp", timers=timers) as started,
        seated(started, "good") as (session, call),
    ):
        yield Table(started, timers, session, call, count())


def dial(address: str) -> socket.socket:
    """A connection on which the bot speaks whatever it likes."""
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address.removeprefix("unix:"))
    else:
        host, port = address.split(":")
        connection = socket.create_connection((host, int(port)))
    connection.setblocking(False)
    return connection


async def ended(connection: socket.socket) -> None:
    """Wait until the server has closed the connection."""
    with contextlib.suppress(ConnectionError):
        while await asyncio.get_running_loop().sock_recv(connection, 65536):
            pass


async def test_ten_thousand_elements_are_not_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0
    take = Exchange.take

    def counting(exchange: Exchange, element: bytes) -> None:
        nonlocal taken
        taken += 1
        take(exchange, element)

    async with seated(table.server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a", left_us=None)))
        await read(call)
        monkeypatch.setattr(Exchange, "take", counting)

        async def flood() -> None:
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                for _ in range(10_000):
                    await send(call, answer("unasked"))

        flooding = asyncio.create_task(flood())
        await table.plays_on()
        fault = await asking
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.FLOOD
        await flooding
        # A write that meets the end of its stream hears no more than INTERNAL.
        assert await status_of(call) in {
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            grpc.StatusCode.INTERNAL,
        }
    # One more is the answer of the bot that plays well.
    assert taken == MOST_STRAYS + 1 + 1
    await table.plays_on()


@pytest.mark.parametrize("size", [5 * MIB, MOST_READ_BYTES])
async def test_a_giant_is_judged_and_not_parsed(table: Table, size: int) -> None:
    session = table.server.add_seat("bad")
    async with raw_stream(table.server, encoded(hello(session.token))) as call:
        await call.read()
        await call.write(bytes(size))
        assert await status_of(call) is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert session.loss == (Infraction.FLOOD, f"an element of {size} bytes")
    await table.plays_on()


async def test_what_is_larger_still_ends_the_stream(table: Table) -> None:
    session = table.server.add_seat("bad")
    async with raw_stream(table.server, encoded(hello(session.token))) as call:
        await call.read()
        table.timers.armed.clear()
        await call.write(bytes(MOST_READ_BYTES + 1))
        assert await status_of(call) is grpc.StatusCode.RESOURCE_EXHAUSTED
        await table.timers.armed.wait()
    assert session.alive
    table.timers.advance(2_000_000)
    assert session.loss == (Infraction.DISCONNECTED, "the bot's stream ended")
    await table.plays_on()


async def test_a_giant_instead_of_a_hello(table: Table) -> None:
    async with raw_stream(table.server, bytes(MIB)) as call:
        assert await status_of(call) is grpc.StatusCode.RESOURCE_EXHAUSTED
    await table.plays_on()


async def test_a_bot_that_never_reads_is_given_up(table: Table) -> None:
    async with seated(table.server) as (session, _):
        lines = ("x" * 1000,) * 100
        told = 0
        while session.loss is None:
            session.tell(GameEnd(1, lines, (0, 0, 0), (0,)))
            told += 1
            await table.plays_on()
            assert told < 10 * MOST_KEPT_BYTES // 100_000
        assert session.loss == (Infraction.DISCONNECTED, "the bot does not read")


async def test_five_more_streams_while_one_is_seated(table: Table) -> None:
    async with AsyncExitStack() as stack:
        more = [
            await stack.enter_async_context(stream(table.server, hello(table.session.token)))
            for _ in range(5)
        ]
        await table.plays_on()
        assert {await status_of(call) for call in more} == {grpc.StatusCode.ALREADY_EXISTS}
    await table.plays_on()


async def test_five_more_streams_on_one_connection(table: Table) -> None:
    async with grpc.aio.insecure_channel(table.server.address, options=OPTIONS) as channel:
        stub = play_pb2_grpc.PlayServiceStub(channel)
        more: list[Call] = [stub.Play() for _ in range(5)]
        # Some wait for others to be done: so many at a time are let in.
        await asyncio.gather(*(send(call, hello(table.session.token)) for call in more))
        assert {await status_of(call) for call in more} == {grpc.StatusCode.ALREADY_EXISTS}
    await table.plays_on()


async def test_streams_that_never_say_hello_are_nobodys(table: Table) -> None:
    session = table.server.add_seat("other")
    async with AsyncExitStack() as stack:
        table.timers.armed.clear()
        silent = [await stack.enter_async_context(stream(table.server)) for _ in range(5)]
        ends = [asyncio.create_task(status_of(call)) for call in silent]
        await table.timers.armed.wait()
        await table.plays_on()
        while not all(end.done() for end in ends):
            table.timers.advance(5_000_001)
            await asyncio.wait(ends, timeout=0.01)
        assert {end.result() for end in ends} == {grpc.StatusCode.DEADLINE_EXCEEDED}
    assert not session.seated
    async with stream(table.server, hello(session.token)) as call:
        await read(call)
    await table.plays_on()


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n",
        bytes(range(256)) * 64,
        PREFACE + bytes(range(256)) * 64,
    ],
    ids=["HTTP/1.1", "garbage", "garbage frames"],
)
async def test_a_connection_that_speaks_no_grpc_is_closed(table: Table, said: bytes) -> None:
    with dial(table.server.address) as connection:
        await asyncio.get_running_loop().sock_sendall(connection, said)
        await ended(connection)
    await table.plays_on()


async def test_idle_connections_are_bounded(table: Table) -> None:
    with contextlib.ExitStack() as stack:
        idle = [
            stack.enter_context(dial(table.server.address)) for _ in range(MOST_CONNECTIONS + 20)
        ]
        ends = [asyncio.create_task(ended(connection)) for connection in idle]
        done: set[asyncio.Task[None]] = set()
        while len(done) < 20:
            some, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            done |= some
            ends = [end for end in ends if end not in done]
        await table.plays_on()
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
    # Their places are free again.
    async with seated(table.server):
        pass


async def test_a_connection_without_a_stream_is_closed_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = [
        (name, 100 if value == server.IDLE_CONNECTION_MS else value)
        for name, value in server._OPTIONS
    ]
    assert short != list(server._OPTIONS)
    monkeypatch.setattr(server, "_OPTIONS", tuple(short))
    async with PlayServer(tcp=True) as started:
        for said in (b"", PREFACE, PREFACE + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])):
            with dial(started.address) as connection:
                await asyncio.get_running_loop().sock_sendall(connection, said)
                await ended(connection)
        # One with a stream stays.
        async with seated(started) as (session, call):
            await asyncio.sleep(0.3)
            asking = asyncio.create_task(session.ask(ask("a")))
            await read(call)
            await send(call, answer("a"))
            assert isinstance(await asking, Reply)
