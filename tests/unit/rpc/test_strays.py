"""What a bot sends that is no answer to what it was asked, or too much of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from elfer.v1 import play_pb2
from referee.match.conduct import Infraction
from referee.match.player import Fault, Reply
from referee.rpc.inbox import (
    MOST_MESSAGE_BYTES,
    MOST_MESSAGES,
    MOST_STRAYS,
    MOST_UNASKED_BYTES,
)
from tests.support.rpc import (
    MATCH_ID,
    MATCH_START,
    Seated,
    answer,
    ask,
    hello,
    resign,
)

GARBAGE = b"\xff\xff\xff"
EMPTY = b""
NO_BODY = play_pb2.PlayRequest(messages=[play_pb2.BotMessage()]).SerializeToString()
SECOND_HELLO = play_pb2.PlayRequest(messages=[hello("token")]).SerializeToString()


@pytest.fixture
async def seat() -> AsyncIterator[Seated]:
    async with Seated() as seated:
        yield seated


async def test_a_stale_answer_does_not_answer_the_next_question(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1001)
    await asking
    asking = await seat.asked("b")
    await seat.send(answer("a", (99,)), answer("b", (12,)))
    reply = await asking
    assert isinstance(reply, Reply)
    assert reply.answer == (12,)
    assert seat.session.strays() == ()


async def test_an_answer_that_is_late_for_the_last_match_is_no_breach_of_the_next(
    seat: Seated,
) -> None:
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1001)
    await asking
    seat.session.tell(replace(MATCH_START, match_id="next"))
    await seat.send(answer("a"))
    await seat.send(resign())
    assert seat.stray_kinds() == []
    asking = await seat.asked("b")
    await seat.send(answer("b", match_id="next"))
    assert isinstance(await asking, Reply)


async def test_an_early_answer_is_a_breach_and_leaves_the_question_open(seat: Seated) -> None:
    await seat.send(answer("a"))
    asking = await seat.asked("b")
    await seat.send(answer("c"))
    assert seat.stray_kinds() == [Infraction.EARLY, Infraction.EARLY]
    assert not asking.done()
    await seat.send(answer("b"))
    assert isinstance(await asking, Reply)


async def test_a_second_answer_is_a_breach(seat: Seated) -> None:
    asking = await seat.asked("a")
    await seat.send(answer("a", (10,)), answer("a", (12,)))
    reply = await asking
    assert isinstance(reply, Reply)
    assert reply.answer == (10,)
    assert seat.stray_kinds() == [Infraction.DUPLICATE]


async def test_an_answer_to_an_earlier_turn_is_stale(seat: Seated) -> None:
    for request_id in "ab":
        asking = await seat.asked(request_id)
        await seat.send(answer(request_id))
        await asking
    asking = await seat.asked("c")
    await seat.send(answer("a"), answer("b"), answer("d"), answer("c"))
    assert isinstance(await asking, Reply)
    assert seat.stray_kinds() == [Infraction.STALE, Infraction.DUPLICATE, Infraction.EARLY]


async def test_only_the_first_answer_that_is_too_late_is_dropped(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=1000)
    seat.timers.advance(1001)
    await asking
    asking = await seat.asked("b")
    await seat.send(answer("b"), answer("a"), answer("a"), answer("b"))
    await asking
    assert seat.stray_kinds() == [Infraction.STALE, Infraction.DUPLICATE]


@pytest.mark.parametrize("request_id", ["a", "unknown"])
async def test_an_answer_for_another_match_leaves_the_question_open(
    seat: Seated, request_id: str
) -> None:
    asking = await seat.asked("a")
    await seat.send(answer(request_id, match_id="other"))
    assert seat.stray_kinds() == [Infraction.WRONG_SEAT]
    await seat.send(answer("a"))
    assert isinstance(await asking, Reply)


async def test_a_resignation_from_another_match_is_a_breach(seat: Seated) -> None:
    await seat.send(resign("other"))
    assert seat.stray_kinds() == [Infraction.WRONG_SEAT]


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        (GARBAGE, Infraction.MALFORMED),
        (EMPTY, Infraction.MALFORMED),
        (NO_BODY, Infraction.MALFORMED),
        (SECOND_HELLO, Infraction.PROTOCOL_VIOLATION),
    ],
    ids=["garbage", "empty", "no body", "second hello"],
)
async def test_what_cannot_be_an_answer(seat: Seated, element: bytes, kind: Infraction) -> None:
    asking = await seat.asked("a")
    await seat.stream.send(element)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is kind
    assert seat.stray_kinds() == []
    await seat.stream.send(element)
    assert seat.stray_kinds() == [kind]


async def test_an_answer_without_a_game_in_it_is_malformed(seat: Seated) -> None:
    asking = await seat.asked("a")
    message = answer("a")
    message.answer.ClearField("elfer_raus")
    await seat.send(message)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.MALFORMED


async def test_strays_of_one_match_are_not_held_against_the_next(seat: Seated) -> None:
    await seat.send(answer("early"))
    seat.session.tell(replace(MATCH_START, match_id="next"))
    assert seat.stray_kinds() == []


async def test_too_many_strays_are_a_flood(seat: Seated) -> None:
    asking = await seat.asked("a")
    for _ in range(MOST_STRAYS):
        await seat.send(answer("early"))
    assert len(seat.session.strays()) == MOST_STRAYS
    assert not asking.done()
    seat.stream.end(play_pb2.PlayRequest(messages=[answer("early")]).SerializeToString())
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.FLOOD
    await seat.conversation


@pytest.mark.parametrize("match_id", [MATCH_ID, "next"], ids=["the last match", "this match"])
async def test_resignations_without_end_are_a_flood(seat: Seated, match_id: str) -> None:
    """None is ruled on; reading them costs the others their time all the same."""
    seat.session.tell(replace(MATCH_START, match_id="next"))
    many = [resign(match_id)] * MOST_MESSAGES
    await seat.send(*many)
    assert seat.stray_kinds() == []
    seat.stream.end(play_pb2.PlayRequest(messages=many).SerializeToString())
    await seat.conversation
    assert seat.session.loss is not None
    assert seat.session.loss.kind is Infraction.FLOOD


async def test_too_many_messages_in_one_element_are_a_flood(seat: Seated) -> None:
    messages = [answer("early")] * (MOST_MESSAGES + 1)
    seat.stream.end(play_pb2.PlayRequest(messages=messages).SerializeToString())
    await seat.conversation
    fault = await seat.session.ask(ask("a"))
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.FLOOD
    assert seat.stray_kinds() == []


async def test_an_element_over_the_limit_is_a_flood_and_not_parsed(seat: Seated) -> None:
    asking = await seat.asked("a")
    seat.stream.end(bytes(MOST_MESSAGE_BYTES + 1))
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.FLOOD
    assert fault.detail == "an element of 65537 bytes"
    await seat.conversation


async def test_bytes_without_end_are_a_flood(seat: Seated) -> None:
    """Though they are few messages, as large as each may be."""
    many = MOST_UNASKED_BYTES // MOST_MESSAGE_BYTES
    for _ in range(many):
        await seat.stream.send(bytes(MOST_MESSAGE_BYTES))
    assert seat.stray_kinds() == [Infraction.MALFORMED] * many
    assert seat.session.alive
    seat.stream.end(b"x")
    await seat.conversation
    assert seat.session.loss is not None
    assert seat.session.loss.kind is Infraction.FLOOD
    assert "bytes that were not asked for" in seat.session.absence


async def test_every_question_and_every_match_allows_for_more_bytes(seat: Seated) -> None:
    many = MOST_UNASKED_BYTES // MOST_MESSAGE_BYTES
    for match_id in ("one", "two"):
        seat.session.tell(replace(MATCH_START, match_id=match_id))
        asking = await seat.asked(match_id)
        for _ in range(many + 1):
            await seat.stream.send(bytes(MOST_MESSAGE_BYTES))
        await asking
        assert len(seat.stray_kinds()) == many
    assert seat.session.alive
