"""Time limits, and the clock of one question.

Limits are immutable; the clock runs. Its time source is an argument, in
nanoseconds of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

TimeSource = Callable[[], int]

DEFAULT_MOVE_LIMIT_US: Final = 2_000_000
DEFAULT_HANDSHAKE_LIMIT_US: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Limits in microseconds; ``None`` is no limit."""

    move_limit_us: int | None = DEFAULT_MOVE_LIMIT_US
    bank_us: int | None = None
    increment_us: int | None = None
    handshake_limit_us: int | None = DEFAULT_HANDSHAKE_LIMIT_US
    """From opening the stream to the hello."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured of one question, in microseconds."""

    elapsed_us: int
    bot_cpu_us: int | None = None
    excused_us: int = 0
    excuse: str = ""

    @property
    def counted_us(self) -> int:
        """What the bot used."""
        return max(0, self.elapsed_us - self.excused_us)


class TurnClock:
    """What a seat has left of one turn's limit, over all its tries."""

    def __init__(self, control: TimeControl) -> None:
        self.limit_us = control.move_limit_us
        self.used_us = 0

    @property
    def left_us(self) -> int | None:
        """Never negative; ``None`` is no limit."""
        return None if self.limit_us is None else max(0, self.limit_us - self.used_us)

    def charge(self, evidence: Evidence) -> bool:
        """Count a try. Returns whether it was in time."""
        left = self.left_us
        self.used_us += evidence.counted_us
        return left is None or evidence.counted_us <= left
