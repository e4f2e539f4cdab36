"""What an operator decides about a league: it pauses, is cancelled, or goes on without a bot.

What is not to be played any more is void at once, in the same transaction: nothing of it can
count from here on, whoever is running the league, and so it need not be held back (§10.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.core.errors import InputError, NotFoundError
from referee.core.text import sanitise
from referee.store import lookup
from referee.store.entries import AttemptStatus, EntrantState, LeagueState
from referee.store.keeping import void
from referee.store.tables import AttemptRow, EntrantRow, LeagueRow, MatchRow

_BEFORE: Final[Mapping[LeagueState, frozenset[LeagueState]]] = {
    LeagueState.PAUSED: frozenset({LeagueState.OPEN}),
    LeagueState.CANCELLED: frozenset({LeagueState.OPEN, LeagueState.PAUSED}),
}
"""What a league may have been before it becomes so."""


def set_league(session: Session, name: str, state: LeagueState, reason: str, now: datetime) -> None:
    """Raises ``InputError`` when that makes no sense any more."""
    league = _own_league(session, name)
    if league.state not in _BEFORE[state]:
        raise InputError(f"league {league.name} is {league.state} already")
    league.state, league.since, league.reason = state, now, sanitise(reason)
    if state.over:
        void_running(session, league, f"the league was {state}", now)


def set_entrant(
    session: Session, name: str, bot: str, state: EntrantState, reason: str, now: datetime
) -> None:
    """A bot plays no more.

    Raises ``NotFoundError`` when it is none of the league's, ``InputError`` when it left.
    """
    league = _own_league(session, name)
    entrant = session.get(EntrantRow, (league.id, sanitise(bot)))
    if entrant is None:
        raise NotFoundError(f"there is no bot {sanitise(bot)!r} in league {league.name}")
    if entrant.state is state or entrant.state is EntrantState.DISQUALIFIED:
        raise InputError(f"{entrant.name} is {entrant.state} already")
    if state is EntrantState.WITHDRAWN and league.state.over:
        raise InputError(f"league {league.name} is {league.state} already")
    entrant.state, entrant.since, entrant.reason = state, now, sanitise(reason)
    void_running(session, league, f"{entrant.name} was {state}", now, bot=entrant.name)


def _own_league(session: Session, name: str) -> LeagueRow:
    league = lookup.league_row(session, name, locked=True)
    if league.archive_sha256 is not None:
        raise InputError(f"league {league.name} was imported: it stays as it is")
    return league


def void_running(
    session: Session, league: LeagueRow, detail: str, now: datetime, *, bot: str | None = None
) -> list[int]:
    """Void what is being played, or was when its referee was killed: all of it, or this bot's.

    Gives the attempts, in the order in which they were opened.
    """
    running = session.execute(
        select(AttemptRow.id, MatchRow.table_key)
        .join(MatchRow, MatchRow.id == AttemptRow.match_id)
        .where(MatchRow.league_id == league.id, AttemptRow.status == AttemptStatus.RUNNING)
        .order_by(AttemptRow.id)
    )
    voided = [
        attempt for attempt, table in running if bot is None or bot in (table or "").split("+")
    ]
    void(session, voided, detail, now)
    return voided
