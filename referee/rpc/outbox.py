"""What is to be sent to a seat, over all its streams."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from elfer.v1 import play_pb2

MOST_KEPT_BYTES: Final = 16 * 2**20
"""Of elements that are to be sent, or may have to be sent again.

A bot that is started again is told its match: 1000 games of 935 turns (§8) are 12 MiB.
"""


class Outbox:
    """Gathers messages into stream elements and feeds them to one writer at a time.

    Filling it never waits, so a bot that does not read holds nobody up. Elements are numbered
    from 0. What was written is kept, as far as there is room, until the bot shows that it has
    come: the next stream may have to carry it again.
    """

    def __init__(self) -> None:
        self._gathering = play_pb2.PlayResponse()
        self._kept: Final[deque[bytes]] = deque()
        self._kept_bytes = 0
        self._first = 0
        """The number of the first that is kept."""
        self._next = 0
        """The number of the first that was not written."""
        self._changed: Final = asyncio.Event()
        self._closed = False

    def message(self) -> play_pb2.RefereeMessage:
        """A new message to be filled in, sent with the next flush."""
        return self._gathering.messages.add()

    def flush(self) -> None:
        """Send all messages since the last flush, as one element."""
        element = self._gathering.SerializeToString()
        self._gathering = play_pb2.PlayResponse()
        self._kept.append(element)
        self._kept_bytes += len(element)
        while self.overfull and self._first < self._next:
            self._drop_first()
        self._changed.set()

    @property
    def overfull(self) -> bool:
        """More waits to be written than anybody is to keep."""
        return self._kept_bytes > MOST_KEPT_BYTES

    @property
    def written(self) -> bool:
        """Nothing waits to be written."""
        return self._next == self._end

    def forget(self) -> None:
        """Nothing that was flushed will have to be written any more, or again."""
        self._first = self._next = self._end
        self._kept.clear()
        self._kept_bytes = 0

    def has(self, received: int) -> bool:
        """Whether a bot that has so many elements can be sent what it lacks."""
        return self._first <= received <= self._end

    def go_on_after(self, received: int) -> None:
        """The bot has so many elements, which ``has`` allows: the rest is written again."""
        self._next = received
        self._changed.set()

    def close(self) -> None:
        """Nothing more follows what was flushed."""
        self._closed = True
        self._changed.set()

    async def drain(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write every element in order, until the outbox is closed and all is written."""
        while True:
            while not self.written:
                number = self._next
                await write(self._kept[number - self._first])
                # Before the write returns the bot may have answered, and all be forgotten.
                self._next = max(self._next, number + 1)
            if self._closed:
                return
            self._changed.clear()
            await self._changed.wait()

    @property
    def _end(self) -> int:
        return self._first + len(self._kept)

    def _drop_first(self) -> None:
        self._kept_bytes -= len(self._kept.popleft())
        self._first += 1
