"""What a league came to in its ledger, whatever happened on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.app.replay import check, load_match
from referee.app.reports import standings
from referee.league.format import LeagueFormat
from referee.league.schedule import sittings
from referee.league.standings import Row
from referee.match.record import Result
from referee.store.entries import AttemptEntry, AttemptStatus, InfractionEntry, LeagueState
from referee.store.repository import Repository


@dataclass(frozen=True, slots=True)
class Outcome:
    """Two leagues of one file and seed are equal where the same was played."""

    matches: dict[str, tuple[bytes, Result]]
    """Play digest and result by match key."""
    standings: tuple[Row, ...]
    """Without the times that answers took."""
    voids: tuple[AttemptEntry, ...] = field(compare=False)
    infractions: tuple[InfractionEntry, ...] = field(compare=False)


def outcome(repository: Repository, name: str) -> Outcome:
    """Of a league that is finished. Asserts that every match counts once, and that all holds."""
    league = repository.get_league(name)
    assert league.state is LeagueState.FINISHED
    planned = sittings(LeagueFormat.from_canonical(league.format), league.seed)
    keys = {match.match_key for sitting in planned for match in sitting.matches}
    attempts = list(repository.attempts(name))
    assert_each_counts_once(attempts, keys)
    matches = {}
    for key in sorted(keys):
        held = load_match(repository, key)
        assert check(held) is None
        assert held.counted is not None
        matches[key] = held.counted.play_digest, held.counted.result
    return Outcome(
        matches,
        tuple(
            replace(row, mean_answer_us=None, p99_answer_us=None)
            for row in standings(repository, name).standings
        ),
        voids=tuple(one for one in attempts if one.status is AttemptStatus.VOID),
        infractions=tuple(repository.infractions(name)),
    )


def assert_each_counts_once(attempts: Iterable[AttemptEntry], keys: set[str]) -> None:
    """At each of these matches, and at no other, the last attempt counts; no other is open."""
    by_match = defaultdict(list)
    for attempt in attempts:
        by_match[attempt.match_key].append(attempt)
    assert set(by_match) == keys
    for tried in by_match.values():
        assert [attempt.number for attempt in tried] == list(range(1, len(tried) + 1))
        *earlier, last = tried
        assert last.status is AttemptStatus.COUNTED
        assert {attempt.status for attempt in earlier} <= {AttemptStatus.VOID}
