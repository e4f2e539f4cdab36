"""How attempts end: with a record, which is kept with what it gives, or void."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import update
from sqlalchemy.orm import Session

from referee.match.record import MatchRecord
from referee.store import rows
from referee.store.entries import AttemptStatus, StoredRecord, VoidCause
from referee.store.tables import AttemptRow, RecordRow


def keep_record(session: Session, record: MatchRecord, stored: StoredRecord) -> RecordRow:
    row = rows.record_row(record, stored)
    session.add(row)
    session.flush()
    return row


def void(session: Session, attempts: Sequence[int], detail: str, now: datetime) -> None:
    """Void running attempts that were broken off from outside."""
    session.execute(
        update(AttemptRow)
        .where(AttemptRow.id.in_(attempts), AttemptRow.status == AttemptStatus.RUNNING)
        .values(
            status=AttemptStatus.VOID, cause=VoidCause.INTERRUPTED, detail=detail, ended_at=now
        ),
        execution_options={"synchronize_session": False},
    )


def keep_results(session: Session, attempt_id: int, record: MatchRecord) -> None:
    # Infractions refer to seats.
    for derive in (rows.seat_rows, rows.game_rows, rows.infraction_rows):
        session.add_all(derive(attempt_id, record))
        session.flush()
