"""Streams to a real server, from bots on raw generated stubs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import cast

import grpc

from elfer.v1 import play_pb2, play_pb2_grpc
from referee.rpc.server import PlayServer
from referee.rpc.session import Session
from tests.support.meters import FakeMeter
from tests.support.rpc import MATCH_START, hello

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]
RawCall = grpc.aio.StreamStreamCall[bytes, bytes]

OPTIONS = [
    ("grpc.enable_http_proxy", 0),
    # Else all channels of a process to one address share a connection.
    ("grpc.use_local_subchannel_pool", 1),
]


@contextlib.asynccontextmanager
async def stream(server: PlayServer, *messages: play_pb2.BotMessage) -> AsyncIterator[Call]:
    async with grpc.aio.insecure_channel(server.address, options=OPTIONS) as channel:
        call = play_pb2_grpc.PlayServiceStub(channel).Play()
        if messages:
            await call.write(play_pb2.PlayRequest(messages=messages))
        yield call


@contextlib.asynccontextmanager
async def raw_stream(server: PlayServer, first: bytes) -> AsyncIterator[RawCall]:
    """A stream on which the bot writes whatever bytes it likes."""
    async with grpc.aio.insecure_channel(server.address, options=OPTIONS) as channel:
        call: RawCall = channel.stream_stream("/elfer.v1.PlayService/Play")()
        await call.write(first)
        yield call


@contextlib.asynccontextmanager
async def seated(server: PlayServer, bot: str = "bot") -> AsyncIterator[tuple[Session, Call]]:
    """A session with a match begun, and the bot's end of its stream."""
    session = server.add_seat(bot)
    session.meter = FakeMeter()
    async with stream(server, hello(session.token)) as call:
        (welcome,) = await read(call)
        assert welcome.HasField("welcome")
        session.tell(MATCH_START)
        yield session, call


async def read(call: Call) -> list[play_pb2.RefereeMessage]:
    element = await call.read()
    assert element is not grpc.aio.EOF, "the stream has ended"
    return list(cast(play_pb2.PlayResponse, element).messages)


async def send(call: Call, *messages: play_pb2.BotMessage) -> None:
    await call.write(play_pb2.PlayRequest(messages=messages))


def encoded(*messages: play_pb2.BotMessage) -> bytes:
    return play_pb2.PlayRequest(messages=messages).SerializeToString()


async def status_of(call: Call | RawCall) -> grpc.StatusCode:
    with contextlib.suppress(grpc.aio.AioRpcError):
        assert await call.read() is grpc.aio.EOF
    return await call.code()
