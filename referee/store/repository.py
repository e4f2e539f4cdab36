"""The ledger's use cases. Plain data goes in and comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import exists, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.league.schedule import MatchPlan
from referee.match.record import MatchRecord
from referee.store import importing, lookup, rows
from referee.store.database import Database
from referee.store.entries import (
    ArchivedMatch,
    AttemptEntry,
    AttemptStatus,
    ImportedMatch,
    League,
    LeagueState,
    OpenAttempt,
    StoredRecord,
    VoidCause,
)
from referee.store.failures import AlreadyCountedError, NotRunningError
from referee.store.keeping import keep_record, keep_results
from referee.store.reading import Reading
from referee.store.tables import AttemptRow, LeagueRow, MatchRow


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Repository(Reading):
    """Leagues, the attempts at their matches, and what counts.

    Every method that writes is one transaction: it raises ``StoreError`` when the database
    fails, and then nothing of it is written. Those that take a league's name raise
    ``NotFoundError`` when there is no such league.
    """

    def __init__(self, database: Database, now: Callable[[], datetime] = _utc_now) -> None:
        super().__init__(database)
        self._now = now

    def create_league(self, league: League) -> None:
        """Raises ``InputError`` when the name is taken."""
        with self._database.writing() as session:
            if session.scalar(select(exists().where(LeagueRow.name == league.name))):
                raise InputError(f"there is a league {league.name!r} in this database already")
            row = rows.league_row(league)
            session.add(row)
            session.flush()
            session.add_all(rows.entrant_rows(row.id, league))

    def finish_league(self, name: str) -> None:
        """Every match counts: from here the league's seed may be shown."""
        with self._database.writing() as session:
            lookup.league_row(session, name).state = LeagueState.FINISHED

    def open_attempts(
        self, league: str, plans: Iterable[MatchPlan], *, host: str, worker: str
    ) -> list[OpenAttempt]:
        """Begin the next attempt at each match of a sitting, in the order given.

        Raises ``AlreadyCountedError`` when one of the matches counts.
        """
        with self._database.writing() as session:
            league_id = lookup.league_row(session, league).id
            matches = [rows.match_row(league_id, plan) for plan in plans]
            return [self._open(session, match, host, worker) for match in matches]

    def open_single(self, match_key: str, *, host: str, worker: str) -> OpenAttempt:
        """Begin the next attempt at a match of no league.

        Raises ``AlreadyCountedError`` when the match counts.
        """
        match = MatchRow(match_key=match_key, deal_key=match_key, imported=False)
        with self._database.writing() as session:
            return self._open(session, match, host, worker)

    def _open(self, session: Session, match: MatchRow, host: str, worker: str) -> OpenAttempt:
        key = match.match_key
        match_id = session.scalar(select(MatchRow.id).where(MatchRow.match_key == key))
        if match_id is None:
            session.add(match)
            session.flush()
            match_id = match.id
        earlier = session.execute(
            select(AttemptRow.number, AttemptRow.status).where(AttemptRow.match_id == match_id)
        ).all()
        if any(status is AttemptStatus.COUNTED for _, status in earlier):
            raise AlreadyCountedError(key)
        attempt = AttemptRow(
            match_id=match_id,
            number=1 + max((number for number, _ in earlier), default=0),
            status=AttemptStatus.RUNNING,
            detail="",
            started_at=self._now(),
            host=sanitise(host),
            worker=sanitise(worker),
        )
        session.add(attempt)
        session.flush()
        return OpenAttempt(attempt.id, key, attempt.number)

    def count(self, attempt: OpenAttempt, record: MatchRecord, stored: StoredRecord) -> None:
        """Let an attempt count, with its result, infractions and record.

        Raises ``AlreadyCountedError`` when another attempt at the match counts, and
        ``NotRunningError`` when this one was closed.
        """
        if (record.match_key, record.attempt) != (attempt.match_key, attempt.number):
            raise ValueError("this is the record of another attempt")
        with self._database.writing() as session:
            kept = keep_record(session, record, stored)
            try:
                _close(
                    session,
                    attempt,
                    status=AttemptStatus.COUNTED,
                    record_id=kept.id,
                    ended_at=record.end_time,
                )
            except IntegrityError as error:
                raise AlreadyCountedError(attempt.match_key) from error
            keep_results(session, attempt.id, record)

    def void(
        self,
        attempt: OpenAttempt,
        cause: VoidCause,
        detail: str,
        bot: str | None = None,
        standing: Mapping[str, int] | None = None,
    ) -> None:
        """Let an attempt not count: it broke off at this bot's question, with these points by bot.

        Raises ``NotRunningError`` when it was closed.
        """
        with self._database.writing() as session:
            _close(
                session,
                attempt,
                status=AttemptStatus.VOID,
                cause=cause,
                detail=sanitise(detail),
                bot=bot,
                standing=None if standing is None else dict(standing),
                ended_at=self._now(),
            )

    def void_running(self, attempts: Iterable[AttemptEntry]) -> int:
        """Void what a referee that was killed left running. Returns how many attempts."""
        keys = [attempt.match_key for attempt in attempts]
        if not keys:
            return 0
        matches = select(MatchRow.id).where(MatchRow.match_key.in_(keys))
        with self._database.writing() as session:
            voided = session.scalars(
                update(AttemptRow)
                .where(AttemptRow.status == AttemptStatus.RUNNING, AttemptRow.match_id.in_(matches))
                .values(
                    status=AttemptStatus.VOID,
                    cause=VoidCause.INTERRUPTED,
                    detail="the referee ended before the match did",
                    ended_at=self._now(),
                )
                .returning(AttemptRow.id),
                execution_options={"synchronize_session": False},
            )
            return len(voided.all())

    def import_record(self, record: MatchRecord, stored: StoredRecord) -> ImportedMatch:
        """Keep a record from elsewhere under a key of its own. It counts in no league.

        Where the very same bytes are here already nothing changes. Raises
        ``VerificationError`` when the record contradicts itself; to verify it is the caller's.
        """
        with self._database.writing() as session:
            return importing.add_match(session, record, stored)

    def import_league(self, league: League, matches: Iterable[ArchivedMatch]) -> bool:
        """Keep a league from elsewhere, with all its matches, or nothing of it.

        ``league.name`` is the name that it gets here. ``False``: it was here already. Raises
        ``InputError`` where another league has this name or one of its records is here already,
        and ``VerificationError`` when something contradicts itself; to verify is the caller's.
        """
        with self._database.writing() as session:
            return importing.add_league(session, league, matches)


def _close(session: Session, attempt: OpenAttempt, **values: Any) -> None:
    running = (AttemptRow.id == attempt.id) & (AttemptRow.status == AttemptStatus.RUNNING)
    closed = session.scalars(
        update(AttemptRow).where(running).values(**values).returning(AttemptRow.id),
        execution_options={"synchronize_session": False},
    )
    if closed.one_or_none() is None:
        raise NotRunningError(attempt.match_key, attempt.number)
