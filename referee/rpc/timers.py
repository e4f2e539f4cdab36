"""Time as a session sees it, so that tests can bring their own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Timer(Protocol):
    def cancel(self) -> None: ...


class Timers(Protocol):
    def now(self) -> int:
        """Nanoseconds of a monotonic clock."""
        ...

    def after(self, delay_us: int, callback: Callable[[], object]) -> Timer:
        """Call back once, from the event loop, when so many microseconds are over."""
        ...


class LoopTimers:
    """Real time, on the running event loop."""

    def now(self) -> int:
        return time.monotonic_ns()

    def after(self, delay_us: int, callback: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_later(delay_us / 1_000_000, callback)


@contextmanager
def limit(timers: Timers, limit_us: int | None, passed: Callable[[], object]) -> Iterator[None]:
    """Call ``passed`` when the body takes longer than ``limit_us``; ``None`` is no limit."""
    if limit_us is None:
        yield
        return
    # What takes exactly as long as it may is in time.
    timer = timers.after(limit_us + 1, passed)
    try:
        yield
    finally:
        timer.cancel()
