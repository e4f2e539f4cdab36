"""A bot that does wrong, and what is noted of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.match.conduct import BREACHES, Consequence, Infraction


class Seen(NamedTuple):
    """What the record has of an infraction."""

    kind: Infraction
    penalty: int
    consequence: Consequence


def seen(kind: Infraction, consequence: Consequence) -> Seen:
    """An infraction at its default price."""
    return Seen(kind, BREACHES[kind].default.penalty, consequence)


@dataclass(frozen=True, slots=True)
class Case:
    """A bot of ``tests.bots`` against one that plays well."""

    mode: str
    does: str
    """What the bot does, in words."""
    seen: Sequence[Seen] = ()
    """In each match."""
    detail: str = ""
    """Of every infraction; part of it where it says what the bot did."""
    section: str = "§7.4"
    starts: int = 1
    """Processes over all matches."""
    matches: int = 2
    move: str = "2s"
    start: str = "60s"
    tables: str = ""
    """Of the league file, where it is not the defaults."""
    log: str = ""
    """Stands in the bot's log."""
    program: str = "python"

    @property
    def forfeits(self) -> bool:
        return any(seen.consequence is Consequence.FORFEIT for seen in self.seen)
