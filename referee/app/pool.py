"""Sittings at once: worker processes that play them, each at the end of a pipe.

A worker whose pipe ends before its sitting was lost. One that says nothing for too long is
stuck, or was stopped: it is killed, and is lost, too. Each loses its own sitting alone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

from referee.app.sitting import Played, SittingOrder, Standing, Voided
from referee.app.worker import STOP, Beat, Over, work
from referee.core.errors import HostFault
from referee.files.temporary import make_temporary_folder

SILENCE_SECONDS: Final = 30.0
"""A worker that is not heard of for so long is stuck; it beats every second."""

_LONGEST_LOOK: Final = 1.0
"""Seconds between two looks that count as silence: this process may have been stopped itself."""

_LEAVE_SECONDS: Final = 30.0
"""How long workers may take in the end to break off and clear up."""


@dataclass(eq=False, slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection[Any, Any]
    """Closed with its last user: its listener may be reading."""
    order: SittingOrder | None = None
    """What it plays."""
    silent: float = 0.0
    """Seconds of our own time since it was heard of."""
    standing: Standing | None = None
    stopped: bool = False


class Pool:
    """Plays up to ``jobs`` sittings at once. To be used from the main thread."""

    def __init__(self, jobs: int) -> None:
        """Raises ``HostFault`` where there is no folder for temporary files."""
        self._jobs: Final = jobs
        self._folder: Final = make_temporary_folder()
        """Where all workers keep theirs, so that it goes with us what a killed one leaves."""
        self._workers: Final[list[_Worker]] = []
        self._heard: Final[SimpleQueue[tuple[_Worker, Any]]] = SimpleQueue()
        self._looked = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.stop()
            self._join(0.0 if isinstance(error, KeyboardInterrupt) else _LEAVE_SECONDS)
        except KeyboardInterrupt:
            self._join(0.0)
            raise
        finally:
            self._folder.remove()

    @property
    def free(self) -> int:
        """How many more sittings it takes now."""
        return self._jobs - len(self._running())

    @property
    def idle(self) -> bool:
        return not self._running()

    def submit(self, order: SittingOrder) -> None:
        """Raises ``HostFault`` where the host has no process or pipe for it."""
        idle = (one for one in self._workers if one.order is None and not one.stopped)
        worker = next(idle, None)
        if worker is None:
            worker = self._start()
        worker.order = order
        worker.silent = 0.0
        # One that ended in the meantime is lost with its order, which is heard like any loss.
        with contextlib.suppress(OSError):
            worker.connection.send(order)

    def stop(self) -> None:
        """Ask every sitting to break off, once. Their ends come as any other's."""
        for worker in self._workers:
            self._ask_to_stop(worker)

    def break_off(self, bot: str) -> None:
        """Ask the sittings at which this bot sits to do so."""
        for worker in self._workers:
            if worker.order is not None and bot in {one.name for one in worker.order.bots}:
                self._ask_to_stop(worker)

    def _ask_to_stop(self, worker: _Worker) -> None:
        if not worker.stopped:
            worker.stopped = True
            with contextlib.suppress(OSError):
                worker.connection.send(STOP)

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        """What has happened, waiting up to ``timeout`` seconds for the first of it."""
        with contextlib.suppress(Empty):
            yield from self._take(*self._heard.get(timeout=timeout))
            while True:
                yield from self._take(*self._heard.get_nowait())
        now = time.monotonic()
        lived, self._looked = min(now - self._looked, _LONGEST_LOOK), now
        for worker in self._running():
            worker.silent += lived
            if worker.silent > SILENCE_SECONDS:
                yield from self._lose(
                    worker, f"a worker process was not heard of for {SILENCE_SECONDS:g} s"
                )

    def _running(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.order is not None]

    def _start(self) -> _Worker:
        try:
            ours, theirs = multiprocessing.Pipe()
            process = multiprocessing.get_context("spawn").Process(
                target=work, args=(theirs, os.getpid(), str(self._folder.path))
            )
            with theirs, _interrupts_held():
                process.start()
        except OSError as error:
            raise HostFault(f"cannot start a worker: {error.strerror}") from error
        worker = _Worker(process, ours)
        self._workers.append(worker)
        Thread(target=_listen, args=(worker, self._heard), daemon=True).start()
        return worker

    def _take(
        self, worker: _Worker, what: Any
    ) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        if worker not in self._workers:
            return
        worker.silent = 0.0
        order = worker.order
        if what is None:
            yield from self._lose(worker, "a worker process ended unexpectedly")
        elif isinstance(what, Beat):
            worker.standing = what.standing
        elif order is not None:
            if isinstance(what, Over):
                worker.order = worker.standing = None
            yield order, what

    def _lose(self, worker: _Worker, why: str) -> Iterator[tuple[SittingOrder, Over]]:
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join(_LONGEST_LOOK)
        if worker.order is not None:
            yield worker.order, Over(why, worker.standing)

    def _join(self, seconds: float) -> None:
        """Wait so long for the workers to end by themselves; then end them."""
        give_up_at = time.monotonic() + seconds
        for worker in self._workers:
            worker.process.join(max(0.0, give_up_at - time.monotonic()))
            worker.process.kill()
        for worker in self._workers:
            worker.process.join(_LEAVE_SECONDS)


def _listen(worker: _Worker, heard: SimpleQueue[tuple[_Worker, Any]]) -> None:
    """In a thread of its own: a worker can be stopped in the middle of a word."""
    try:
        while True:
            heard.put((worker, worker.connection.recv()))
    except (EOFError, OSError):
        heard.put((worker, None))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let what starts meanwhile be born with SIGINT blocked; our own waits that long.

    The terminal sends Ctrl-C to all; the parent stops its workers in order.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
