"""The question that is open, and its clock."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple, Self

from referee.match.clock import Evidence
from referee.match.conduct import Infraction, goes_before
from referee.match.excuse import Excuse, Lateness, Waits, excuse, lateness, milliseconds
from referee.match.player import Fault, Reply
from referee.rpc.meter import Measurement, Meter
from referee.rpc.timers import Timer, Timers

TICK_US: Final = 4_000
"""How often a question's surroundings are looked at; what is answered sooner costs nothing."""
MOST_TICKS_TO_DOUBLE: Final = 64
"""What stays open long is looked at less often: so often until its time has doubled."""
MOST_WAITING_US: Final = 2_000_000
"""How long, beyond what is allowed, a bot is waited for that may have been kept waiting."""


class Doubt(NamedTuple):
    """Late, and the figures do not tell whether by the bot's doing or the host's."""

    evidence: Evidence
    detail: str


class Question:
    """A question, with its clock, which runs within ``with``.

    It ends with an answer, with a fault, or once it is certain that the bot is late: while
    that may be the host's doing, an answer is still waited for.
    """

    def __init__(
        self, request_id: str, allowed_us: int | None, timers: Timers, meter: Meter
    ) -> None:
        self.request_id: Final = request_id
        self.outcome: Final[asyncio.Future[Reply | Fault | Doubt]] = (
            asyncio.get_running_loop().create_future()
        )
        self._allowed_us: Final = allowed_us
        self._timers: Final = timers
        self._meter: Final = meter
        self._measurement: Measurement
        self._timer: Timer
        self._started = 0
        self._due = 0
        self._cpu_us: int | None = None

    def __enter__(self) -> Self:
        self._cpu_us = self._meter.cpu_us()
        self._started = self._timers.now()
        self._measurement = self._meter.start(self._started)
        self._wait(self._started)
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def answer(self, answer: Any, now: int) -> None:
        """There is an answer; ``now`` is the timers' moment, in nanoseconds."""
        if not self.outcome.done():
            figures = self._figures(now)
            reply = Reply(answer, figures.evidence)
            self.outcome.set_result(figures.doubt if figures.doubtful else reply)

    def fault(self, kind: Infraction, detail: str, now: int) -> None:
        """There will be no answer."""
        if not self.outcome.done():
            figures = self._figures(now)
            perhaps_late = figures.doubtful and goes_before(Infraction.LATE, kind)
            fault = Fault(kind, figures.evidence, detail)
            self.outcome.set_result(figures.doubt if perhaps_late else fault)

    def fail(self, error: Exception) -> None:
        """Whoever asked gets an error of the referee's own."""
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def _tick(self) -> None:
        if self.outcome.done():
            return
        now = self._timers.now()
        self._measurement.tick(now, max(0, now - self._due))
        beyond_us = 0 if self._allowed_us is None else self._elapsed_us(now) - self._allowed_us
        if beyond_us > 0:
            figures = self._figures(now)
            if figures.lateness is Lateness.CERTAIN:
                self.outcome.set_result(Fault(Infraction.LATE, figures.evidence, ""))
                return
            if beyond_us > MOST_WAITING_US:
                self.outcome.set_result(figures.doubt)
                return
        self._wait(now)

    def _wait(self, now: int) -> None:
        """Set the next tick: soon, and at the first moment that is late."""
        elapsed_us = self._elapsed_us(now)
        delay_us = max(TICK_US, elapsed_us // MOST_TICKS_TO_DOUBLE)
        if self._allowed_us is not None and elapsed_us <= self._allowed_us:
            # What takes exactly as long as it may is in time.
            delay_us = min(delay_us, self._allowed_us - elapsed_us + 1)
        self._due = now + delay_us * 1000
        self._timer = self._timers.after(delay_us, self._tick)

    def _figures(self, now: int) -> _Figures:
        cpu_us = self._meter.cpu_us()
        used_us = None if cpu_us is None or self._cpu_us is None else cpu_us - self._cpu_us
        elapsed_us = self._elapsed_us(now)
        waits = self._measurement.waits(now, max(0, now - self._due))
        excused = excuse(elapsed_us, waits, self._allowed_us)
        return _Figures(
            Evidence(elapsed_us, used_us, excused.excused_us, excused.text),
            lateness(elapsed_us, excused, self._allowed_us),
            waits,
            excused,
        )

    def _elapsed_us(self, now: int) -> int:
        return (now - self._started) // 1000


class _Figures(NamedTuple):
    """What is known of a question's time at one moment."""

    evidence: Evidence
    lateness: Lateness
    waits: Waits
    excuse: Excuse

    @property
    def doubtful(self) -> bool:
        return self.lateness is Lateness.DOUBTFUL

    @property
    def doubt(self) -> Doubt:
        least_us = self.evidence.elapsed_us - self.excuse.most_us
        return Doubt(
            self.evidence,
            f"of {milliseconds(self.evidence.elapsed_us)} "
            f"{milliseconds(self.evidence.counted_us)} count, and for certain only "
            f"{milliseconds(least_us)}: {self.waits}",
        )
