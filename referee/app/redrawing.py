"""What a redraw takes back."""

from __future__ import annotations

from collections.abc import Container

from referee.app.events import DealReplaced
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraw
from referee.league.schedule import match_keys
from referee.store.repository import Repository


def deal_replaced(
    repository: Repository, league: LeagueFormat, redraw: Redraw, counted: Container[str]
) -> DealReplaced:
    """Tells of a redraw, with what is lost of the matches that ``counted`` before it."""
    entries = (
        repository.get_match(key).entry
        for key in match_keys(league, redraw.table, redraw.deal)
        if key in counted
    )
    return DealReplaced(
        deal_key=f"{league.name}/{redraw.table}/{redraw.deal}",
        replaced_by=redraw.replaced_by,
        uncounted=tuple(entry.result for entry in entries if entry.result is not None),
    )
