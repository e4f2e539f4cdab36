"""Who may sit down: the first message of a stream, and the seat that it takes."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable
from typing import Final

import grpc
from google.protobuf.message import DecodeError

from elfer.v1 import play_pb2
from referee.match.conduct import Infraction
from referee.rpc.conversation import Stream
from referee.rpc.inbox import MOST_MESSAGE_BYTES
from referee.rpc.session import MOST_RESUMES, Session
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
    if len(element) > MOST_MESSAGE_BYTES:
        raise RefusedError(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            f"a hello of {len(element)} bytes: {MOST_MESSAGE_BYTES} are read at most",
        )
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
    if not session.open_to_streams:
        reason = f": {session.absence}" if session.absence else ""
        raise RefusedError(
            grpc.StatusCode.DEADLINE_EXCEEDED, f"the referee no longer waits for this bot{reason}"
        )
    if hello.resume_nonce:
        _check_resume(hello, session)
    elif session.seated:
        raise RefusedError(
            grpc.StatusCode.ALREADY_EXISTS,
            "the token has opened its one stream already; to take that up again, show the "
            "resume nonce of its last Welcome",
        )
    return session


def _check_resume(hello: play_pb2.Hello, session: Session) -> None:
    """Raises ``RefusedError`` where a lost stream is not taken up again like that."""
    if not hmac.compare_digest(session.resume_nonce, hello.resume_nonce):
        raise RefusedError(
            grpc.StatusCode.PERMISSION_DENIED,
            "that is not the resume nonce of the last Welcome; each works once",
        )
    if session.resumes == MOST_RESUMES:
        reason = f"its stream was taken up again {MOST_RESUMES} times in one match"
        session.lost(Infraction.DISCONNECTED, reason)
        raise RefusedError(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            f"the referee no longer waits for this bot: {reason}",
        )
    if hello.HasField("received") and not session.can_resume_after(hello.received):
        raise RefusedError(
            grpc.StatusCode.OUT_OF_RANGE,
            f"the referee cannot go on after {hello.received} elements: "
            "that is more than it sent, or fewer than the bot has answered",
        )


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
