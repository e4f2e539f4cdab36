"""What Linux tells of threads: how long each ran, how long it waited for a CPU (``/proc``)."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
MOST_THREADS: Final = 64
"""Of one bot, or of the referee, that are looked at: a bot may start thousands."""

_MOST_CHILDREN_BYTES: Final = 4096


class Thread:
    """One thread's times since it was first looked at, or was born, in nanoseconds."""

    def __init__(self, folder: str, *, is_new: bool = False) -> None:
        """Raises ``OSError`` where there is no such thread, ``ValueError`` where it says nothing.

        Its files stay open until ``close``.
        """
        self.hidden = 0
        """What it may be waiting besides: a wait shows once it is over."""
        self._stat = os.open(f"{folder}/stat", os.O_RDONLY)
        self._schedstat = -1
        try:
            self._schedstat = os.open(f"{folder}/schedstat", os.O_RDONLY)
            ran, waited = self._times()
        except BaseException:
            self.close()
            raise
        self._first: Final = (0, 0) if is_new else (ran, waited)
        self.ran, self.waited = ran - self._first[0], waited - self._first[1]

    def read(self, passed: int) -> None:
        """Look again, so many nanoseconds after the last time."""
        before = self.ran + self.waited
        # Of a thread that has ended, what it had stands.
        with contextlib.suppress(OSError, ValueError):
            ran, waited = self._times()
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

    def _times(self) -> tuple[int, int]:
        ran, waited, _ = os.pread(self._schedstat, 64, 0).split()
        return int(ran), int(waited)


class Threads:
    """Threads that come and go; ``find`` gives the folders of those that are there."""

    def __init__(self, find: Callable[[], Iterable[str]]) -> None:
        self._find: Final = find
        self._threads: Final[dict[str, Thread]] = {}
        self._look(are_new=False)

    def read(self, passed: int) -> int:
        """Look at all, so long after the last time; returns what they have waited since."""
        before = self.waited
        for thread in self._threads.values():
            thread.read(passed)
        return self.waited - before

    def look_for_more(self) -> None:
        """Find the threads that have been born meanwhile."""
        self._look(are_new=True)

    def runnable(self) -> int:
        """How many run now or wait to run."""
        return sum(thread.is_runnable() for thread in self._threads.values())

    @property
    def ran(self) -> int:
        return sum(thread.ran for thread in self._threads.values())

    @property
    def busiest(self) -> int:
        return max((thread.ran for thread in self._threads.values()), default=0)

    @property
    def waited(self) -> int:
        return sum(thread.waited for thread in self._threads.values())

    @property
    def hidden(self) -> int:
        return sum(thread.hidden for thread in self._threads.values())

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()
        self._threads.clear()

    def _look(self, *, are_new: bool) -> None:
        for folder in islice(self._find(), MOST_THREADS):
            if folder not in self._threads and len(self._threads) < MOST_THREADS:
                # It may have ended, or we may have no file left for it.
                with contextlib.suppress(OSError, ValueError):
                    self._threads[folder] = Thread(folder, is_new=are_new)


def threads_of(process: str) -> Iterator[str]:
    """The folders of a process's threads, given the process's own."""
    with contextlib.suppress(OSError), os.scandir(f"{process}/task") as entries:
        yield from (entry.path for entry in entries)


def threads_below(root: int, proc: Path = PROC) -> Iterator[str]:
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
