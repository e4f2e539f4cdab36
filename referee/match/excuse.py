"""What of a question's time was no doing of the bot's: from waits to what is excused.

``docs/clock.md`` gives the reasons, and says what the figures cannot tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

FLOOR_US: Final = 2_000
"""Less than this is not excused: so much is noise."""
FAIRNESS: Final = 1.5
"""A fair share may be smaller by this over the few slices of time that a turn has."""
MARGIN_US: Final = 10_000
"""By how much a bot may be late where the platform does not tell what it waited."""


@dataclass(frozen=True, slots=True)
class BotWaits:
    """What was seen of a bot's process and all that it started. Times in microseconds.

    Waits are those of all threads together, as far as others than the bot caused them.
    """

    waited_us: int
    """Without what lies between two moments at which the whole bot slept."""
    most_us: int
    """All, what has not shown yet included."""
    cpu_us: int
    """CPU time of all threads."""
    busiest_us: int
    """CPU time of the one that had most."""
    watched_us: int
    """For how long; not from the question's first moment."""
    sharers: float
    """How many tasks shared a CPU with a thread of the bot, that thread included."""

    def __str__(self) -> str:
        return (
            f"{milliseconds(self.waited_us)} (at most {milliseconds(self.most_us)}), CPU time "
            f"{milliseconds(self.cpu_us)} (one thread {milliseconds(self.busiest_us)}), "
            f"{self.sharers:.1f} tasks to a CPU"
        )


@dataclass(frozen=True, slots=True)
class Waits:
    """Who was kept waiting while a question was open."""

    referee_us: int = 0
    """The referee, as far as it may have had the question or the answer in hand."""
    stalled_us: int = 0
    """The same, when it neither ran nor waited for a CPU and yet was late."""
    bot: BotWaits | None = None
    """``None`` where the platform does not tell."""

    def __str__(self) -> str:
        bot = "unknown" if self.bot is None else self.bot
        referee = f"{milliseconds(self.referee_us)} (stood still {milliseconds(self.stalled_us)})"
        return f"referee waited {referee}, bot {bot}"


@dataclass(frozen=True, slots=True)
class Excuse:
    """What is excused of a question's time, in microseconds, and why."""

    excused_us: int
    most_us: int
    """What may have been the host's doing, at the most."""
    text: str
    """Empty where nothing is excused."""


class Lateness(Enum):
    """Whether a bot was late."""

    NONE = auto()
    DOUBTFUL = auto()
    """The figures do not tell whether by its own doing or the host's."""
    CERTAIN = auto()


def excuse(elapsed_us: int, waits: Waits, allowed_us: int | None = None) -> Excuse:
    """What is excused of ``elapsed_us``: never less than 0, never more than all of it.

    ``allowed_us`` matters only where the platform does not tell what the bot waited.
    """
    referee_us = min(elapsed_us, waits.referee_us)
    rest_us = elapsed_us - referee_us
    if waits.bot is None:
        return _with_margin(referee_us, rest_us, allowed_us)
    bot = waits.bot
    # A bot that had its fair share of a CPU was kept from nothing, however long some thread
    # waited: one that spins beside a sleeper always waits.
    fair_us = round(FAIRNESS * bot.sharers * bot.cpu_us)
    starved_us = max(0, min(rest_us, bot.watched_us) - fair_us)
    bot_us = min(bot.waited_us, starved_us)
    excused_us = referee_us + bot_us
    text = f"referee waited {milliseconds(referee_us)}, bot {milliseconds(bot_us)}"
    if excused_us < FLOOR_US:
        excused_us, text = 0, ""
    most_us = referee_us + min(waits.stalled_us + bot.most_us, rest_us)
    most_us = min(most_us, elapsed_us - bot.busiest_us)
    return Excuse(excused_us, max(excused_us, most_us), text)


def lateness(elapsed_us: int, excused: Excuse, allowed_us: int | None) -> Lateness:
    """Judge what counts of ``elapsed_us`` by what is allowed; ``None`` is for ever."""
    if allowed_us is None or elapsed_us - excused.excused_us <= allowed_us:
        return Lateness.NONE
    if elapsed_us - excused.most_us <= allowed_us:
        return Lateness.DOUBTFUL
    return Lateness.CERTAIN


def _with_margin(referee_us: int, rest_us: int, allowed_us: int | None) -> Excuse:
    excused_us = referee_us if referee_us >= FLOOR_US else 0
    counted_us = referee_us + rest_us - excused_us
    late_us = 0 if allowed_us is None else max(0, counted_us - allowed_us)
    if 0 < late_us <= MARGIN_US:
        text = f"referee waited {milliseconds(excused_us)}, bot unknown: margin used"
        excused_us += late_us
    else:
        text = f"referee waited {milliseconds(excused_us)}, bot unknown" if excused_us else ""
    return Excuse(excused_us, excused_us, text)


def milliseconds(microseconds: int) -> str:
    return f"{microseconds / 1000:.1f} ms"
