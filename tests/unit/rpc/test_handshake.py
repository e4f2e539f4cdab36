"""Who may sit down: every hello that is refused, and why."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from elfer.v1 import play_pb2
from referee.match.conduct import Infraction
from referee.rpc.handshake import RefusedError, read_hello, seat_for
from referee.rpc.inbox import MOST_MESSAGE_BYTES
from referee.rpc.session import MOST_RESUMES, Session
from tests.support.rpc import MATCH_START, ManualTimers, MemoryStream, hello

GRACE_US = 1000
NONCE = b"n" * 16
Status = grpc.StatusCode


@pytest.fixture
def timers() -> ManualTimers:
    return ManualTimers()


@pytest.fixture
def session(timers: ManualTimers) -> Session:
    return Session("bot", "token", timers, GRACE_US)


def sit_down(session: Session, nonce: bytes = NONCE) -> None:
    session.sit_down(play_pb2.Welcome(resume_nonce=nonce))


async def lose_stream(session: Session) -> None:
    stream = MemoryStream()
    stream.end()
    await session.converse(stream)


def refused(session: Session, **fields: int | bytes) -> tuple[grpc.StatusCode, str]:
    message = play_pb2.Hello(token="token", protocol_version=1, **fields)  # type: ignore[arg-type]
    with pytest.raises(RefusedError) as caught:
        seat_for(message, [session])
    return caught.value.status, caught.value.text


def accepted(session: Session, **fields: int | bytes) -> bool:
    message = play_pb2.Hello(token="token", protocol_version=1, **fields)  # type: ignore[arg-type]
    return seat_for(message, [Session("other", "other", ManualTimers()), session]) is session


def test_a_token_opens_one_stream(session: Session) -> None:
    assert accepted(session)
    sit_down(session)
    status, text = refused(session)
    assert status is Status.ALREADY_EXISTS
    assert "resume nonce of its last Welcome" in text


def test_a_nonce_where_nobody_sat(session: Session) -> None:
    assert refused(session, resume_nonce=NONCE)[0] is Status.PERMISSION_DENIED
    assert accepted(session)


async def test_the_last_welcomes_nonce_takes_the_stream_up_again_once(session: Session) -> None:
    sit_down(session)
    assert accepted(session, resume_nonce=NONCE)
    await lose_stream(session)
    assert accepted(session, resume_nonce=NONCE)
    sit_down(session, b"m" * 16)
    assert refused(session, resume_nonce=NONCE) == (
        Status.PERMISSION_DENIED,
        "that is not the resume nonce of the last Welcome; each works once",
    )
    assert accepted(session, resume_nonce=b"m" * 16)


@pytest.mark.parametrize("nonce", [b"n", b"x" * 16, NONCE + b"n"])
def test_a_wrong_nonce(session: Session, nonce: bytes) -> None:
    sit_down(session)
    assert refused(session, resume_nonce=nonce)[0] is Status.PERMISSION_DENIED


async def test_the_token_alone_does_not_take_a_lost_stream_up(session: Session) -> None:
    sit_down(session)
    await lose_stream(session)
    assert refused(session)[0] is Status.ALREADY_EXISTS


async def test_up_to_the_end_of_the_grace(session: Session, timers: ManualTimers) -> None:
    sit_down(session)
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    session.watch(exited)
    await lose_stream(session)
    timers.advance(GRACE_US)
    assert accepted(session, resume_nonce=NONCE)
    timers.advance(1)
    # That the process has ended would be waited for longer.
    assert session.loss is None
    assert refused(session, resume_nonce=NONCE)[0] is Status.DEADLINE_EXCEEDED
    exited.cancel()


def test_a_bot_that_is_lost(session: Session) -> None:
    sit_down(session)
    session.lost(Infraction.FLOOD, "65 messages in one element")
    assert refused(session, resume_nonce=NONCE) == (
        Status.DEADLINE_EXCEEDED,
        "the referee no longer waits for this bot: 65 messages in one element",
    )


async def test_a_bot_that_was_told_goodbye(session: Session) -> None:
    sit_down(session)
    await session.close()
    assert refused(session, resume_nonce=NONCE) == (
        Status.DEADLINE_EXCEEDED,
        "the referee no longer waits for this bot",
    )


def test_more_elements_than_were_sent(session: Session) -> None:
    sit_down(session)
    assert refused(session, resume_nonce=NONCE, received=1)[0] is Status.OUT_OF_RANGE
    assert accepted(session, resume_nonce=NONCE, received=0)


def test_a_stream_is_not_taken_up_without_end(session: Session) -> None:
    sit_down(session)
    for _ in range(MOST_RESUMES):
        assert accepted(session, resume_nonce=NONCE)
        sit_down(session)
    session.tell(MATCH_START)
    # In each match anew.
    assert session.resumes == 0
    for _ in range(MOST_RESUMES):
        sit_down(session)
    assert refused(session, resume_nonce=NONCE)[0] is Status.RESOURCE_EXHAUSTED
    assert session.loss is not None
    assert session.loss.kind is Infraction.DISCONNECTED
    assert session.absence == "its stream was taken up again 100 times in one match"


async def test_a_hello_of_any_size_is_not_read(timers: ManualTimers) -> None:
    stream = MemoryStream()
    stream.end(bytes(MOST_MESSAGE_BYTES + 1))
    with pytest.raises(RefusedError, match="65537 bytes: 65536 are read") as caught:
        await read_hello(stream, None, timers)
    assert caught.value.status is Status.RESOURCE_EXHAUSTED


async def test_a_hello_as_large_as_may_be(timers: ManualTimers) -> None:
    stream = MemoryStream()
    element = play_pb2.PlayRequest(messages=[hello("t" * (MOST_MESSAGE_BYTES - 14))])
    stream.end(element.SerializeToString())
    assert element.ByteSize() == MOST_MESSAGE_BYTES
    assert await read_hello(stream, None, timers) == element.messages[0].hello
