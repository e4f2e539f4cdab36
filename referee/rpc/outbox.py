"""What waits to be sent to a seat."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from elfer.v1 import play_pb2


class Outbox:
    """Gathers messages into stream elements and feeds them to one writer.

    Filling it never waits, so a bot that does not read holds nobody up.
    """

    def __init__(self) -> None:
        self._gathering = play_pb2.PlayResponse()
        self._elements: Final[deque[bytes]] = deque()
        self._changed: Final = asyncio.Event()
        self._closed = False
        self.unsent_bytes = 0
        """Of the elements that the transport has not taken."""

    def message(self) -> play_pb2.RefereeMessage:
        """A new message to be filled in, sent with the next flush."""
        return self._gathering.messages.add()

    def flush(self) -> None:
        """Send all messages since the last flush, as one element."""
        element = self._gathering.SerializeToString()
        self._gathering = play_pb2.PlayResponse()
        self._elements.append(element)
        self.unsent_bytes += len(element)
        self._changed.set()

    def close(self) -> None:
        """Nothing more follows what was flushed."""
        self._closed = True
        self._changed.set()

    async def drain(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write every element in order, until the outbox is closed and empty."""
        while True:
            while self._elements:
                element = self._elements.popleft()
                await write(element)
                self.unsent_bytes -= len(element)
            if self._closed:
                return
            self._changed.clear()
            await self._changed.wait()
