"""Deals that are replaced, as an attempt at them is void whose cards bots have seen.

What is being played of a replaced deal is void at once, in the same transaction: nothing of it
can count from here on, and so it need not be held back (§10.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from referee.league.redraws import Redraw
from referee.store import rows
from referee.store.entries import AttemptStatus
from referee.store.keeping import void
from referee.store.tables import AttemptRow, MatchRow, RedrawRow

REPLACED_BY: Final = (
    select(RedrawRow.replaced_by)
    .where(
        RedrawRow.league_id == MatchRow.league_id,
        RedrawRow.table_key == MatchRow.table_key,
        RedrawRow.deal == MatchRow.deal,
    )
    .correlate(MatchRow)
    .scalar_subquery()
)
"""Of a match: the deal that replaces its deal. Where there is one, it counts nothing."""


def replace_deal(session: Session, attempt_id: int, above: int, now: datetime) -> Redraw | None:
    """Replace the deal of a league's attempt, which is void, by a further one of its table.

    That is numbered above ``above`` and all others. ``None``: the deal is replaced already.
    """
    match, number, replaced_by = session.execute(
        select(MatchRow, AttemptRow.number, REPLACED_BY)
        .join(AttemptRow, AttemptRow.match_id == MatchRow.id)
        .where(AttemptRow.id == attempt_id)
    ).one()
    if replaced_by is not None:
        return None
    # The schema has it that a league's match has its place.
    assert match.league_id is not None
    assert match.table_key is not None
    assert match.deal is not None
    assert match.rotation is not None
    of_table = (RedrawRow.league_id == match.league_id, RedrawRow.table_key == match.table_key)
    last = session.scalar(select(func.max(RedrawRow.replaced_by)).where(*of_table))
    redraw = Redraw(match.table_key, max(above, last or 0) + 1, match.deal, match.rotation, number)
    session.add(rows.redraw_row(match.league_id, attempt_id, redraw))
    session.flush()
    running = select(AttemptRow.id).join(MatchRow, MatchRow.id == AttemptRow.match_id)
    of_deal = running.where(
        MatchRow.league_id == match.league_id,
        MatchRow.table_key == match.table_key,
        MatchRow.deal == match.deal,
        AttemptRow.status == AttemptStatus.RUNNING,
    )
    detail = f"its deal was replaced by deal {redraw.replaced_by}"
    void(session, session.scalars(of_deal).all(), detail, now)
    return redraw


def of_league(session: Session, league_id: int) -> Iterator[Redraw]:
    """By table, in the order in which they were made."""
    found = session.execute(
        select(RedrawRow, MatchRow.rotation, AttemptRow.number)
        .join(AttemptRow, AttemptRow.id == RedrawRow.attempt_id)
        .join(MatchRow, MatchRow.id == AttemptRow.match_id)
        .where(RedrawRow.league_id == league_id)
        .order_by(RedrawRow.table_key, RedrawRow.replaced_by)
    )
    for row, rotation, number in found:
        assert rotation is not None
        yield Redraw(row.table_key, row.replaced_by, row.deal, rotation, number)
