"""What comes from elsewhere, apart from what is played here: it counts in no league of one's own.

A single match is kept under a key of its own. A league is kept under a name that no league file
can have, with all its matches, so that it never meets a league of one's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from referee.core.errors import InputError, VerificationError
from referee.core.text import sanitise
from referee.league.redraws import Redraw
from referee.match.record import MatchRecord
from referee.store import lookup, rows
from referee.store.entries import (
    ArchivedMatch,
    AttemptEntry,
    AttemptStatus,
    ImportedMatch,
    League,
    StoredRecord,
)
from referee.store.keeping import keep_record, keep_results
from referee.store.tables import AttemptRow, LeagueRow, MatchRow

IMPORTED: Final = "imported"
"""First word of an imported match's key. It has two words, a league's match has four."""

_CONTRADICTS: Final = (ValueError, OverflowError, DataError, IntegrityError)
"""What values raise that no record has which holds."""


def add_match(session: Session, record: MatchRecord, stored: StoredRecord) -> ImportedMatch:
    """A single match. Raises ``VerificationError`` when the record contradicts itself."""
    here = lookup.key_of_record(session, stored.sha256)
    if here is not None:
        return ImportedMatch(here, new=False)
    key = f"{IMPORTED}/{stored.sha256.hex()}"
    attempt = AttemptRow(
        number=record.attempt,
        status=AttemptStatus.COUNTED,
        detail="",
        started_at=record.start_time,
        ended_at=record.end_time,
        host="",
        worker="",
    )
    try:
        match = MatchRow(match_key=key, deal_key=record.deal_key, imported=True)
        session.add(match)
        session.flush()
        attempt.match_id = match.id
        _add_counted(session, attempt, record, stored)
    except _CONTRADICTS as error:
        raise VerificationError("the record contradicts itself") from error
    return ImportedMatch(key, new=True)


def add_league(session: Session, league: League, matches: Iterable[ArchivedMatch]) -> bool:
    """A league with its matches. ``False``: it was here already, and nothing is added.

    Raises ``InputError`` where another league has its name or a record is here already, and
    ``VerificationError`` when something contradicts itself.
    """
    known = session.scalar(select(LeagueRow).where(LeagueRow.name == league.name))
    if known is not None:
        if known.archive_sha256 == league.archive_sha256:
            return False
        raise InputError(f"there is another league {league.name!r} in this database already")
    row = rows.league_row(league)
    session.add(row)
    session.flush()
    league_id = row.id
    session.add_all(rows.entrant_rows(league_id, league))
    for match in matches:
        place = match.place
        deal_key = f"{league.name}/{place.table}/{place.deal}"
        key = f"{deal_key}/{place.rotation}"
        try:
            _add_league_match(
                session,
                MatchRow(
                    match_key=key,
                    league_id=league_id,
                    deal_key=deal_key,
                    table_key=place.table,
                    deal=place.deal,
                    rotation=place.rotation,
                    imported=False,
                ),
                match,
            )
        except _CONTRADICTS as error:
            raise VerificationError(f"{key}: contradicts itself") from error
        # A league is large, and what is written is not needed any more.
        session.expunge_all()
    try:
        for redraw in league.redraws:
            session.add(rows.redraw_row(league_id, _cause(session, league_id, redraw), redraw))
        session.flush()
    except _CONTRADICTS as error:
        raise VerificationError("the redraws contradict each other") from error
    return True


def _cause(session: Session, league_id: int, redraw: Redraw) -> int:
    """The attempt because of which a deal was replaced. Raises ``ValueError``."""
    found = session.scalar(
        select(AttemptRow.id)
        .join(MatchRow, MatchRow.id == AttemptRow.match_id)
        .where(
            MatchRow.league_id == league_id,
            MatchRow.table_key == redraw.table,
            MatchRow.deal == redraw.deal,
            MatchRow.rotation == redraw.rotation,
            AttemptRow.number == redraw.attempt,
        )
    )
    if found is None:
        raise ValueError("a deal is replaced because of no attempt")
    return found


def _add_league_match(session: Session, row: MatchRow, match: ArchivedMatch) -> None:
    session.add(row)
    session.flush()
    for entry in match.attempts:
        attempt = _attempt_row(row.id, entry)
        if entry.status is not AttemptStatus.COUNTED:
            session.add(attempt)
            continue
        if match.record is None or match.stored is None:
            raise ValueError("an attempt counts without a record")
        here = lookup.key_of_record(session, match.stored.sha256)
        if here is not None:
            raise InputError(
                f"{match.record.match_key} is here already, as {here}: "
                "import the league into another database"
            )
        _add_counted(session, attempt, match.record, match.stored)
    session.flush()


def _attempt_row(match_id: int, entry: AttemptEntry) -> AttemptRow:
    return AttemptRow(
        match_id=match_id,
        number=entry.number,
        status=entry.status,
        cause=entry.cause,
        detail=sanitise(entry.detail),
        bot=entry.bot,
        standing=None if entry.standing is None else dict(entry.standing),
        started_at=entry.started_at,
        ended_at=entry.ended_at,
        host=sanitise(entry.host),
        worker=sanitise(entry.worker),
    )


def _add_counted(
    session: Session, attempt: AttemptRow, record: MatchRecord, stored: StoredRecord
) -> None:
    attempt.record_id = keep_record(session, record, stored).id
    session.add(attempt)
    session.flush()
    keep_results(session, attempt.id, record)
