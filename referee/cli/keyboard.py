"""What a person types, line by line, while everything else goes on."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from typing import Final

_CHUNK: Final = 4096
_LONGEST: Final = 65_536
"""Bytes of a line; what is longer is no answer, and is cut."""


class Lines:
    """The lines of a file descriptor: a terminal, a pipe or a file.

    It is read in a thread, as no loop can wait for all three. The thread is a daemon and reads
    past Python's buffers: one that still waits when the program ends holds nothing up.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor: Final = descriptor
        self._read_ahead = b""
        self._reading: asyncio.Future[bytes] | None = None

    async def line(self) -> str | None:
        """The next line, without its end; ``None`` when there is none any more.

        Where a call before was cancelled, what was typed for it by now is dropped.
        """
        if self._reading is not None and self._reading.done():
            self._reading = None
        while b"\n" not in self._read_ahead and len(self._read_ahead) < _LONGEST:
            more = await self._more()
            if not more:
                last, self._read_ahead = self._read_ahead, b""
                return last.decode(errors="replace") or None
            self._read_ahead += more
        line, _, self._read_ahead = self._read_ahead.partition(b"\n")
        return line.decode(errors="replace")

    async def _more(self) -> bytes:
        if self._reading is None:
            loop = asyncio.get_running_loop()
            self._reading = loop.create_future()
            reader = threading.Thread(target=self._read, args=(loop, self._reading), daemon=True)
            reader.start()
        read = await asyncio.shield(self._reading)
        self._reading = None
        return read

    def _read(self, loop: asyncio.AbstractEventLoop, reading: asyncio.Future[bytes]) -> None:
        try:
            read = os.read(self._descriptor, _CHUNK)
        except OSError:
            # A terminal that went away has no more lines either.
            read = b""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(reading.set_result, read)
