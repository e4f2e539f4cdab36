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
        self.open = False

    def cpu_us(self) -> int | None:
        return self.cpu

    def start(self, now: int) -> FakeMeter:
        assert not self.open
        self.open = True
        return self

    def tick(self, now: int, late_ns: int) -> None:
        self.ticks.append((now, late_ns))

    def waits(self, now: int, late_ns: int) -> Waits:
        assert self.open
        return self.shown

    def close(self) -> None:
        self.open = False
