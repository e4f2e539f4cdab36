"""Bots without a supervisor: macOS, Windows and wherever else Linux's means are missing.

Good enough to write and debug a bot. What is missing: when the referee is killed, bots live
on until they notice that their connection is gone, and a process that outlives the bot is
found only while it stays in the bot's process group (on Windows: not at all).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import psutil

from referee.bots.process import (
    GRACE_US,
    BotProcess,
    Exit,
    Start,
    StartFailure,
    refusal,
)

_DRAIN_LIMIT: Final = 1.0
"""Seconds for the last output, if something that is left holds the pipe open."""


async def start_plain(start: Start) -> BotProcess | StartFailure:
    """Start a bot in a process group of its own; raises HostFault where the host is at fault."""
    program = _program(start)
    if program is None:
        return refusal(start.command, errno.ENOENT)
    try:
        transport, output = await asyncio.get_running_loop().subprocess_exec(
            lambda: _Output(start),
            program,
            *start.command[1:],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=start.folder,
            env=start.environment,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        return refusal(start.command, error.errno or errno.EIO)
    return _PlainBot(start, transport, output)


def _program(start: Start) -> str | None:
    """Find the program as the bot would: the search differs between platforms otherwise."""
    name = start.command[0]
    if name != Path(name).name:
        return os.path.join(start.folder, name)  # noqa: PTH118 - pathlib drops the "./"
    return shutil.which(name, path=start.environment["PATH"])


class _Output(asyncio.SubprocessProtocol):
    def __init__(self, start: Start) -> None:
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self._log = start.log

    def pipe_data_received(self, _fd: int, data: bytes) -> None:
        self._log.feed(data)

    def pipe_connection_lost(self, _fd: int, _error: Exception | None) -> None:
        self.closed.set()

    def process_exited(self) -> None:
        self.exited.set()


class _PlainBot(BotProcess):
    def __init__(
        self, start: Start, transport: asyncio.SubprocessTransport, output: _Output
    ) -> None:
        super().__init__(start)
        self.pid = self.root = transport.get_pid()
        self._transport = transport
        self._output = output
        self._ended = asyncio.create_task(self._watch())

    async def stop(self, grace_us: int = GRACE_US) -> None:
        if not self._output.exited.is_set():
            for process in self._tree():
                with contextlib.suppress(psutil.Error):
                    process.terminate()
            await asyncio.wait({self._ended}, timeout=grace_us / 1_000_000)
            for process in self._tree():
                with contextlib.suppress(psutil.Error):
                    process.kill()
        await asyncio.shield(self._ended)

    def _tree(self) -> list[psutil.Process]:
        try:
            bot = psutil.Process(self.pid)
            return [bot, *bot.children(recursive=True)]
        except psutil.Error:
            return []

    async def _watch(self) -> None:
        await self._output.exited.wait()
        code = self._transport.get_returncode() or 0
        self._set_exit(Exit(status=code) if code >= 0 else Exit(signal=-code))
        if sys.platform != "win32":
            # The bot led its group, which keeps its number while anything is left of it.
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._output.closed.wait(), _DRAIN_LIMIT)
        self._transport.close()
        await asyncio.to_thread(self._start.scratch.remove)
