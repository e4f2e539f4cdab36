"""The record of one match, as plain data. ``referee.rpc.codec`` gives it bytes.

Durations are whole microseconds. ``docs/record.md`` is the contract; the names here are its.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Final

from referee.core.game import Ruling
from referee.match.clock import TimeControl, allowed
from referee.match.conduct import Conduct, Consequence, Fault, Infraction

FORMAT_VERSION: Final = 1
MOST_CARDS_KEPT: Final = 80
NO_SANDBOX: Final = "none"


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who sat at a seat."""

    seat: int
    bot: str
    """The entrant's name: a slug."""
    version: str
    bundle_sha256: bytes
    author: str
    language: str
    sandbox: str = NO_SANDBOX


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a bot sent: at most its first 80 cards, and how many there were."""

    cards: tuple[int, ...]
    count: int

    @classmethod
    def of(cls, cards: tuple[int, ...]) -> GivenAnswer:
        return cls(cards[:MOST_CARDS_KEPT], len(cards))


@dataclass(frozen=True, slots=True)
class AskRecord:
    """One question to a bot and what came of it."""

    game: int
    turn: int
    seat: int
    request_id: str
    try_: int
    limit_us: int | None
    bank_us: int | None
    match_left_us: int | None
    elapsed_us: int
    counted_us: int
    bot_cpu_us: int | None
    excused_us: int
    excuse: str
    answer: GivenAnswer | None
    """``None`` when no answer could be read."""
    ruling: Ruling | None
    """``None`` when the answer was accepted."""

    @property
    def allowed_us(self) -> int | None:
        """How long the answer might take; ``None`` was for ever."""
        return allowed(self.limit_us, self.bank_us, self.match_left_us)


@dataclass(frozen=True, slots=True)
class InfractionRecord:
    game: int
    turn: int
    seat: int
    kind: Infraction
    penalty: int
    strikes: int
    """How many this seat has in this match, this one included."""
    consequence: Consequence
    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. One value each per seat, but for ``winners``."""

    points: tuple[int, ...]
    penalties: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    """Competition ranking, 1 2 2 4 (§7.4)."""
    forfeits: tuple[bool, ...]
    winners: tuple[int, ...]
    """The seats in first place that did not forfeit."""

    def scores(self) -> tuple[Fraction, ...]:
        """What the match gives in the standings: (seats - place) / (seats - 1), ties averaged.

        Forfeited seats score 0 (§7.4). Exact, so that equal sums of them are equal.
        """
        seats = len(self.places)
        shared = [self.places.count(place) for place in self.places]
        return tuple(
            Fraction(0) if forfeit else Fraction(2 * (seats - place) - (tied - 1), 2 * (seats - 1))
            for place, tied, forfeit in zip(self.places, shared, self.forfeits, strict=True)
        )


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Everything about one attempt at a match, complete in itself."""

    league: str
    match_key: str
    deal_key: str
    attempt: int
    seats: tuple[SeatRecord, ...]
    time_control: TimeControl
    conduct: Conduct
    transcript: str
    seed_commitment: bytes
    asks: tuple[AskRecord, ...]
    infractions: tuple[InfractionRecord, ...]
    result: Result
    play_digest: bytes
    start_time: datetime
    end_time: datetime
    referee_version: str
    format_version: int = FORMAT_VERSION


def digest_of(transcript: str) -> bytes:
    """The play digest: SHA-256 of the whole text."""
    return hashlib.sha256(transcript.encode()).digest()
