"""What is kept to be sent again, and how much of it."""

from __future__ import annotations

import asyncio

import pytest

from elfer.v1 import play_pb2
from referee.rpc.outbox import MOST_KEPT_BYTES, Outbox


def say(outbox: Outbox, text: str) -> None:
    outbox.message().goodbye.text = text
    outbox.flush()


def texts(elements: list[bytes]) -> list[str]:
    return [play_pb2.PlayResponse.FromString(one).messages[0].goodbye.text for one in elements]


async def written(outbox: Outbox) -> list[str]:
    """What a writer that takes everything is given by now."""
    elements: list[bytes] = []

    async def write(element: bytes) -> None:
        elements.append(element)

    draining = asyncio.create_task(outbox.drain(write))
    await asyncio.sleep(0)
    assert outbox.written
    draining.cancel()
    await asyncio.gather(draining, return_exceptions=True)
    return texts(elements)


async def test_the_next_writer_goes_on_where_the_last_one_stopped() -> None:
    outbox = Outbox()
    say(outbox, "one")
    assert await written(outbox) == ["one"]
    say(outbox, "two")
    assert await written(outbox) == ["two"]


@pytest.mark.parametrize(("received", "again"), [(0, ["one", "two"]), (1, ["two"]), (2, [])])
async def test_what_was_not_received_is_written_again(received: int, again: list[str]) -> None:
    outbox = Outbox()
    say(outbox, "one")
    say(outbox, "two")
    await written(outbox)
    assert outbox.has(received)
    outbox.go_on_after(received)
    say(outbox, "three")
    assert await written(outbox) == [*again, "three"]


async def test_what_was_received_is_not_written_though_its_write_had_not_returned() -> None:
    outbox = Outbox()
    say(outbox, "one")
    outbox.go_on_after(1)
    assert await written(outbox) == []


async def test_a_write_that_failed_is_made_again() -> None:
    outbox = Outbox()
    say(outbox, "one")

    async def broken(_: bytes) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await outbox.drain(broken)
    assert await written(outbox) == ["one"]


async def test_what_the_bot_has_shown_to_have_is_let_go() -> None:
    outbox = Outbox()
    say(outbox, "one")
    await written(outbox)
    outbox.forget()
    say(outbox, "two")
    assert [outbox.has(received) for received in range(4)] == [False, True, True, False]
    assert await written(outbox) == ["two"]


async def test_an_answer_may_come_before_the_write_of_its_question_returns() -> None:
    outbox = Outbox()
    taken = asyncio.Event()
    elements: list[bytes] = []

    async def slow(element: bytes) -> None:
        elements.append(element)
        await taken.wait()

    draining = asyncio.create_task(outbox.drain(slow))
    say(outbox, "one")
    await asyncio.sleep(0)
    outbox.forget()
    say(outbox, "two")
    taken.set()
    outbox.close()
    await draining
    assert texts(elements) == ["one", "two"]


async def test_no_more_is_kept_than_there_is_room_for() -> None:
    outbox = Outbox()
    say(outbox, "one")
    await written(outbox)
    say(outbox, "x" * (MOST_KEPT_BYTES - 20))
    assert not outbox.has(0)
    assert outbox.has(1)
    assert not outbox.overfull
    say(outbox, "three")
    assert outbox.overfull
