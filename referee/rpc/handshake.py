"""Who may sit down: the first message of a stream, and the seat that it takes."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable
from typing import Final

import grpc
from google.protobuf.message import DecodeError

from elfer.v1 import play_pb2
from referee.rpc.session import Session, Stream
from referee.rpc.timers import Timers, limit

PROTOCOL_VERSION: Final = 1


class RefusedError(Exception):
    """A stream that may not go on: the status and the sentence that it ends with."""

    def __init__(self, status: grpc.StatusCode, text: str) -> None:
        super().__init__(text)
        self.status: Final = status
        self.text: Final = text


async def read_hello(stream: Stream, limit_us: int | None, timers: Timers) -> play_pb2.Hello:
    """The first message of a stream. Raises ``RefusedError`` where it is no hello, or late."""
    element = await _first_element(stream, limit_us, timers)
    try:
        request = play_pb2.PlayRequest.FromString(element)
    except DecodeError:
        request = play_pb2.PlayRequest()
    if len(request.messages) != 1 or not request.messages[0].HasField("hello"):
        raise RefusedError(
            grpc.StatusCode.INVALID_ARGUMENT,
            "the first element of a stream holds a Hello and nothing else",
        )
    return request.messages[0].hello


def seat_for(hello: play_pb2.Hello, sessions: Iterable[Session]) -> Session:
    """The session whose seat a hello takes. Raises ``RefusedError`` where there is none."""
    session = _session_of(hello.token, sessions)
    if session is None:
        raise RefusedError(
            grpc.StatusCode.UNAUTHENTICATED, "no seat of this referee has that token"
        )
    if hello.protocol_version != PROTOCOL_VERSION:
        raise RefusedError(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"the bot speaks version {hello.protocol_version} of the protocol, "
            f"this referee version {PROTOCOL_VERSION}",
        )
    if hello.resume_nonce:
        raise RefusedError(
            grpc.StatusCode.UNIMPLEMENTED, "this referee does not take up a stream that was lost"
        )
    if session.seated:
        raise RefusedError(
            grpc.StatusCode.ALREADY_EXISTS, "the token has opened its one stream already"
        )
    if not session.alive:
        raise RefusedError(
            grpc.StatusCode.DEADLINE_EXCEEDED, "the referee no longer waits for this bot"
        )
    return session


async def _first_element(stream: Stream, limit_us: int | None, timers: Timers) -> bytes:
    late = False

    def expire() -> None:
        nonlocal late
        late = True
        reading.cancel()

    reading = asyncio.create_task(stream.read())
    try:
        with limit(timers, limit_us, expire):
            return await reading or b""
    except asyncio.CancelledError:
        if not late:
            raise
        raise RefusedError(
            grpc.StatusCode.DEADLINE_EXCEEDED, "no hello within the handshake limit"
        ) from None


def _session_of(token: str, sessions: Iterable[Session]) -> Session | None:
    found = None
    for session in sessions:
        # All of them, and in constant time each: how long it takes tells nothing.
        if hmac.compare_digest(session.token.encode(), token.encode()):
            found = session
    return found
