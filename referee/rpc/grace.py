"""The wait for a bot whose stream was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from referee.rpc.timers import Timer, Timers

EXIT_GRACE_US: Final = 1_000_000
"""How long the end of a stream waits for the news that the bot's process has ended."""


class Grace:
    """Runs from the loss of a stream until it is taken up again; calls ``over`` after too long.

    Where the bot's process is ``watched``, the wait is at least long enough to hear of its end.
    """

    def __init__(self, timers: Timers, grace_us: int, over: Callable[[], object]) -> None:
        self.watched = False
        self._timers: Final = timers
        self._grace_us: Final = grace_us
        self._over: Final = over
        self._lost_at: int | None = None
        self._running: Final[list[Timer]] = []
        self._ended: Final = asyncio.Event()
        self._ended.set()
        self._news_due: Final = asyncio.Event()
        self._news_due.set()

    @property
    def permits_return(self) -> bool:
        """The stream may be taken up again, or was not lost."""
        return self._lost_at is None or self._timers.now() - self._lost_at <= self._grace_us * 1000

    def begin(self) -> None:
        """The stream was lost."""
        self._lost_at = self._timers.now()
        self._ended.clear()
        wait_us = self._grace_us
        if self.watched:
            wait_us = max(wait_us, EXIT_GRACE_US)
            self._news_due.clear()
            self._running.append(self._timers.after(EXIT_GRACE_US, self._news_due.set))
        if wait_us:
            self._running.append(self._timers.after(wait_us, self._over))
        else:
            self._over()

    def end(self) -> None:
        """The bot is back, or known to be gone."""
        self._lost_at = None
        for timer in self._running:
            timer.cancel()
        self._running.clear()
        self._ended.set()
        self._news_due.set()

    async def ended(self) -> None:
        """Wait until it does not run, or no longer."""
        await self._ended.wait()

    async def news(self) -> None:
        """Wait until the end of the process would be known, if that is why the stream was lost."""
        await self._news_due.wait()
