"""Time limits, and the clock of one seat over a match.

Limits are immutable; the clock runs. What a question took is measured elsewhere and comes
here as evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_MOVE_LIMIT_US: Final = 2_000_000
DEFAULT_HANDSHAKE_LIMIT_US: Final = 5_000_000
DEFAULT_START_LIMIT_US: Final = 60_000_000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Limits in microseconds; ``None`` is no limit, or no bank."""

    move_limit_us: int | None = DEFAULT_MOVE_LIMIT_US
    """For one turn, with all tries."""
    bank_us: int | None = None
    """A store for the whole match that a turn may draw on past its limit."""
    increment_us: int | None = None
    """Added to the bank after each turn."""
    match_limit_us: int | None = None
    """For all turns of a match together; who has used it up forfeits."""
    handshake_limit_us: int | None = DEFAULT_HANDSHAKE_LIMIT_US
    """From opening the stream to the hello."""
    start_limit_us: int | None = DEFAULT_START_LIMIT_US
    """From the start of a bot's process to the hello; a bot may set itself less."""

    def __post_init__(self) -> None:
        if self.bank_us is not None and self.move_limit_us is None:
            raise ValueError("a bank without a move limit that it goes beyond")
        if self.increment_us is not None and self.bank_us is None:
            raise ValueError("an increment without a bank that it goes to")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured of one question, in microseconds."""

    elapsed_us: int
    bot_cpu_us: int | None = None
    """CPU time of the bot's own process, of all its threads."""
    excused_us: int = 0
    """What the bot was kept waiting through no doing of its own."""
    excuse: str = ""

    @property
    def counted_us(self) -> int:
        """What the bot used."""
        return max(0, self.elapsed_us - self.excused_us)


class SeatClock:
    """What a seat has left: of its turn over all tries, of its bank and of its match."""

    def __init__(self, control: TimeControl) -> None:
        self._control: Final = control
        self.left_us = control.move_limit_us
        """Of this turn's limit. Nothing here is ever negative; ``None`` is no limit."""
        self.bank_us = control.bank_us
        self.match_left_us = control.match_limit_us

    def begin_turn(self) -> None:
        self.left_us = self._control.move_limit_us

    def end_turn(self) -> None:
        if self.bank_us is not None:
            self.bank_us += self._control.increment_us or 0

    @property
    def allowed_us(self) -> int | None:
        """How long the next answer may take."""
        return allowed(self.left_us, self.bank_us, self.match_left_us)

    @property
    def flagged(self) -> bool:
        """The time for the whole match is used up."""
        return self.match_left_us == 0

    def charge(self, evidence: Evidence) -> bool:
        """Count a try. Returns whether it was in time."""
        used = evidence.counted_us
        permitted = self.allowed_us
        beyond = 0
        if self.left_us is not None:
            beyond = max(0, used - self.left_us)
            self.left_us = max(0, self.left_us - used)
        if self.bank_us is not None:
            self.bank_us = max(0, self.bank_us - beyond)
        if self.match_left_us is not None:
            self.match_left_us = max(0, self.match_left_us - used)
        return permitted is None or used <= permitted


def allowed(left_us: int | None, bank_us: int | None, match_left_us: int | None) -> int | None:
    """How long an answer may take, given what is left of each; ``None`` is for ever."""
    if left_us is None:
        return match_left_us
    turn_us = left_us + (bank_us or 0)
    return turn_us if match_left_us is None else min(turn_us, match_left_us)
