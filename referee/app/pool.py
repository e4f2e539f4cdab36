"""Sittings at once: worker processes that play them, each at the end of a pipe.

A worker reports every match as it ends, and stops when anything comes down the pipe or
the parent is gone. Where the pipe or the worker ends before the sitting did, it was lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from referee.app.sitting import Played, SittingOrder, Voided, play_sitting
from referee.bots.process import remove_folder
from referee.bots.worker import tie_to_parent
from referee.core.errors import HostFault

_STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class Over:
    """A sitting has ended; ``lost`` says why when it did not end by itself."""

    lost: str | None


@dataclass(frozen=True, slots=True)
class _Running:
    order: SittingOrder
    future: Future[None]


class Pool:
    """Plays up to ``jobs`` sittings at once. To be used from the main thread."""

    def __init__(self, jobs: int) -> None:
        """Raises ``HostFault`` where there is no folder for temporary files."""
        self._jobs: Final = jobs
        self._folder: Final = _temporary_folder()
        self._running: Final[dict[Connection[Any, Any], _Running]] = {}
        self._stopped: Final[set[Connection[Any, Any]]] = set()
        self._executor = self._new_executor()

    def _new_executor(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._jobs,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_worker,
            initargs=(os.getpid(), str(self._folder)),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # What is left stops by this, a worker too that is in the middle of a long report.
        for connection in self._running:
            connection.close()
        if isinstance(error, KeyboardInterrupt):
            _kill_workers()
        try:
            self._executor.shutdown(cancel_futures=True)
        except KeyboardInterrupt:
            _kill_workers()
            self._executor.shutdown()
            raise
        finally:
            remove_folder(self._folder)

    @property
    def free(self) -> int:
        """How many more sittings it takes now."""
        return self._jobs - len(self._running)

    @property
    def idle(self) -> bool:
        return not self._running

    def submit(self, order: SittingOrder) -> None:
        """Raises ``HostFault`` where the host has no process or pipe for it."""
        try:
            ours, theirs = multiprocessing.Pipe()
            with _interrupts_held():
                future = self._submit(order, theirs)
        except OSError as error:
            raise HostFault(f"cannot start a worker: {error.strerror}") from error
        # Our copy of the worker's end is closed once the worker is done with its own, so
        # that the pipe then ends.
        future.add_done_callback(lambda _: theirs.close())
        self._running[ours] = _Running(order, future)

    def _submit(self, order: SittingOrder, theirs: Connection[Any, Any]) -> Future[None]:
        try:
            return self._executor.submit(_work, order, theirs)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = self._new_executor()
            return self._executor.submit(_work, order, theirs)

    def stop(self) -> None:
        """Ask every sitting to break off, once. Their ends come as any other's."""
        for connection in self._running.keys() - self._stopped:
            self._stopped.add(connection)
            with contextlib.suppress(OSError):
                connection.send(_STOP)

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        """What has happened, waiting up to ``timeout`` seconds for the first of it."""
        for connection in wait(list(self._running), timeout):
            assert isinstance(connection, Connection)
            running = self._running[connection]
            try:
                yield running.order, connection.recv()
            except (EOFError, OSError):
                yield self._over(connection)
        for connection, running in list(self._running.items()):
            # Where a worker was lost before it had taken its end of the pipe, that end is kept
            # open by multiprocessing.
            if running.future.done() and not connection.poll():
                yield self._over(connection)

    def _over(self, connection: Connection[Any, Any]) -> tuple[SittingOrder, Over]:
        running = self._running.pop(connection)
        self._stopped.discard(connection)
        connection.close()
        return running.order, Over(_loss(running.future))


def _temporary_folder() -> Path:
    """Where all workers keep theirs, so that it goes with us what a killed one leaves."""
    try:
        return Path(tempfile.mkdtemp(prefix="elfer-"))
    except OSError as error:
        raise HostFault(f"cannot make a temporary folder: {error.strerror}") from error


def _kill_workers() -> None:
    """Whoever is told twice to stop does not wait for a worker that is stuck."""
    for process in multiprocessing.active_children():
        process.kill()


def _loss(future: Future[None]) -> str | None:
    error = future.exception()
    if error is None:
        return None
    if isinstance(error, BrokenProcessPool):
        return "a worker process ended unexpectedly"
    return f"{type(error).__name__}: {error}"


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


def _begin_worker(parent: int, folder: str) -> None:
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        # Bots inherit what is blocked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tie_to_parent(parent)


def _work(order: SittingOrder, connection: Connection[Any, Any]) -> None:
    with connection, contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_play(order, connection))


async def _play(order: SittingOrder, connection: Connection[Any, Any]) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def stop() -> None:
        loop.remove_reader(connection.fileno())
        task.cancel()

    loop.add_reader(connection.fileno(), stop)
    try:
        await play_sitting(order, connection.send)
    finally:
        loop.remove_reader(connection.fileno())
