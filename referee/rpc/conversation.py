"""One stream of a seat, carried from its welcome to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from referee.rpc.outbox import Outbox


class StreamEndedError(Exception):
    """The stream takes no more."""


class Stream(Protocol):
    """The bytes to and from one bot, element by element."""

    async def read(self) -> bytes | None:
        """The next element; ``None``: the stream has ended."""
        ...

    async def write(self, element: bytes) -> None:
        """Raises ``StreamEndedError``."""
        ...


class Conversation:
    """Reads a stream into ``take`` and writes ``outbox`` to it, each at its own pace.

    ``take`` may well end the conversation. ``fail`` is given whatever error is ours.
    """

    def __init__(
        self,
        stream: Stream,
        welcome: bytes,
        outbox: Outbox,
        take: Callable[[bytes], None],
        fail: Callable[[Exception], None],
    ) -> None:
        self._stream: Final = stream
        self._welcome: Final = welcome
        self._outbox: Final = outbox
        self._take: Final = take
        self._fail: Final = fail
        self._tasks: Final = [
            asyncio.create_task(self._one_way(way)) for way in (self._read, self._write)
        ]
        self.ended: Final = asyncio.Event()

    async def carry(self) -> None:
        """Until the stream ends, the outbox is closed and empty, or somebody calls ``end``."""
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Nothing is awaited here: gRPC may cancel us at this point as well.
            self.end()
            self.ended.set()

    def end(self) -> None:
        """Nothing more is read or written."""
        for task in self._tasks:
            task.cancel()

    async def _one_way(self, way: Callable[[], Awaitable[None]]) -> None:
        try:
            await way()
        except StreamEndedError:
            pass
        except Exception as error:  # noqa: BLE001 - whoever asks gets it
            self._fail(error)

    async def _read(self) -> None:
        while (element := await self._stream.read()) is not None:
            self._take(element)

    async def _write(self) -> None:
        await self._stream.write(self._welcome)
        await self._outbox.drain(self._stream.write)
