"""From looks at the machine to what the referee and a bot were kept waiting. Pure.

Not every wait delays an answer. A moment is *free* when the referee has neither the question
nor the answer in hand: no other thread of it wants a CPU, and its event loop sleeps right after.
What it waits between its first free moment and its last costs the bot nothing. When at such a
moment no thread of the bot wants a CPU either, the bot *sleeps* of its own will; what its threads
wait between two sleeps is left out as well.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.match.excuse import BotWaits, Waits

LEAST_SLEEP_NS: Final = 1_000_000
"""How long the event loop has to sleep after a moment that was free."""


class Look(NamedTuple):
    """What is seen at one moment. Times are in nanoseconds, waits since the last look."""

    now: int
    late: int
    """How much later the event loop came to this look than it wanted to."""
    loop_ran: int
    loop_waited: int
    """The event loop's thread, for a CPU."""
    referee_waited: int
    """All threads of the referee."""
    bot_waited: int
    """All threads of the bot."""
    runnable: int
    """Threads of the machine that run or wait to run, the event loop's left out."""
    referee_runnable: int
    """How many of these are the referee's."""
    bot_runnable: int
    bot_hidden: int
    """What those of the bot may be waiting now: it shows once they run."""


class _Moment(NamedTuple):
    """One that was free if the event loop sleeps now."""

    at: int
    referee: float
    """What the referee had waited."""
    stalled: float
    bot: float
    bot_sleeps: bool


class Reckoning:
    """Adds up the looks of one question."""

    def __init__(self, started: int, cpus: int) -> None:
        self._cpus: Final = cpus
        self._seen_at = started
        self._referee = 0.0
        self._stalled = 0.0
        self._bot = 0.0
        self._most = 0.0
        self._looks = 0
        self._all_others = 0
        self._last: Look | None = None
        self._moment: _Moment | None = None
        self._free: Final = _Edges(started)
        self._moving: Final = _Edges(started)
        self._asleep: Final = _Edges(started)

    def add(self, look: Look) -> None:
        """Take the next look into account."""
        slept = look.now - self._seen_at - look.loop_ran - look.loop_waited
        self._seen_at = look.now
        if self._moment is not None and slept >= LEAST_SLEEP_NS:
            self._free.mark(self._moment.at, self._moment.referee)
            self._moving.mark(self._moment.at, self._moment.stalled)
            if self._moment.bot_sleeps:
                self._asleep.mark(self._moment.at, self._moment.bot)
        before = self._last or look
        others = (_others(before) + _others(look)) / 2
        bots = (before.bot_runnable + look.bot_runnable) / 2
        self._referee += look.referee_waited * _share(others, bots)
        # A loop that was late because it ran is our own doing. One that neither ran nor waited
        # stood still: a slow disk, or somebody has stopped it.
        idle = max(0, look.late - look.loop_waited)
        self._referee += min(idle, look.loop_ran)
        self._stalled += max(0, idle - look.loop_ran)
        self._bot += look.bot_waited * _share(others, bots - 1)
        self._most = self._bot + look.bot_hidden * _share(others, bots - 1)
        self._looks += 1
        self._all_others += _others(look)
        self._last = look
        self._moment = None
        if not look.referee_runnable:
            self._moment = _Moment(
                look.now, self._referee, self._stalled, self._bot, not look.bot_runnable
            )

    def waits(self, *, cpu_ns: int, busiest_ns: int, watched_ns: int) -> Waits:
        """What there is so far; the arguments are a bot's CPU time, as ``BotWaits`` has it."""
        return Waits(
            _microseconds(self._free.outside(self._seen_at, self._referee)),
            _microseconds(self._moving.outside(self._seen_at, self._stalled)),
            BotWaits(
                waited_us=_microseconds(self._asleep.outside(self._seen_at, self._bot)),
                most_us=_microseconds(self._most),
                cpu_us=cpu_ns // 1000,
                busiest_us=busiest_ns // 1000,
                watched_us=watched_ns // 1000,
                sharers=1 + self._all_others / max(1, self._looks) / self._cpus,
            ),
        )


class _Edges:
    """What a figure grows before the first mark and after the last, at most the time of both."""

    def __init__(self, started: int) -> None:
        self._started: Final = started
        self._first: tuple[int, float] | None = None
        self._last: tuple[int, float] = (started, 0.0)

    def mark(self, now: int, figure: float) -> None:
        self._last = (now, figure)
        self._first = self._first or self._last

    def outside(self, now: int, figure: float) -> float:
        first, grown = self._first or (self._started, 0.0)
        last, grown_later = self._last
        return min(first - self._started + now - last, grown + figure - grown_later)


def _others(look: Look) -> int:
    return max(0, look.runnable - look.bot_runnable)


def _share(others: float, own: float) -> float:
    """Of a wait for a CPU, what is the others' doing: who waits, waits for all that run."""
    return others / (others + max(0.0, own)) if others else 0.0


def _microseconds(nanoseconds: float) -> int:
    return round(nanoseconds) // 1000
