"""What a breach costs and what follows: the league's policy, as data.

The rulebook knows no penalties (§7.4); they change the placing afterwards. Every
kind of breach, its default penalty and its consequence stand in the one table
``BREACHES``, in order of precedence: when one turn shows several, the first row counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from referee.core.game import Ruling


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
    """Not given so far: the first answer to a request that is over is dropped."""


class Consequence(StrEnum):
    """What follows at once."""

    NONE = "none"
    RETRY = "retry"
    HOUSE = "house"
    FORFEIT = "forfeit"


class Fault(StrEnum):
    """Whose fault it was. Only a bot's costs anything."""

    BOT = "bot"
    REFEREE = "referee"
    HOST = "host"


class Breach(NamedTuple):
    """One row of the table."""

    penalty: int
    """Points added to the match's total by default."""
    consequence: Consequence
    """RETRY falls back to HOUSE when no try is left."""
    text: str


BREACHES: Final[Mapping[Infraction, Breach]] = MappingProxyType(
    {
        Infraction.RESIGNED: Breach(0, Consequence.FORFEIT, "The bot gave the match up."),
        Infraction.START_FAILURE: Breach(50, Consequence.FORFEIT, "The bot did not come up."),
        Infraction.CRASHED: Breach(50, Consequence.FORFEIT, "The bot's process ended."),
        Infraction.DISCONNECTED: Breach(50, Consequence.FORFEIT, "The bot's stream ended."),
        Infraction.PROTOCOL_VIOLATION: Breach(
            50, Consequence.FORFEIT, "The bot broke the protocol."
        ),
        Infraction.FLOOD: Breach(50, Consequence.FORFEIT, "The bot sent too much."),
        Infraction.LATE: Breach(20, Consequence.HOUSE, "The answer was not there in time."),
        Infraction.MALFORMED: Breach(10, Consequence.RETRY, "The answer could not be read."),
        Infraction.ILLEGAL: Breach(10, Consequence.RETRY, "The rules refuse the answer."),
        Infraction.WRONG_SEAT: Breach(
            10, Consequence.NONE, "The answer was for a match that the bot does not play."
        ),
        Infraction.EARLY: Breach(10, Consequence.NONE, "The answer came before it was asked for."),
        Infraction.DUPLICATE: Breach(5, Consequence.NONE, "The request was answered already."),
        Infraction.STALE: Breach(0, Consequence.NONE, "The request was over already."),
    }
)


CONDUCT_SECTION: Final = "§7.4"
"""Where the rulebook leaves breaches to the league's conduct."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """A league's policy."""

    retries: int = 1
    """How often a refused answer may be given again within the same clock."""
    penalties: Mapping[Infraction, int] = field(
        default_factory=lambda: {kind: breach.penalty for kind, breach in BREACHES.items()}
    )
    """Points for every kind."""
    list_only: bool = False
    """Penalties are listed and not added to the totals."""


def follows(kind: Infraction, conduct: Conduct, try_: int, left_us: int | None) -> Consequence:
    """What follows a breach on try ``try_`` (from 1) of a question with ``left_us`` left."""
    consequence = BREACHES[kind].consequence
    if consequence is Consequence.RETRY and (try_ > conduct.retries or left_us == 0):
        return Consequence.HOUSE
    return consequence


def breach_ruling(kind: Infraction) -> Ruling:
    """The ruling on an answer that the league's conduct refuses, not the game's rules."""
    return Ruling(kind.value, CONDUCT_SECTION, 0, BREACHES[kind].text)
