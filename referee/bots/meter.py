"""Measures, on Linux, who is kept waiting for a CPU while a bot is asked."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from threading import get_native_id
from typing import Final, NamedTuple

from referee.bots.process import BotProcess
from referee.bots.reckoning import Look, Reckoning
from referee.bots.threads import PROC, Thread, Threads, threads_below, threads_of
from referee.match.excuse import BotWaits, Waits

_NOTHING: Final = Waits(bot=BotWaits(0, 0, 0, 0, 0, 1.0))


class Host:
    """The machine, as the thread sees it that makes this; it has to be the event loop's.

    Raises ``OSError`` or ``ValueError`` where the machine does not tell how long threads wait.
    """

    def __init__(self, proc: Path = PROC) -> None:
        self.cpus: Final = os.cpu_count() or 1
        self._proc: Final = proc
        self._loop: Final = Thread(f"{proc}/self/task/{get_native_id()}")
        self._loadavg: Final = os.open(proc / "loadavg", os.O_RDONLY)
        self.runnable()

    def runnable(self) -> int:
        """How many threads run or wait to run, this one left out."""
        return int(os.pread(self._loadavg, 64, 0).split()[3].partition(b"/")[0]) - 1

    def loop_times(self) -> tuple[int, int]:
        """How long this thread has run and waited to run, in nanoseconds."""
        self._loop.read(0)
        return self._loop.ran, self._loop.waited

    def referee(self) -> Threads:
        """The other threads of this process."""
        loop = f"{self._proc}/self/task/{get_native_id()}"
        return Threads(lambda: (t for t in threads_of(f"{self._proc}/self") if t != loop))

    def tree(self, root: int) -> Threads:
        """The threads of a process and of all that descends from it."""
        return Threads(lambda: threads_below(root, self._proc))


class ProcMeter:
    """Measures the questions to one bot: the process ``pid``, in the tree below ``root``.

    It meets the port that ``referee.rpc.meter`` has for it.
    """

    def __init__(self, host: Host, pid: int, root: int) -> None:
        self._host: Final = host
        self._root: Final = root
        # So does the kernel number the CPU clock of another process.
        self._clock: Final = (~pid << 3) | 2

    def cpu_us(self) -> int | None:
        """Microseconds of all threads of the bot's own process, while there is one."""
        try:
            return time.clock_gettime_ns(self._clock) // 1000
        except OSError:
            return None

    def start(self, now: int) -> ProcMeasurement:
        """A question goes out, ``now`` in nanoseconds of a monotonic clock."""
        return ProcMeasurement(self._host, self._root, now)


class ProcMeasurement:
    """One question. Before the first tick nothing is looked at but the event loop."""

    def __init__(self, host: Host, root: int, now: int) -> None:
        self._host: Final = host
        self._root: Final = root
        self._reckoning: Final = Reckoning(now, host.cpus)
        self._loop = host.loop_times()
        self._seen_at = now
        self._ticks = 0
        self._threads: _Threads | None = None

    def tick(self, now: int, late_ns: int) -> None:
        """Look at everything; that comes so much later than it was asked for."""
        passed, self._seen_at = now - self._seen_at, now
        ran, waited = self._loop
        self._loop = self._host.loop_times()
        loop_ran, loop_waited = self._loop[0] - ran, self._loop[1] - waited
        if self._threads is None:
            self._threads = _Threads(self._host.referee(), self._host.tree(self._root), now)
        elif self._ticks & (self._ticks - 1) == 0:
            # Ever more seldom: it takes longer than all the rest.
            self._threads.referee.look_for_more()
            self._threads.bot.look_for_more()
        self._ticks += 1
        referee, bot = self._threads.referee, self._threads.bot
        referee_waited, bot_waited = referee.read(passed), bot.read(passed)
        self._reckoning.add(
            Look(
                now=now,
                late=late_ns,
                loop_ran=loop_ran,
                loop_waited=loop_waited,
                referee_waited=loop_waited + referee_waited,
                bot_waited=bot_waited,
                runnable=self._host.runnable(),
                referee_runnable=referee.runnable(),
                bot_runnable=bot.runnable(),
                bot_hidden=bot.hidden,
            )
        )

    def waits(self, now: int, late_ns: int) -> Waits:
        """What there was up to now; the next tick is overdue by so much."""
        if now != self._seen_at and (self._threads is not None or late_ns > 0):
            self.tick(now, late_ns)
        if self._threads is None:
            return _NOTHING
        bot = self._threads.bot
        return self._reckoning.waits(
            cpu_ns=bot.ran, busiest_ns=bot.busiest, watched_ns=now - self._threads.since
        )

    def close(self) -> None:
        if self._threads is not None:
            self._threads.referee.close()
            self._threads.bot.close()


def meter_of(process: BotProcess) -> ProcMeter | None:
    """For a bot that this thread asks; ``None`` where the machine does not tell what it waits."""
    try:
        return ProcMeter(_host_of(get_native_id()), process.pid, process.root)
    except (OSError, ValueError):
        return None


@cache
def _host_of(_thread: int) -> Host:
    return Host()


class _Threads(NamedTuple):
    """What a measurement looks at."""

    referee: Threads
    """Without the event loop's."""
    bot: Threads
    since: int
