"""Lines from a descriptor, awaited while everything else goes on."""

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from referee.cli.keyboard import Lines


class Pipe(NamedTuple):
    lines: Lines
    write: Callable[[bytes], int]
    end: Callable[[], None]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    reader, writer = os.pipe()
    open_ends = {reader, writer}

    def end() -> None:
        open_ends.discard(writer)
        os.close(writer)

    yield Pipe(Lines(reader), lambda data: os.write(writer, data), end)
    for descriptor in open_ends:
        os.close(descriptor)


async def test_lines_come_one_by_one_however_they_were_written(pipe: Pipe) -> None:
    pipe.write(b"R12 R13\n\nq\r\nR")
    assert [await pipe.lines.line() for _ in range(3)] == ["R12 R13", "", "q\r"]
    pipe.write(b"7\nlast")
    assert await pipe.lines.line() == "R7"
    pipe.end()
    assert [await pipe.lines.line() for _ in range(3)] == ["last", None, None]


async def test_the_loop_goes_on_meanwhile(pipe: Pipe) -> None:
    waiting = asyncio.create_task(pipe.lines.line())
    await asyncio.sleep(0)
    assert not waiting.done()
    pipe.write(b"here\n")
    assert await waiting == "here"


async def test_what_was_typed_for_a_question_that_is_over_is_dropped(pipe: Pipe) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pipe.lines.line(), 0.001)
    abandoned = pipe.lines._reading
    assert abandoned is not None
    pipe.write(b"late\n")
    assert await abandoned == b"late\n"
    asked = asyncio.create_task(pipe.lines.line())
    await asyncio.sleep(0)
    pipe.write(b"now\n")
    assert await asked == "now"


async def test_a_line_begun_for_the_last_question_can_be_ended_for_the_next(pipe: Pipe) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pipe.lines.line(), 0.001)
    asked = asyncio.create_task(pipe.lines.line())
    await asyncio.sleep(0)
    pipe.write(b"R12\n")
    assert await asked == "R12"


async def test_what_is_no_text_is_replaced_and_what_has_no_end_is_cut(pipe: Pipe) -> None:
    pipe.write(b"\xff\xfe\n")
    assert await pipe.lines.line() == "\ufffd\ufffd"
    asked = asyncio.create_task(pipe.lines.line())
    for _ in range(20):
        await asyncio.to_thread(pipe.write, b"x" * 4096)
    assert len(await asked or "") >= 65_536


async def test_a_descriptor_that_cannot_be_read_has_no_lines() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    assert await Lines(writer).line() is None


def test_a_reader_that_still_waits_outlives_its_loop(pipe: Pipe) -> None:
    async def begin() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pipe.lines.line(), 0.001)

    asyncio.run(begin())
    pipe.write(b"too late\n")
