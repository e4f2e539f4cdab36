"""Who runs a league, and may write to it: one process at a time.

Whoever holds the lease proves it in every transaction, by a token that nobody else has. So one
that comes back after another has taken over, however long it stood still, writes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, type_coerce, update
from sqlalchemy.orm import Session

from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.store import lookup
from referee.store.entries import HeldLease, LeagueState, Lease
from referee.store.failures import LeagueOverError, LeaseLostError
from referee.store.tables import LeagueRow, LeaseRow, UtcDateTime

_TOKEN_BYTES: Final = 16


def new_lease(league: str, host: str, worker: str, since: datetime) -> Lease:
    """One to be taken."""
    token = secrets.token_hex(_TOKEN_BYTES)
    return Lease(league, token, sanitise(host), sanitise(worker), since)


def held(session: Session, league: LeagueRow) -> HeldLease | None:
    now = type_coerce(func.now(), UtcDateTime)
    found = session.execute(
        select(LeaseRow, now).where(LeaseRow.league_id == league.id)
    ).one_or_none()
    if found is None:
        return None
    row, at = found
    lease = Lease(league.name, row.token, row.host, row.worker, row.since)
    return HeldLease(lease, max(0.0, (at - row.beat).total_seconds()))


def take(session: Session, lease: Lease, may_take: Callable[[HeldLease], bool]) -> LeagueRow:
    """Take a lease. A league that is paused goes on.

    ``may_take`` says whether to take it from whoever holds it. Raises ``InputError`` when it
    is not to be, and when nothing of the league is to be played any more.
    """
    league = lookup.league_row(session, lease.league, locked=True)
    if league.archive_sha256 is not None:
        raise InputError(f"league {league.name} was imported: it is not played on")
    if league.state.over:
        raise LeagueOverError(league.name, league.state, league.reason)
    holder = held(session, league)
    if holder is not None and holder.lease.token != lease.token:
        if not may_take(holder):
            raise run_already(holder)
        session.execute(delete(LeaseRow).where(LeaseRow.league_id == league.id))
        holder = None
    if holder is None:
        session.add(
            LeaseRow(
                league_id=league.id,
                token=lease.token,
                host=lease.host,
                worker=lease.worker,
                since=lease.since,
                beat=func.now(),
            )
        )
    if league.state is LeagueState.PAUSED:
        league.state, league.since, league.reason = LeagueState.OPEN, None, ""
    return league


def run_already(holder: HeldLease) -> InputError:
    """What somebody else is told who wants to run the league."""
    return InputError(
        f"league {holder.lease.league} is being run by {holder.lease.worker} on "
        f"{holder.lease.host} already, last heard of {holder.silent_seconds:.0f} s ago; "
        "let it end, or stop it first"
    )


def prove(session: Session, lease: Lease) -> LeagueRow:
    """The row of the league, locked until the transaction ends, and a sign of life.

    Raises ``LeaseLostError`` when somebody else has the lease.
    """
    league = lookup.league_row(session, lease.league, locked=True)
    ours = (LeaseRow.league_id == league.id) & (LeaseRow.token == lease.token)
    beaten = session.scalars(
        update(LeaseRow).where(ours).values(beat=func.now()).returning(LeaseRow.league_id),
        execution_options={"synchronize_session": False},
    )
    if beaten.one_or_none() is None:
        raise LeaseLostError(league.name, held(session, league))
    return league


def release(session: Session, lease: Lease) -> None:
    """Nothing happens where it is another's by now."""
    session.execute(delete(LeaseRow).where(LeaseRow.token == lease.token))
