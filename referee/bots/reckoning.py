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

ON_TIME_NS: Final = 1_000_000
"""An event loop that wakes no later than this was not kept waiting: timers are no finer."""
LEAST_SLEEP_NS: Final = 1_000_000
"""How long the event loop has to sleep after a moment that was free."""


class Crowd(NamedTuple):
    """What the threads of the referee and of the bot do. Waits are those since the last look."""

    referee_waited: int
    """Without the event loop's thread."""
    referee_runnable: int
    """How many run or wait to run; without the event loop's."""
    bot_waited: int
    bot_runnable: int
    bot_hidden: int
    """What those of the bot may be waiting now: it shows once they run."""


class Look(NamedTuple):
    """What is seen at one moment. Times are in nanoseconds."""

    now: int
    late: int
    """How much later the event loop came to this look than it wanted to."""
    loop_ran: int
    """Its thread, since the last look."""
    loop_waited: int
    runnable: int
    """How many threads of the machine run or wait to run, the event loop's left out."""
    crowd: Crowd | None
    """``None`` where there was a CPU for everybody."""


class _Moment(NamedTuple):
    """One that was free if the event loop sleeps now, and what had been waited by then."""

    at: int
    referee: float
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
        self._crowded = 0
        """How many looks found a crowd."""
        self._all_others = 0
        self._wanting: tuple[int, int] | None = None
        """How many threads of others, and of the bot, wanted a CPU at the last of these."""
        self._moment: _Moment | None = None
        self._free: Final = _Edges(started)
        self._moving: Final = _Edges(started)
        self._asleep: Final = _Edges(started)

    def add(self, look: Look) -> None:
        """Take the next look into account."""
        slept = look.now - self._seen_at - look.loop_ran - look.loop_waited
        self._seen_at = look.now
        if self._moment is not None and slept >= LEAST_SLEEP_NS:
            self._mark(self._moment)
        # A loop that was late because it ran is our own doing. One that neither ran nor waited
        # stood still: a slow disk, or somebody has stopped it.
        idle = max(0, look.late - look.loop_waited) if look.late > ON_TIME_NS else 0
        self._referee += min(idle, look.loop_ran)
        self._stalled += max(0, idle - look.loop_ran)
        if look.crowd is not None:
            self._add_waits(look, look.crowd)
        free = look.crowd is None or not look.crowd.referee_runnable
        sleeps = not (look.runnable if look.crowd is None else look.crowd.bot_runnable)
        moment = _Moment(look.now, self._referee, self._stalled, self._bot, sleeps)
        self._moment = moment if free else None

    def waits(self, *, cpu_ns: int, busiest_ns: int, watched_ns: int) -> Waits:
        """What there is so far; the arguments are for ``BotWaits``."""
        now = self._seen_at
        return Waits(
            referee_us=_microseconds(self._free.outside(now, self._referee)),
            stalled_us=_microseconds(self._moving.outside(now, self._stalled)),
            bot=BotWaits(
                waited_us=_microseconds(self._asleep.outside(now, self._bot)),
                most_us=_microseconds(self._most),
                cpu_us=cpu_ns // 1000,
                busiest_us=busiest_ns // 1000,
                watched_us=watched_ns // 1000,
                sharers=1 + self._all_others / max(1, self._crowded) / self._cpus,
            ),
        )

    def _add_waits(self, look: Look, crowd: Crowd) -> None:
        wanting = max(0, look.runnable - crowd.bot_runnable), crowd.bot_runnable
        before, self._wanting = self._wanting or wanting, wanting
        others, bots = ((then + now) / 2 for then, now in zip(before, wanting, strict=True))
        self._crowded += 1
        self._all_others += wanting[0]
        share = _share(others, bots)
        self._referee += (look.loop_waited + crowd.referee_waited) * share
        # One of the bot's threads is the one that waits.
        share = _share(others, bots - 1)
        self._bot += crowd.bot_waited * share
        self._most = self._bot + crowd.bot_hidden * share

    def _mark(self, moment: _Moment) -> None:
        self._free.mark(moment.at, moment.referee)
        self._moving.mark(moment.at, moment.stalled)
        if moment.bot_sleeps:
            self._asleep.mark(moment.at, moment.bot)


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


def _share(others: float, own: float) -> float:
    """Of a wait for a CPU, what is others' doing: who waits, waits for all that run."""
    return others / (others + own) if own > 0 else 1.0


def _microseconds(nanoseconds: float) -> int:
    return round(nanoseconds) // 1000
