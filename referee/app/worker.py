"""A worker process: orders come down its pipe, and what comes of them goes up.

It reports every match as it ends, and says after every game how the match stands. It says so
every second, too, which shows that its event loop still turns. It breaks off when anything
comes down the pipe in the middle of a sitting, or the parent is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import signal
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from referee.app.sitting import SittingOrder, Standing, play_sitting
from referee.bots.worker import tie_to_parent

STOP: Final = "stop"
"""Sent down: break off and end."""
BEAT_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Beat:
    """Sent up: still alive."""

    standing: Standing | None


@dataclass(frozen=True, slots=True)
class Over:
    """A sitting has ended; ``lost`` says why when it did not end by itself."""

    lost: str | None
    standing: Standing | None = None
    """Of the match that broke off, as far as it is known."""


def work(connection: Connection[Any, Any], parent: int, folder: str) -> None:
    """Play what is ordered until anything else comes, or the pipe ends.

    ``parent`` is the process id of whoever started this one. Temporary files go to ``folder``.
    """
    _begin(parent, folder)
    with connection, contextlib.suppress(EOFError, OSError):
        while isinstance(order := connection.recv(), SittingOrder):
            connection.send(_play(order, connection))


def _begin(parent: int, folder: str) -> None:
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        # Bots inherit what is blocked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tie_to_parent(parent)


def _play(order: SittingOrder, connection: Connection[Any, Any]) -> Over:
    heart = _Heart(connection)
    try:
        asyncio.run(_play_until_told(order, connection, heart))
    except asyncio.CancelledError:
        return Over(None, heart.standing)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent is told
        return Over(f"{type(error).__name__}: {error}", heart.standing)
    finally:
        heart.close()
    return Over(None)


async def _play_until_told(
    order: SittingOrder, connection: Connection[Any, Any], heart: _Heart
) -> None:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def stop() -> None:
        loop.remove_reader(connection.fileno())
        task.cancel()

    loop.add_reader(connection.fileno(), stop)
    beating = asyncio.create_task(heart.go_on())
    try:
        await play_sitting(order, connection.send, watch=heart.tell)
    finally:
        beating.cancel()
        loop.remove_reader(connection.fileno())


class _Heart:
    """Beats for as long as the event loop turns."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection: Final = connection
        self.standing: Standing | None = None
        """Of the last match that began."""
        self._writable: Final = selectors.DefaultSelector()
        self._writable.register(connection, selectors.EVENT_WRITE)

    async def go_on(self) -> None:
        while True:
            self._beat()
            await asyncio.sleep(BEAT_SECONDS)

    def tell(self, standing: Standing) -> None:
        self.standing = standing
        self._beat()

    def close(self) -> None:
        self._writable.close()

    def _beat(self) -> None:
        # A parent that does not read must not hold up our bots.
        with contextlib.suppress(OSError):
            if self._writable.select(0):
                self._connection.send(Beat(self.standing))
