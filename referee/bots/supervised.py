"""Bots under a supervisor of their own: Linux.

What the supervisor cannot hold is its own death by SIGKILL. Then the kernel kills the bot
(parent-death signal), and what the bot had started comes to this process, a sub-reaper too,
which ends it. Two cases remain: referee and supervisor killed in the same instant while the
bot has further processes, and a bot that kills everything its user owns. Both need a sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from typing import IO, TYPE_CHECKING, Final

from referee.bots import supervisor
from referee.bots.process import (
    GRACE_US,
    BotProcess,
    Exit,
    Start,
    StartFailure,
    refusal,
)
from referee.core.errors import HostFault

if TYPE_CHECKING:
    from collections.abc import Callable

_START_LIMIT: Final = 30.0
"""Seconds for the supervisor to run the command, which takes it a few hundredths."""

_STOP_LIMIT: Final = supervisor.KILL_LIMIT + 5
"""Seconds beyond the grace after which a supervisor counts as stuck."""

_DRAIN_LIMIT: Final = 1.0
"""Seconds for the last output, if something that is left holds the pipe open."""

_SWEEP_PAUSE: Final = 0.02

_REPORT: Final = re.compile(rb"(started|refused|fault|exit|signal) ([0-9]{1,10})")
_LONGEST_REPORT: Final = 32
"""Bytes; more than that without a line end is none."""

_supervisors: set[int] = set()
"""Process ids of the supervisors that this process has started and not yet reaped."""


async def start_supervised(start: Start) -> BotProcess | StartFailure:
    """Start a bot under its supervisor; raises HostFault where the host does not let us."""
    try:
        supervisor.become_subreaper()
        popen = _start_supervisor(start)
    except OSError as error:
        raise HostFault(f"cannot start a process: {error.strerror}") from error
    _supervisors.add(popen.pid)
    return await _SupervisedBot(start, popen).begin()


def _start_supervisor(start: Start) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", supervisor.__file__, str(os.getpid()), *start.command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=start.folder,
        env=start.environment,
        start_new_session=True,
    )


class _Pipe(asyncio.Protocol):
    """Hands on what arrives, and knows when the other end is closed."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self.closed = asyncio.Event()
        self._receive = receive

    def data_received(self, data: bytes) -> None:
        self._receive(data)

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed.set()


class _SupervisedBot(BotProcess):
    def __init__(self, start: Start, popen: subprocess.Popen[bytes]) -> None:
        super().__init__(start)
        self.root = popen.pid
        self._popen = popen
        self._reports = b""
        self._first_report: asyncio.Future[tuple[str, int] | None] = (
            self.exited.get_loop().create_future()
        )
        self._ended = asyncio.create_task(self._watch())

    async def begin(self) -> BotProcess | StartFailure:
        """Wait until the command runs or has turned out not to."""
        try:
            async with asyncio.timeout(_START_LIMIT):
                report = await asyncio.shield(self._first_report)
        except TimeoutError as error:
            self._popen.kill()
            await asyncio.shield(self._ended)
            raise HostFault("the supervisor of a bot did not start in time") from error
        except asyncio.CancelledError:
            self._hang_up()
            await asyncio.shield(self._ended)
            raise
        if report is not None and report[0] == "started":
            return self
        await asyncio.shield(self._ended)
        match report:
            case "refused", number:
                return refusal(self._start.command, number)
            case "fault", number:
                raise HostFault(f"cannot start a process: {os.strerror(number)}")
            case _:
                raise HostFault("the supervisor of a bot ended before it had started the bot")

    async def stop(self, grace_us: int = GRACE_US) -> None:
        self._ask_to_stop(grace_us)
        await asyncio.wait({self._ended}, timeout=grace_us / 1_000_000 + _STOP_LIMIT)
        if not self._ended.done():
            # Stopped or stuck. What is left of the tree then comes to this process.
            self._popen.kill()
        await asyncio.shield(self._ended)

    def _ask_to_stop(self, grace_us: int) -> None:
        # Its bot may have stopped it.
        self._popen.send_signal(signal.SIGCONT)
        control = _pipe_of(self._popen.stdin)
        # A supervisor that is gone has nothing left to stop.
        with contextlib.suppress(OSError):
            if not control.closed:
                control.write(b"%d\n" % (grace_us // 1000))

    def _hang_up(self) -> None:
        _pipe_of(self._popen.stdin).close()

    async def _watch(self) -> None:
        """Follow the process from its first output until nothing of it is left."""
        loop = asyncio.get_running_loop()
        reports, output = _Pipe(self._take_reports), _Pipe(self._start.log.feed)
        await loop.connect_read_pipe(lambda: reports, _pipe_of(self._popen.stdout))
        reading, _ = await loop.connect_read_pipe(lambda: output, _pipe_of(self._popen.stderr))
        await reports.closed.wait()
        # Its files were closed because it ended: this takes no time worth a thread.
        status = self._popen.wait()
        _supervisors.discard(self._popen.pid)
        if status != 0 and not await _end_orphans():
            self._start.log.note("some of its processes cannot be killed and are left behind")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(output.closed.wait(), _DRAIN_LIMIT)
        reading.close()
        self._hang_up()
        if not self._first_report.done():
            self._first_report.set_result(None)
        self._set_exit(Exit(signal=signal.SIGKILL, supervisor_lost=True))
        await asyncio.to_thread(self._start.scratch.remove)

    def _take_reports(self, data: bytes) -> None:
        # A bot of our own user can write here too. What it forges says it of itself alone,
        # and what is no report is passed over, lest it break what reads them.
        *lines, rest = (self._reports + data).split(b"\n")
        self._reports = rest[:_LONGEST_REPORT]
        for line in lines:
            match = _REPORT.fullmatch(line)
            if match is not None:
                self._take_report(match[1].decode("ascii"), int(match[2]))

    def _take_report(self, kind: str, number: int) -> None:
        if not self._first_report.done():
            self._first_report.set_result((kind, number))
            if kind == "started":
                self.pid = number
        elif kind == "exit":
            self._set_exit(Exit(status=number))
        elif kind == "signal":
            self._set_exit(Exit(signal=number))


def _pipe_of(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "all three pipes are asked for"
    return pipe


async def _end_orphans() -> bool:
    """End what a lost supervisor has left to us; False where some of it will not die."""
    give_up_at = time.monotonic() + supervisor.KILL_LIMIT
    while supervisor.kill_trees(_orphans):
        _reap_orphans()
        if time.monotonic() > give_up_at:
            return False
        await asyncio.sleep(_SWEEP_PAUSE)
    return True


def _orphans(table: dict[int, int]) -> list[int]:
    """Our children that descend from a bot: whoever does is in another session for good.

    What the referee starts besides its supervisors stays in its own session.
    """
    return [pid for pid in supervisor.children(table) if _is_foreign(pid)]


def _is_foreign(pid: int) -> bool:
    try:
        return pid not in _supervisors and os.getsid(pid) != os.getsid(0)
    except ProcessLookupError:
        return False


def _reap_orphans() -> None:
    for pid in _orphans(supervisor.parents()):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
