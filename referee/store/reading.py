"""What the ledger tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from referee.core.errors import InputError, NotFoundError
from referee.core.text import sanitise
from referee.league.results import MatchResult
from referee.store import leases, lookup
from referee.store.database import Database
from referee.store.entries import (
    AttemptEntry,
    AttemptStatus,
    HeldLease,
    InfractionEntry,
    League,
    MatchDetail,
    MatchEntry,
    StoredRecord,
    VoidCause,
)
from referee.store.redraws import REPLACED_BY
from referee.store.tables import AttemptRow, LeagueRow, MatchRow, SeatRow

T = TypeVar("T")

_PLACE: Final = (MatchRow.table_key, MatchRow.deal, MatchRow.rotation)
_MATCHES: Final = 500
"""Matches that are in memory at once."""
_RECORDS: Final = 20
"""Records that are: they are large."""
_KEY: Final = re.compile(r"[a-z0-9._+@/-]+")
_MOST_NAMED: Final = 3


class Reading:
    """All that changes nothing. Iterators read on while they are used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_league(self, name: str) -> League:
        """Raises ``NotFoundError``, as everything here that takes a league's name."""
        with self._database.reading() as session:
            return lookup.league(session, lookup.league_row(session, name))

    def list_leagues(self) -> list[League]:
        """By name."""
        with self._database.reading() as session:
            rows = session.scalars(select(LeagueRow).order_by(LeagueRow.name)).all()
            return [lookup.league(session, row) for row in rows]

    def counted_keys(self, league: str) -> set[str]:
        """The keys of matches that need not be played again."""
        with self._database.reading() as session:
            of_league = _of_league(session, league)
            return set(session.scalars(lookup.counted(select(MatchRow.match_key)).where(of_league)))

    def lease(self, league: str) -> HeldLease | None:
        """Who runs a league, or did so when it was killed."""
        with self._database.reading() as session:
            return leases.held(session, lookup.league_row(session, league))

    def results(self, league: str) -> Iterator[MatchResult]:
        """What makes the standings of a league, by table, deal and rotation.

        That is every match that counts but those of bots that are disqualified.
        """
        disqualified = self.get_league(league).disqualified
        for entry in self.list_matches(league):
            result = entry.result
            if result is None or entry.replaced_by is not None:
                continue
            if disqualified.isdisjoint(result.table.split("+")):
                yield result

    def list_matches(
        self, league: str | None = None, bot: str | None = None
    ) -> Iterator[MatchEntry]:
        """The matches of a league, by table, deal and rotation; else all, in order of age.

        With ``bot`` those that it played to a result.
        """
        matches = select(MatchRow.id)
        with self._database.reading() as session:
            if league is not None:
                matches = matches.where(_of_league(session, league)).order_by(*_PLACE)
            if bot is not None:
                played = select(AttemptRow.match_id).join(
                    SeatRow, SeatRow.attempt_id == AttemptRow.id
                )
                matches = matches.where(MatchRow.id.in_(played.where(SeatRow.bot == sanitise(bot))))
            ids = session.scalars(matches.order_by(MatchRow.id)).all()
        return self._in_batches(ids, lookup.match_entries)

    def find_match(self, text: str) -> str:
        """The key of the match that ``text`` is, or alone begins with.

        Raises ``NotFoundError``, and ``InputError`` when there are several.
        """
        if not _KEY.fullmatch(text):
            raise NotFoundError(f"there is no match {sanitise(text)!r}: that is no match key")
        begins = (MatchRow.match_key >= text) & (MatchRow.match_key < text + "\U0010ffff")
        keys = select(MatchRow.match_key).where(begins).order_by(MatchRow.match_key)
        with self._database.reading() as session:
            # An exact key sorts before those that only begin with it.
            found = session.scalars(keys.limit(_MOST_NAMED + 1)).all()
        if not found:
            raise NotFoundError(f"there is no match {text!r} in this database")
        if found[0] != text and len(found) > 1:
            named = ", ".join(found[:_MOST_NAMED])
            more = ", ..." if len(found) > _MOST_NAMED else ""
            raise InputError(f"several matches begin with {text!r}: {named}{more}")
        return found[0]

    def get_match(self, match_key: str) -> MatchDetail:
        """Raises ``NotFoundError`` when there is no match with exactly this key."""
        with self._database.reading() as session:
            match_id = _match_id(session, match_key)
            return MatchDetail(
                entry=next(lookup.match_entries(session, [match_id])),
                games=lookup.games(session, match_id),
                infractions=tuple(lookup.infractions(session, [match_id])),
                attempts=tuple(lookup.attempts(session, [match_id])),
            )

    def infractions(self, league: str) -> Iterator[InfractionEntry]:
        """Those of matches that count, by table, deal and rotation."""
        return self._in_batches(self._matches_of(league, counting=True), lookup.infractions)

    def attempts(self, league: str) -> Iterator[AttemptEntry]:
        """Every attempt, by table, deal and rotation."""
        return self._in_batches(self._matches_of(league), lookup.attempts)

    def host_voids(self, league: str) -> dict[str, int]:
        """By bot, how many attempts at a league's matches the host broke off at its question."""
        with self._database.reading() as session:
            found = session.execute(
                select(AttemptRow.bot, func.count())
                .join(MatchRow, MatchRow.id == AttemptRow.match_id)
                .where(_of_league(session, league), AttemptRow.cause == VoidCause.HOST)
                .group_by(AttemptRow.bot)
                .order_by(AttemptRow.bot)
            )
            return {bot: count for bot, count in found if bot is not None}

    def running_singles(self) -> list[AttemptEntry]:
        """Attempts at single matches: they are being played, or their referee was killed."""
        with self._database.reading() as session:
            running = (
                select(AttemptRow.match_id)
                .join(MatchRow, MatchRow.id == AttemptRow.match_id)
                .where(MatchRow.league_id.is_(None), AttemptRow.status == AttemptStatus.RUNNING)
            )
            found = lookup.attempts(session, session.scalars(running).all())
            return [attempt for attempt in found if attempt.status is AttemptStatus.RUNNING]

    def get_record(self, match_key: str) -> StoredRecord:
        """The record of the attempt that counts.

        Raises ``NotFoundError`` when there is no match with exactly this key, or none counts,
        and ``VerificationError`` when the bytes were altered in the database.
        """
        with self._database.reading() as session:
            for _, stored in lookup.records(session, [_match_id(session, match_key)]):
                return stored
        raise NotFoundError(f"match {match_key!r} has no record: no attempt at it counts yet")

    def records(self, league: str) -> Iterator[tuple[str, StoredRecord]]:
        """Match key and record of every match that counts, by table, deal and rotation.

        Raises ``VerificationError`` at the first whose bytes were altered in the database.
        """
        matches = self._matches_of(league, counting=True)
        return self._in_batches(matches, lookup.records, size=_RECORDS)

    def _matches_of(self, league: str, *, counting: bool = False) -> Sequence[int]:
        """All, or those whose deals are not replaced."""
        with self._database.reading() as session:
            matches = select(MatchRow.id).where(_of_league(session, league))
            if counting:
                matches = matches.where(REPLACED_BY.is_(None))
            return session.scalars(matches.order_by(*_PLACE)).all()

    def _in_batches(
        self,
        match_ids: Sequence[int],
        load: Callable[[Session, Sequence[int]], Iterator[T]],
        size: int = _MATCHES,
    ) -> Iterator[T]:
        # No transaction is open while the caller looks at what it got.
        for start in range(0, len(match_ids), size):
            with self._database.reading() as session:
                batch = list(load(session, match_ids[start : start + size]))
            yield from batch


def _of_league(session: Session, league: str) -> ColumnElement[bool]:
    return MatchRow.league_id == lookup.league_row(session, league).id


def _match_id(session: Session, match_key: str) -> int:
    key = sanitise(match_key)
    match_id = session.scalar(select(MatchRow.id).where(MatchRow.match_key == key))
    if match_id is None:
        raise NotFoundError(f"there is no match {key!r} in this database")
    return match_id
