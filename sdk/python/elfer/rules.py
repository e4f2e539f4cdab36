"""What a match is played by: rules, series, time, conduct."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True)
class Conduct:
    """What a breach costs."""

    retries: int
    """How often a refused answer may be given again within the same clock."""
    penalties: Mapping[str, int]
    """Points by kind of infraction, such as ``"late"`` or ``"illegal"``."""
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
    )


def conduct_of(message: play_pb2.Conduct) -> Conduct:
    penalties = {infraction_kind(p.kind): p.points for p in message.penalties}
    return Conduct(message.retries, penalties, message.list_only)


def infraction_kind(kind: play_pb2.InfractionKind.ValueType) -> str:
    """``"late"`` for ``INFRACTION_KIND_LATE``; ``"unknown"`` for one this SDK does not know."""
    value = play_pb2.InfractionKind.DESCRIPTOR.values_by_number.get(kind)
    if value is None:
        return "unknown"
    name: str = value.name
    return name.removeprefix("INFRACTION_KIND_").lower()
