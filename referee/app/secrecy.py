"""Which matches nobody may look at yet, as a rotation of their deal is still to be played (§10.4).

Seeds, hands, transcripts and logs of such a match would tell the others' hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Final, TypeVar

from referee.core.errors import NotFoundError
from referee.league.format import LeagueFormat
from referee.league.schedule import table_of
from referee.store.entries import AttemptEntry, InfractionEntry, League, MatchEntry, VoidCause
from referee.store.repository import Repository

HELD_BACK: Final = "held back"
"""Stands where a detail may not be shown yet."""

E = TypeVar("E", InfractionEntry, AttemptEntry)


def is_secret(repository: Repository, match_key: str) -> bool:
    """Whether a match is not to be looked at yet. Raises NotFoundError where there is none."""
    entry = repository.get_match(match_key).entry
    if entry.league is None:
        return False
    league = repository.get_league(entry.league)
    return _plays_on(league, entry) and not all(
        _counts(repository, f"{entry.deal_key}/{number}") for number in _rotations(league)
    )


def secrets_of(repository: Repository) -> Callable[[str], bool]:
    """Whether a match is not to be looked at yet, for many matches: it reads a league once.

    A match that the database does not know is no secret.
    """

    @cache
    def of_league(name: str) -> frozenset[str]:
        try:
            league = repository.get_league(name)
        except NotFoundError:
            return frozenset()
        matches = [] if league.state.over else list(repository.list_matches(name))
        counted = {match.match_key for match in matches if match.counted}
        rotations = _rotations(league)
        return frozenset(
            match.match_key
            for match in matches
            if _plays_on(league, match)
            and not all(f"{match.deal_key}/{number}" in counted for number in rotations)
        )

    return lambda match_key: match_key in of_league(match_key.partition("/")[0])


def without_details(entries: Iterable[E], is_secret: Callable[[str], bool]) -> list[E]:
    """Infractions or attempts, without what may tell cards of secret matches.

    Of attempts that is what a mistake of the referee's own is told with.
    """
    return [
        replace(entry, detail=HELD_BACK)
        if _may_tell(entry) and is_secret(entry.match_key)
        else entry
        for entry in entries
    ]


def _may_tell(entry: InfractionEntry | AttemptEntry) -> bool:
    by_referee = isinstance(entry, AttemptEntry) and entry.cause is VoidCause.REFEREE
    return bool(entry.detail) and (by_referee or isinstance(entry, InfractionEntry))


def _plays_on(league: League, match: MatchEntry) -> bool:
    """Whether its deal is played on with, if a rotation of it is left.

    An operator may have decided otherwise, and a deal that is replaced never is.
    """
    return (
        not league.state.over
        and match.replaced_by is None
        and league.gone.isdisjoint(table_of(match.match_key))
    )


def _rotations(league: League) -> range:
    """Those in which each deal is played."""
    plan = LeagueFormat.from_canonical(league.format)
    return range(plan.table_size if plan.rotations == "all" else 1)


def _counts(repository: Repository, match_key: str) -> bool:
    try:
        return repository.get_match(match_key).entry.counted is not None
    except NotFoundError:
        return False
