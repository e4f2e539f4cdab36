"""A league judged again under another conduct. Nothing is played and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from referee.app.secrecy import HELD_BACK, secrets_of
from referee.core.errors import VerificationError
from referee.league.changes import Change, changes
from referee.league.format import LeagueFormat
from referee.league.rejudged import Rejudged, rejudged
from referee.league.results import MatchResult
from referee.league.sections import ConductKeys
from referee.match.conduct import Conduct
from referee.match.record import Result
from referee.match.rejudge import NeedsPlay, rejudge
from referee.rpc.codec import decode_record
from referee.store.repository import Repository


@dataclass(frozen=True, slots=True)
class RejudgeReport:
    league: str
    changes: tuple[Change, ...]
    """Of the conduct."""
    shorter_grace: bool
    """The grace is shorter, and so not judged: records do not tell of streams that came back."""
    matches: int
    """Those that count."""
    rejudged: Rejudged


def rejudge_league(
    repository: Repository,
    name: str,
    conduct: ConductKeys,
    counting: Callable[[int], AbstractContextManager[Callable[[], None]]],
) -> RejudgeReport:
    """What the results and standings of a league are under another conduct.

    ``counting`` is given the number of matches; what it gives is called after each. Raises
    ``NotFoundError`` where there is no such league, ``VerificationError`` at a record that was
    altered.
    """
    plan = LeagueFormat.from_canonical(repository.get_league(name).format)
    other = plan.model_copy(update={"conduct": conduct})
    resolved = conduct.resolve()
    results = list(repository.results(name))
    is_secret = secrets_of(repository)
    with counting(len(results)) as one_more:

        def judged() -> Iterator[tuple[MatchResult, Result | NeedsPlay]]:
            for match in results:
                again = _judged(repository, match, resolved)
                if isinstance(again, NeedsPlay) and is_secret(match.match_key):
                    again = _without_detail(again)
                yield match, again
                one_more()

        found = rejudged(judged())
    return RejudgeReport(
        league=name,
        changes=changes(plan.canonical_json(), other.canonical_json()),
        shorter_grace=conduct.grace < plan.conduct.grace,
        matches=len(results),
        rejudged=found,
    )


def _without_detail(found: NeedsPlay) -> NeedsPlay:
    """It may tell cards (§10.4)."""
    return found._replace(infraction=replace(found.infraction, detail=HELD_BACK))


def _judged(repository: Repository, match: MatchResult, conduct: Conduct) -> Result | NeedsPlay:
    if not any(seat.infractions for seat in match.seats):
        # There is nothing that a conduct could have a say in.
        return match.result
    stored = repository.get_record(match.match_key)
    try:
        record = decode_record(stored.record)
    except VerificationError as error:
        raise VerificationError(f"{match.match_key}: {error}") from error
    return rejudge(record, conduct)
