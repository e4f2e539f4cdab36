"""A relay between bots and a server, whose connections a test can cut."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from referee.rpc.endpoint import LOOPBACK


class Relay:
    def __init__(self, target: str) -> None:
        self._target: Final = target
        self._writers: Final[list[tuple[asyncio.StreamWriter, asyncio.StreamWriter]]] = []
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self.address = ""

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._target.split(":")
        onward_reader, onward_writer = await asyncio.open_connection(host, int(port))
        self._writers.append((writer, onward_writer))
        for source, sink in ((reader, onward_writer), (onward_reader, writer)):
            task = asyncio.create_task(_copy(source, sink))
            self._tasks.add(task)

    def cut(self) -> None:
        """End every connection, at both ends."""
        for bot, server in self._writers:
            bot.close()
            server.close()
        self._writers.clear()

    def cut_silently(self) -> None:
        """End every connection at the bot's end; the server hears nothing of it."""
        for task in self._tasks:
            task.cancel()
        for bot, _ in self._writers:
            bot.close()

    async def end(self) -> None:
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()


@contextlib.asynccontextmanager
async def relay_to(target: str) -> AsyncIterator[Relay]:
    """``target`` is a server on TCP."""
    relay = Relay(target)
    server = await asyncio.start_server(relay.carry, LOOPBACK)
    relay.address = "{}:{}".format(*server.sockets[0].getsockname())
    try:
        yield relay
    finally:
        server.close()
        await relay.end()
        await server.wait_closed()
