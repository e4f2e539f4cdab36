"""Who was kept waiting: the port through which a question's clock learns it."""

from __future__ import annotations

from typing import Protocol

from referee.match.excuse import Waits


class Measurement(Protocol):
    """What goes on while one question is open. Moments and lateness are in nanoseconds."""

    def tick(self, now: int, late_ns: int) -> None:
        """Look around; this call comes so much later than it was asked for."""
        ...

    def waits(self, now: int, late_ns: int) -> Waits:
        """The figures up to now; the next tick is overdue by so much."""
        ...


class Meter(Protocol):
    """Measures the questions to one bot, one at a time."""

    def cpu_us(self) -> int | None:
        """CPU time of the bot's own process since it started, where the platform tells."""
        ...

    def start(self, now: int) -> Measurement:
        """A question goes out."""
        ...

    def close(self) -> None:
        """Nothing more is measured."""
        ...


class Unmetered:
    """Knows nothing but the event loop's own lateness."""

    def cpu_us(self) -> int | None:
        return None

    def start(self, now: int) -> Measurement:  # noqa: ARG002 - the port's signature
        return self

    def tick(self, now: int, late_ns: int) -> None:
        """Nobody is looked at."""

    def waits(self, now: int, late_ns: int) -> Waits:  # noqa: ARG002 - the port's signature
        return Waits(late_ns // 1000)

    def close(self) -> None:
        """Nothing is open."""
