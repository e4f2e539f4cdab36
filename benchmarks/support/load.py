"""Load on this machine, and what it does to whoever wants to wake up."""

from __future__ import annotations

import bisect
import contextlib
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Final, Self

PROBE_NS: Final = 2_000_000
"""How long the probe sleeps."""
ON_TIME_NS: Final = 500_000
"""Who wakes no later than this has not waited."""

# Each ends with the process that started it, however that ends.
_HOG: Final = """
import os, sys
for _ in range(int(sys.argv[1]) - 1):
    if os.fork() == 0:
        break
parent = int(sys.argv[2]) if os.getppid() == int(sys.argv[2]) else os.getppid()
while os.getppid() == parent:
    for _ in range(100_000):
        pass
"""

_PROBE: Final = """
import os, sys, time
parent, pause, on_time = os.getppid(), int(sys.argv[1]), int(sys.argv[2])
while os.getppid() == parent:
    due = time.monotonic_ns() + pause
    time.sleep(pause / 1e9)
    woken = time.monotonic_ns()
    if woken > due + on_time:
        print(due, woken)
"""


@contextlib.contextmanager
def busy_loops(count: int, *, own_sessions: bool) -> Iterator[None]:
    """So many processes that spin, in one session or each in a session of its own."""
    sizes = [1] * count if own_sessions else [count] * min(count, 1)
    leaders = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", _HOG, str(size), str(os.getpid())],
            start_new_session=True,
        )
        for size in sizes
    ]
    try:
        time.sleep(0.5)
        yield
    finally:
        for leader in leaders:
            leader.kill()
        for leader in leaders:
            leader.wait()


def runnable(seconds: float = 1.0) -> float:
    """How many threads of others want a CPU, on average."""
    samples = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.01)
        running, _, _ = Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")
        samples.append(int(running) - 1)
    return sum(samples) / len(samples)


class Probe:
    """A process that sleeps a little, again and again, and notes when it wakes late."""

    def __init__(self, folder: Path) -> None:
        self._notes: Final = folder / "probe"

    def __enter__(self) -> Self:
        with self._notes.open("wb") as notes:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-u", "-c", _PROBE, str(PROBE_NS), str(ON_TIME_NS)],
                stdout=notes,
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def waits(self) -> Callable[[int, int], int]:
        """How late it woke between two moments of the monotonic clock, all in nanoseconds."""
        lines = self._notes.read_text(encoding="ascii").splitlines()
        late = [(int(due), int(woken)) for due, woken in map(str.split, lines)]

        def between(started: int, ended: int) -> int:
            first = bisect.bisect_left(late, started, key=itemgetter(1))
            return sum(
                max(0, min(woken, ended) - max(due, started))
                for due, woken in itertools.takewhile(lambda wait: wait[0] < ended, late[first:])
            )

        return between
