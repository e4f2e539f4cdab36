"""What Linux tells of threads: how long each ran, how long it waited for a CPU (``/proc``)."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

MOST_THREADS: Final = 64
"""Of one bot, or of the referee, that are looked at: a bot may start thousands."""

_MOST_CHILDREN_BYTES: Final = 4096


class Thread:
    """One thread's times since ``begin``, in nanoseconds. Its files stay open until ``close``."""

    def __init__(self, folder: str) -> None:
        """Raises ``OSError`` or ``ValueError`` where there is none, or it tells nothing."""
        self.ran = 0
        self.waited = 0
        self.hidden = 0
        """What it may be waiting besides: a wait shows once it is over."""
        self._stat = os.open(f"{folder}/stat", os.O_RDONLY)
        self._schedstat = -1
        try:
            self._schedstat = os.open(f"{folder}/schedstat", os.O_RDONLY)
            self._first = self.times()
        except BaseException:
            self.close()
            raise

    def begin(self, passed: int) -> None:
        """Count from here; what it waits now it may have waited for so many nanoseconds."""
        with contextlib.suppress(OSError, ValueError):
            self._first = self.times()
        self.ran = self.waited = 0
        self.hidden = passed

    def read(self, passed: int) -> None:
        """Look again, so many nanoseconds after the last time."""
        before = self.ran + self.waited
        # Of a thread that has ended, what it had stands.
        with contextlib.suppress(OSError, ValueError):
            ran, waited = self.times()
            self.ran, self.waited = ran - self._first[0], waited - self._first[1]
        self.hidden = max(0, self.hidden + passed - (self.ran + self.waited - before))

    def is_runnable(self) -> bool:
        """Whether it runs now or waits to run."""
        runnable = False
        with contextlib.suppress(OSError):
            # The command's name stands in brackets and may hold any byte, brackets too.
            runnable = os.pread(self._stat, 64, 0).rpartition(b") ")[2][:1] == b"R"
        if not runnable:
            self.hidden = 0
        return runnable

    def close(self) -> None:
        for file in (self._stat, self._schedstat):
            if file >= 0:
                os.close(file)
        self._stat = self._schedstat = -1

    def times(self) -> tuple[int, int]:
        """How long it has run and waited since its birth. Raises as the constructor does."""
        ran, waited, _ = os.pread(self._schedstat, 64, 0).split()
        return int(ran), int(waited)


class Threads:
    """Threads that come and go; ``find`` gives the folders of those that are there."""

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        self.ran = 0
        """All since ``begin``, those that have ended included."""
        self.waited = 0
        self._find: Final = find
        self._youngest = 0
        self._threads: Final[dict[str, Thread]] = {}
        self._ended = (0, 0)
        """What those that have ended had run and waited."""

    def look_for_more(self, youngest: int) -> None:
        """Find those that have been born, and leave those that have ended.

        ``youngest`` is the machine's last thread: when that is still the same, all are known.
        """
        if youngest == self._youngest:
            return
        self._youngest = youngest
        found = dict.fromkeys(islice(self._find(), MOST_THREADS))
        for folder in [known for known in self._threads if known not in found]:
            ended = self._threads.pop(folder)
            self._ended = (self._ended[0] + ended.ran, self._ended[1] + ended.waited)
            ended.close()
        for folder in found:
            if folder not in self._threads:
                # It may have ended just now, or there is no file left for it.
                with contextlib.suppress(OSError, ValueError):
                    self._threads[folder] = Thread(folder)

    def begin(self, passed: int) -> None:
        """Count from here; what they wait now they may have waited for so many nanoseconds."""
        self.ran = self.waited = 0
        self._ended = (0, 0)
        for thread in self._threads.values():
            thread.begin(passed)

    def read(self, passed: int) -> None:
        """Look at all again, so many nanoseconds after the last time."""
        self.ran, self.waited = self._ended
        for thread in self._threads.values():
            thread.read(passed)
            self.ran += thread.ran
            self.waited += thread.waited

    def runnable(self) -> int:
        """How many run now or wait to run."""
        return sum(thread.is_runnable() for thread in self._threads.values())

    @property
    def hidden(self) -> int:
        """What those that are runnable may be waiting besides."""
        return sum(thread.hidden for thread in self._threads.values())

    @property
    def busiest(self) -> int:
        """How long the one that is there and ran most has run."""
        return max((thread.ran for thread in self._threads.values()), default=0)

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()
        self._threads.clear()


def threads_of(process: str) -> Iterator[str]:
    """The folders of a process's threads, given the process's own."""
    with contextlib.suppress(OSError), os.scandir(f"{process}/task") as entries:
        yield from (entry.path for entry in entries)


def threads_below(proc: str, root: int) -> Iterator[str]:
    """The folders of the threads of a process and of all that descends from it."""
    processes = deque([str(root)])
    while processes:
        for thread in threads_of(f"{proc}/{processes.popleft()}"):
            yield thread
            with contextlib.suppress(OSError):
                processes.extend(_children(thread))


def _children(thread: str) -> list[str]:
    file = os.open(f"{thread}/children", os.O_RDONLY)
    try:
        return os.read(file, _MOST_CHILDREN_BYTES).decode("ascii").split()
    finally:
        os.close(file)
