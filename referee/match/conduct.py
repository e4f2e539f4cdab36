"""What a breach costs and what follows: the league's policy, as data.

The rulebook knows no penalties (§7.4); they change the placing afterwards. Every
kind of breach, what it costs by default and what may follow stand in the one table
``BREACHES``, in order of precedence: when one turn shows several, the first row counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.core.game import Ruling

DEFAULT_GRACE_US: Final = 2_000_000


class Infraction(StrEnum):
    """The kinds of breach."""

    RESIGNED = "resigned"
    START_FAILURE = "start_failure"
    CRASHED = "crashed"
    DISCONNECTED = "disconnected"
    PROTOCOL_VIOLATION = "protocol_violation"
    FLOOD = "flood"
    LATE = "late"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    WRONG_SEAT = "wrong_seat"
    EARLY = "early"
    DUPLICATE = "duplicate"
    STALE = "stale"


class Consequence(StrEnum):
    """What follows at once."""

    NONE = "none"
    """The penalty alone."""
    RETRY = "retry"
    """The bot is asked again."""
    HOUSE = "house"
    """The house plays the turn."""
    RESTART = "restart"
    """The house plays the turn, and the bot is started again."""
    FORFEIT = "forfeit"
    """The house plays the seat from here on."""


class Fault(StrEnum):
    """Whose fault it was. Only a bot's costs anything."""

    BOT = "bot"
    REFEREE = "referee"
    HOST = "host"


class Measure(NamedTuple):
    """What a league does about one kind of breach."""

    penalty: int
    """Points added to the match's total."""
    strikes: int
    consequence: Consequence
    """RETRY falls back to HOUSE when no try is left, RESTART to FORFEIT when no restart is."""


class Breach(NamedTuple):
    """One row of the table."""

    default: Measure
    allowed: tuple[Consequence, ...]
    """What a league may let follow."""
    text: str
    """Stands in records, which are checked against it: never changed."""


_NONE, _RETRY, _HOUSE, _RESTART, _FORFEIT = Consequence
_GONE: Final = (_RESTART, _FORFEIT)
_ASKED: Final = (_RETRY, _HOUSE, _FORFEIT)
_BESIDE: Final = (_NONE, _FORFEIT)

BREACHES: Final[Mapping[Infraction, Breach]] = MappingProxyType(
    {
        Infraction.RESIGNED: Breach(
            Measure(0, 0, _FORFEIT), (_FORFEIT,), "The bot gave the match up."
        ),
        Infraction.START_FAILURE: Breach(
            Measure(50, 1, _FORFEIT), _GONE, "The bot did not come up."
        ),
        Infraction.CRASHED: Breach(Measure(50, 1, _RESTART), _GONE, "The bot's process ended."),
        Infraction.DISCONNECTED: Breach(Measure(50, 1, _FORFEIT), _GONE, "The bot's stream ended."),
        Infraction.PROTOCOL_VIOLATION: Breach(
            Measure(50, 1, _FORFEIT), _GONE, "The bot broke the protocol."
        ),
        Infraction.FLOOD: Breach(Measure(50, 1, _FORFEIT), _GONE, "The bot sent too much."),
        Infraction.LATE: Breach(
            Measure(20, 1, _HOUSE), (_HOUSE, _FORFEIT), "The answer was not there in time."
        ),
        Infraction.MALFORMED: Breach(
            Measure(10, 1, _RETRY), _ASKED, "The answer could not be read."
        ),
        Infraction.ILLEGAL: Breach(Measure(10, 1, _RETRY), _ASKED, "The rules refuse the answer."),
        Infraction.WRONG_SEAT: Breach(
            Measure(10, 1, _NONE),
            _BESIDE,
            "The answer was for a match that the bot does not play.",
        ),
        Infraction.EARLY: Breach(
            Measure(10, 1, _NONE), _BESIDE, "The answer came before it was asked for."
        ),
        Infraction.DUPLICATE: Breach(
            Measure(5, 1, _NONE), _BESIDE, "The request was answered already."
        ),
        Infraction.STALE: Breach(
            Measure(5, 1, _NONE), _BESIDE, "The answer was to a request of an earlier turn."
        ),
    }
)


_PRECEDENCE: Final = tuple(BREACHES)


def goes_before(kind: Infraction, other: Infraction) -> bool:
    """Whether it is this one that counts, where one question shows both."""
    return _PRECEDENCE.index(kind) < _PRECEDENCE.index(other)


CONDUCT_SECTION: Final = "§7.4"
"""Where the rulebook leaves breaches to the league's conduct."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """A league's policy."""

    retries: int = 1
    """How often a refused answer may be given again within the same clock."""
    restarts: int = 1
    """How often in a match a bot that is gone may be started again."""
    strike_limit: int | None = 10
    """Who has so many strikes in a match forfeits it; ``None``: nobody does."""
    grace_us: int = DEFAULT_GRACE_US
    """How long a lost stream may be taken up again. Clocks run on meanwhile."""
    measures: Mapping[Infraction, Measure] = field(
        default_factory=lambda: {kind: breach.default for kind, breach in BREACHES.items()}
    )
    """One for every kind."""
    list_only: bool = False
    """Penalties are listed and not added to the totals."""

    def follows(
        self,
        kind: Infraction,
        *,
        strikes: int,
        restarts: int,
        try_: int | None = None,
        time_left: bool = True,
        flagged: bool = False,
    ) -> Consequence:
        """What follows a breach of this kind.

        ``strikes`` are the seat's, this breach's included, ``restarts`` those that it has had.
        ``try_`` counts from 1; without it the breach was beside any question.
        """
        consequence = self.measures[kind].consequence
        if flagged or (self.strike_limit is not None and strikes >= self.strike_limit):
            return Consequence.FORFEIT
        if consequence is Consequence.RESTART and restarts >= self.restarts:
            return Consequence.FORFEIT
        if try_ is None and consequence in {Consequence.RETRY, Consequence.HOUSE}:
            return Consequence.NONE
        if consequence is Consequence.RETRY and not (
            try_ is not None and try_ <= self.retries and time_left
        ):
            return Consequence.HOUSE
        return consequence


def breach_ruling(kind: Infraction) -> Ruling:
    """The ruling on an answer that the league's conduct refuses, not the game's rules."""
    return Ruling(kind.value, CONDUCT_SECTION, 0, BREACHES[kind].text)
