"""What goes into the ledger and comes out of it, as plain data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from referee.league.redraws import Redraw
from referee.league.results import MatchResult, SeatResult
from referee.match.conduct import Consequence, Fault, Infraction
from referee.match.record import MatchRecord, Result


class LeagueState(StrEnum):
    OPEN = "open"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FINISHED = "finished"

    @property
    def over(self) -> bool:
        """Nothing is played any more, so nothing has to be held back (§10.4)."""
        return self in (LeagueState.CANCELLED, LeagueState.FINISHED)


class EntrantState(StrEnum):
    IN = "in"
    WITHDRAWN = "withdrawn"
    """It plays no more; what it played counts."""
    DISQUALIFIED = "disqualified"
    """It plays no more; standings are without the matches in which it sat."""


class AttemptStatus(StrEnum):
    RUNNING = "running"
    COUNTED = "counted"
    VOID = "void"


class VoidCause(StrEnum):
    """Why an attempt does not count. Never a bot's doing."""

    INTERRUPTED = "interrupted"
    REFEREE = "referee"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Entrant:
    name: str
    path: str
    version: str
    author: str
    language: str
    bundle_sha256: bytes
    state: EntrantState = EntrantState.IN
    since: datetime | None = None
    """When it left."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class League:
    name: str
    format: str
    """The resolved league file as canonical JSON."""
    format_sha256: bytes
    seed: bytes
    """To be shown to nobody before the league is over (§10.4)."""
    seed_commitment: bytes
    created_at: datetime
    entrants: tuple[Entrant, ...]
    """By name."""
    state: LeagueState = LeagueState.OPEN
    since: datetime | None = None
    """When it got its state; ``None`` where that is unknown or it has been open all along."""
    reason: str = ""
    """What an operator gave for it."""
    redraws: tuple[Redraw, ...] = ()
    """By table, in the order in which they were made."""
    archive_sha256: bytes | None = None
    """Of an imported league: which archive it came from. None of one's own has any."""

    @property
    def imported(self) -> bool:
        return self.archive_sha256 is not None

    @property
    def gone(self) -> frozenset[str]:
        """Entrants that play no more."""
        return frozenset(
            entrant.name for entrant in self.entrants if entrant.state is not EntrantState.IN
        )

    @property
    def disqualified(self) -> frozenset[str]:
        return frozenset(
            entrant.name for entrant in self.entrants if entrant.state is EntrantState.DISQUALIFIED
        )


@dataclass(frozen=True, slots=True)
class Lease:
    """Who runs a league. Without it nobody opens, counts or voids an attempt at its matches."""

    league: str
    token: str
    """Nobody else's."""
    host: str
    worker: str
    since: datetime
    """By the clock of its host."""


@dataclass(frozen=True, slots=True)
class HeldLease:
    lease: Lease
    silent_seconds: float
    """Since the last sign of life of whoever holds it, by the database's clock."""


@dataclass(frozen=True, slots=True)
class LeaguePlace:
    """Which match of its league a match is."""

    table: str
    """The sorted names joined by ``+``."""
    deal: int
    rotation: int


@dataclass(frozen=True, slots=True)
class OpenAttempt:
    """An attempt that is running."""

    id: int
    match_key: str
    number: int
    """From 1, per match."""
    lease: Lease | None = None
    """Under which it was opened; a single match has none."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as bytes, which are never encoded again."""

    record: bytes
    sha256: bytes
    signature: bytes | None = None
    public_key: bytes | None = None

    def __post_init__(self) -> None:
        """Raises ``ValueError`` when the bytes have another digest."""
        if hashlib.sha256(self.record).digest() != self.sha256:
            raise ValueError("the record's bytes have another SHA-256")


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    match_key: str
    """Where the record is found in this database."""
    new: bool
    """Whether it was not there before."""


@dataclass(frozen=True, slots=True)
class CountedAttempt:
    """The attempt that counts."""

    number: int
    started_at: datetime
    ended_at: datetime
    games: int
    """Games whose points count; a tie-break game's do not (§7.2)."""
    result: Result
    seats: tuple[SeatResult, ...]
    """By seat."""
    play_digest: bytes
    record_sha256: bytes


@dataclass(frozen=True, slots=True)
class MatchEntry:
    match_key: str
    deal_key: str
    league: str | None
    place: LeaguePlace | None
    imported: bool
    """Brought in from a file: it counts in no league."""
    attempts: int
    running: bool
    counted: CountedAttempt | None
    """Of a replaced deal, too; but then the match counts nothing."""
    replaced_by: int | None = None
    """The deal that replaces its deal, where one does."""

    @property
    def result(self) -> MatchResult | None:
        """What it gives the standings, if its deal is not replaced; ``None`` where nothing."""
        if self.counted is None or self.place is None:
            return None
        return MatchResult(
            match_key=self.match_key,
            table=self.place.table,
            deal=self.place.deal,
            games=self.counted.games,
            result=self.counted.result,
            seats=self.counted.seats,
        )


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game that was played to its end."""

    number: int
    dealer: int
    points: tuple[int, ...]
    """By match seat."""
    turns: int
    tie_break: bool


@dataclass(frozen=True, slots=True)
class InfractionEntry:
    match_key: str
    game: int
    turn: int
    seat: int
    bot: str
    kind: Infraction
    penalty: int
    strikes: int
    consequence: Consequence
    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class AttemptEntry:
    match_key: str
    number: int
    status: AttemptStatus
    cause: VoidCause | None
    detail: str
    bot: str | None
    """At whose question a void attempt broke off, where it was at one's."""
    standing: Mapping[str, int] | None
    """The points by bot when it broke off, where a match was under way."""
    started_at: datetime
    ended_at: datetime | None
    host: str
    worker: str
    replaced_by: int | None = None
    """The deal that replaces the match's deal, where one does."""

    @property
    def led(self) -> tuple[str, ...]:
        """Who had the fewest points when it broke off, and loses by another attempt."""
        return self._with(min)

    @property
    def trailed(self) -> tuple[str, ...]:
        """Who had the most points when it broke off, and gains by another attempt."""
        return self._with(max)

    def _with(self, which: Callable[[Iterable[int]], int]) -> tuple[str, ...]:
        points = self.standing or {}
        if len(set(points.values())) < 2:
            return ()
        wanted = which(points.values())
        return tuple(bot for bot, held in points.items() if held == wanted)


@dataclass(frozen=True, slots=True)
class ArchivedMatch:
    """A match of a league that is imported."""

    place: LeaguePlace
    attempts: tuple[AttemptEntry, ...]
    """In order; none is running."""
    record: MatchRecord | None
    """Of the attempt that counts, where one does."""
    stored: StoredRecord | None


@dataclass(frozen=True, slots=True)
class MatchDetail:
    """Everything about one match but its record."""

    entry: MatchEntry
    games: tuple[GameEntry, ...]
    infractions: tuple[InfractionEntry, ...]
    attempts: tuple[AttemptEntry, ...]
