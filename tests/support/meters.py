"""A meter that shows what a test says."""

from __future__ import annotations

from typing import Final

from referee.match.excuse import BotWaits, Waits

NO_WAITS: Final = Waits(bot=BotWaits(0, 0, 0, 0, 0, 1.0))


class FakeMeter:
    """Measures one question at a time, as ``Meter`` and ``Measurement`` at once."""

    def __init__(self, waits: Waits = NO_WAITS) -> None:
        self.shown = waits
        self.cpu: int | None = None
        self.ticks: list[tuple[int, int]] = []
        """Moments and lateness."""
        self.closed = False

    def cpu_us(self) -> int | None:
        return self.cpu

    def start(self, now: int) -> FakeMeter:
        return self

    def tick(self, now: int, late_ns: int) -> None:
        self.ticks.append((now, late_ns))

    def waits(self, now: int, late_ns: int) -> Waits:
        return self.shown

    def close(self) -> None:
        self.closed = True
