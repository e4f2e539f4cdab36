"""Measures, on Linux, who is kept waiting for a CPU while a bot is asked."""

from __future__ import annotations

import os
import time
from functools import cache
from threading import get_native_id
from typing import Final

from referee.bots.process import BotProcess
from referee.bots.reckoning import ON_TIME_NS, Crowd, Look, Reckoning
from referee.bots.threads import Thread, Threads, threads_below, threads_of
from referee.match.excuse import BotWaits, Waits

PROC: Final = "/proc"

_NOTHING: Final = Waits(bot=BotWaits(0, 0, 0, 0, 0, 1.0))


class Host:
    """The machine, as the thread sees it that makes this; it has to be the event loop's.

    Raises ``OSError`` or ``ValueError`` where the machine does not tell how long threads wait.
    """

    def __init__(self, proc: str = PROC) -> None:
        self.cpus: Final = os.cpu_count() or 1
        self.usable: Final = len(os.sched_getaffinity(0))
        """How many of these the referee may use."""
        self.runnable = 0
        """How many threads run or wait to run, this one left out."""
        self.youngest = 0
        """The last thread or process that was born."""
        self._proc: Final = proc
        loop = f"{proc}/self/task/{get_native_id()}"
        self._loop: Final = Thread(loop)
        if self._loop.times()[0] == 0:
            raise ValueError("this kernel does not count")
        self._loadavg: Final = os.open(f"{proc}/loadavg", os.O_RDONLY)
        self.referee: Final = Threads(
            lambda: (thread for thread in threads_of(f"{proc}/self") if thread != loop)
        )
        """The other threads of this process."""
        self.look()

    def look(self) -> None:
        fields = os.pread(self._loadavg, 64, 0).split()
        self.runnable = int(fields[3].partition(b"/")[0]) - 1
        self.youngest = int(fields[4])

    def loop_times(self) -> tuple[int, int]:
        """How long this thread has run and waited to run, in nanoseconds."""
        self._loop.read(0)
        return self._loop.ran, self._loop.waited

    def tree(self, root: int) -> Threads:
        """The threads of a process and of all that descends from it."""
        return Threads(lambda: threads_below(self._proc, root))


class ProcMeter:
    """Measures the questions to one bot: the process ``pid``, in the tree below ``root``.

    It meets the port that ``referee.rpc.meter`` has for it.
    """

    def __init__(self, host: Host, pid: int, root: int) -> None:
        self._host: Final = host
        self._bot: Final = host.tree(root)
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
        return ProcMeasurement(self._host, self._bot, now)

    def close(self) -> None:
        """Nothing more is measured."""
        self._bot.close()


class ProcMeasurement:
    """One question.

    Threads are looked at from the first tick on that finds as many runnable as there are CPUs,
    or the event loop late; what they wait then shows later. So an idle host costs nothing.
    """

    def __init__(self, host: Host, bot: Threads, now: int) -> None:
        self._host: Final = host
        self._bot: Final = bot
        self._loop = host.loop_times()
        self._reckoning: Final = Reckoning(now, host.cpus)
        self._started: Final = now
        self._seen_at = now
        self._watched_from: int | None = None
        self._looks = 0
        self._waited = 0, 0
        """The bot's threads, and the referee's without the loop's, so far."""
        self._newly_waited = 0, 0
        self._runnable = 0, 0
        """Of the same."""

    def tick(self, now: int, late_ns: int) -> None:
        """Look around; that comes so much later than it was asked for."""
        host, bot = self._host, self._bot
        host.look()
        if self._watched_from is not None:
            self._read(now)
        elif host.runnable >= host.usable or late_ns > ON_TIME_NS:
            self._begin(now)
        else:
            self._add(now, late_ns, None)
            return
        self._looks += 1
        if self._looks & (self._looks - 1) == 0:
            # Ever more seldom: it takes longer than all the rest.
            bot.look_for_more(host.youngest)
            host.referee.look_for_more(host.youngest)
        self._runnable = bot.runnable(), host.referee.runnable()
        self._add(now, late_ns, self._crowd(bot.hidden))

    def waits(self, now: int, late_ns: int) -> Waits:
        """What there was up to now; the next tick is overdue by so much."""
        if self._seen_at == self._started and late_ns == 0:
            return _NOTHING
        if now != self._seen_at:
            if self._watched_from is None:
                self.tick(now, late_ns)
            else:
                # Who has answered has its waits behind it.
                self._read(now)
                self._add(now, late_ns, self._crowd(hidden=0))
        if self._watched_from is None:
            return self._reckoning.waits(cpu_ns=0, busiest_ns=0, watched_ns=0)
        return self._reckoning.waits(
            cpu_ns=self._bot.ran,
            busiest_ns=self._bot.busiest,
            watched_ns=now - self._watched_from,
        )

    def _begin(self, now: int) -> None:
        host, bot = self._host, self._bot
        self._watched_from = now
        bot.look_for_more(host.youngest)
        bot.begin(now - self._seen_at)
        host.referee.look_for_more(host.youngest)
        host.referee.read(0)
        self._waited = 0, host.referee.waited

    def _read(self, now: int) -> None:
        bot, referee = self._bot, self._host.referee
        passed = now - self._seen_at
        bot.read(passed)
        referee.read(passed)
        before, self._waited = self._waited, (bot.waited, referee.waited)
        self._newly_waited = bot.waited - before[0], referee.waited - before[1]

    def _crowd(self, hidden: int) -> Crowd:
        bot_waited, referee_waited = self._newly_waited
        bot_runnable, referee_runnable = self._runnable
        return Crowd(referee_waited, referee_runnable, bot_waited, bot_runnable, hidden)

    def _add(self, now: int, late_ns: int, crowd: Crowd | None) -> None:
        ran, waited = self._loop
        self._loop = self._host.loop_times()
        loop_ran, loop_waited = self._loop[0] - ran, self._loop[1] - waited
        self._reckoning.add(Look(now, late_ns, loop_ran, loop_waited, self._host.runnable, crowd))
        self._seen_at = now


def meter_of(process: BotProcess) -> ProcMeter | None:
    """For a bot that this thread asks; ``None`` where the machine does not tell what it waits."""
    try:
        return ProcMeter(_host_of(get_native_id()), process.pid, process.root)
    except (OSError, ValueError):
        return None


@cache
def _host_of(_thread: int) -> Host:
    return Host()
