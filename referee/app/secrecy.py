"""Which matches nobody may look at yet, as a rotation of their deal is still to be played (§10.4).

Seeds, hands, transcripts and logs of such a match would tell the others' hands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from referee.core.errors import NotFoundError
from referee.league.format import LeagueFormat
from referee.store.entries import LeagueState
from referee.store.repository import Repository


def is_secret(repository: Repository, match_key: str) -> bool:
    """Whether a match is not to be looked at yet. Raises NotFoundError where there is none."""
    entry = repository.get_match(match_key).entry
    if entry.league is None:
        return False
    rotations = _rotations_to_play(repository, entry.league)
    return not all(_counts(repository, f"{entry.deal_key}/{number}") for number in range(rotations))


def secrets_of(repository: Repository) -> Callable[[str], bool]:
    """Whether a match is not to be looked at yet, for many matches: it reads a league once.

    A match that the database does not know is no secret.
    """

    @cache
    def of_league(name: str) -> frozenset[str]:
        try:
            rotations = _rotations_to_play(repository, name)
        except NotFoundError:
            return frozenset()
        matches = list(repository.list_matches(name)) if rotations else []
        counted = {match.match_key for match in matches if match.counted}
        return frozenset(
            match.match_key
            for match in matches
            if not all(f"{match.deal_key}/{number}" in counted for number in range(rotations))
        )

    return lambda match_key: match_key in of_league(match_key.partition("/")[0])


def _rotations_to_play(repository: Repository, league: str) -> int:
    """How many rotations of a deal have to count; none once the league is finished."""
    found = repository.get_league(league)
    if found.state is LeagueState.FINISHED:
        return 0
    plan = LeagueFormat.from_canonical(found.format)
    return plan.table_size if plan.rotations == "all" else 1


def _counts(repository: Repository, match_key: str) -> bool:
    try:
        return repository.get_match(match_key).entry.counted is not None
    except NotFoundError:
        return False
