"""What a match is played by: rules, series, time, conduct."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from google.protobuf.descriptor import EnumDescriptor

from elfer.cards import Card, Cards, Colour
from elfer.v1 import play_pb2


@dataclass(frozen=True)
class Rules:
    """The rules in force: every slot of the profile, by name.

    ``slots`` holds them as the transcript prints them; the properties read them.
    """

    game: str
    """``"elfer-raus"``"""
    profile: str
    """Such as ``"ravensburger@1"``."""
    slots: Mapping[str, str]

    @cached_property
    def colours(self) -> tuple[Colour, ...]:
        return tuple(c for c in Colour if c.letter in self.slots["colours"])

    @cached_property
    def numbers(self) -> range:
        """The numbers of the deck, both ends included."""
        low, high = self.slots["numbers"].split("-")
        return range(int(low), int(high) + 1)

    @cached_property
    def deck(self) -> Cards:
        """All cards that there are."""
        return Cards(c for c in Card if c.colour in self.colours and c.number in self.numbers)

    @property
    def start(self) -> str:
        """The numbers that open a row: ``"11"``, ``"10,11,12"``, ``"10|12"``, ``"any"``, ``"-"``.

        Which of them do so now, a view's ``starts`` says.
        """
        return self.slots["start"]

    @property
    def duty(self) -> bool:
        """Start cards are to be laid as soon as they can be (§4.5)."""
        return self.slots["duty"] == "yes"

    @property
    def draw(self) -> int:
        """The most cards that a stuck seat draws (§5.2)."""
        return int(self.slots["draw"])

    @property
    def free_pass(self) -> bool:
        """A seat may pass although a card fits (§9.1)."""
        return self.slots["pass"] == "free"

    def hand_size(self, seats: int) -> int:
        """How many cards each seat is dealt at a table of so many (§2.1)."""
        return int(self.slots["hand"].split(",")[seats - 2])


@dataclass(frozen=True)
class Series:
    """What makes the match: so many games, or games to a limit (§7)."""

    games: int | None
    limit: int | None
    cap: int | None
    """With a limit: the most games there can be."""

    def __str__(self) -> str:
        return f"games {self.games}" if self.limit is None else f"limit {self.limit} cap {self.cap}"


@dataclass(frozen=True)
class TimeControl:
    """Limits in seconds; ``math.inf`` where there is none."""

    move: float
    """For one turn, all its tries together."""
    bank: float
    """A store for the whole match that turns may draw on past their limit; 0 if there is none."""
    increment: float
    """Added to the bank after each turn."""
    match: float
    """For all turns of the match together; who has used it up forfeits."""


@dataclass(frozen=True)
class Conduct:
    """What a breach costs, and what follows. Kinds are words such as ``"late"``, ``"illegal"``."""

    retries: int
    """How often a refused answer may be given again within the same clock."""
    restarts: int
    """How often in the match a bot that is gone may be started again."""
    strike_limit: int | None
    """A seat with so many strikes in the match forfeits it; ``None``: no number of them does."""
    grace: float
    """Seconds within which a lost stream may be taken up again; the SDK does so."""
    penalties: Mapping[str, int]
    """Points by kind of infraction."""
    strikes: Mapping[str, int]
    """Strikes by kind of infraction."""
    consequences: Mapping[str, str]
    """By kind of infraction: ``"none"``, ``"retry"``, ``"house"``, ``"restart"``, ``"forfeit"``."""
    list_only: bool
    """Penalties are listed and not added to the totals."""


def rules_of(message: play_pb2.Rules) -> Rules:
    return Rules(message.game, message.profile, {s.name: s.value for s in message.slots})


def series_of(message: play_pb2.Series) -> Series:
    if message.WhichOneof("kind") == "games":
        return Series(message.games, None, None)
    return Series(None, message.limit, message.cap)


def time_control_of(message: play_pb2.TimeControl) -> TimeControl:
    return TimeControl(
        move=message.move_limit_us / 1e6 if message.HasField("move_limit_us") else math.inf,
        bank=message.bank_us / 1e6,
        increment=message.increment_us / 1e6,
        match=message.match_limit_us / 1e6 if message.HasField("match_limit_us") else math.inf,
    )


def conduct_of(message: play_pb2.Conduct) -> Conduct:
    kinds = {infraction_word(penalty.kind): penalty for penalty in message.penalties}
    return Conduct(
        retries=message.retries,
        restarts=message.restarts,
        strike_limit=message.strike_limit if message.HasField("strike_limit") else None,
        grace=message.grace_us / 1e6,
        penalties={kind: penalty.points for kind, penalty in kinds.items()},
        strikes={kind: penalty.strikes for kind, penalty in kinds.items()},
        consequences={kind: consequence_word(p.consequence) for kind, p in kinds.items()},
        list_only=message.list_only,
    )


def infraction_word(number: int) -> str:
    """``"late"`` for ``INFRACTION_KIND_LATE``; ``"unknown"`` for one this SDK does not know."""
    return _word(play_pb2.InfractionKind.DESCRIPTOR, "INFRACTION_KIND_", number)


def consequence_word(number: int) -> str:
    """``"retry"`` for ``CONSEQUENCE_RETRY``; ``"unknown"`` for one this SDK does not know."""
    return _word(play_pb2.Consequence.DESCRIPTOR, "CONSEQUENCE_", number)


def _word(enum: EnumDescriptor, prefix: str, number: int) -> str:
    if number == 0:
        return ""
    value = enum.values_by_number.get(number)
    return "unknown" if value is None else value.name.removeprefix(prefix).lower()
