"""Writes a record, and what it gives beside its bytes."""

from __future__ import annotations

from sqlalchemy.orm import Session

from referee.match.record import MatchRecord
from referee.store import rows
from referee.store.entries import StoredRecord
from referee.store.tables import RecordRow


def keep_record(session: Session, record: MatchRecord, stored: StoredRecord) -> RecordRow:
    row = rows.record_row(record, stored)
    session.add(row)
    session.flush()
    return row


def keep_results(session: Session, attempt_id: int, record: MatchRecord) -> None:
    # Infractions refer to seats.
    for derive in (rows.seat_rows, rows.game_rows, rows.infraction_rows):
        session.add_all(derive(attempt_id, record))
        session.flush()
