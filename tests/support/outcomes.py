"""What a league came to in its ledger, whatever happened on the way."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.app.archive import LeagueArchive, judge_archive
from referee.app.replay import check, load_match
from referee.app.reports import standings
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraws
from referee.league.schedule import match_keys, sittings
from referee.league.standings import Row
from referee.match.record import Result
from referee.store.entries import AttemptEntry, AttemptStatus, InfractionEntry, LeagueState
from referee.store.repository import Repository
from tests.support.archives import uncounted


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
    file = LeagueFormat.from_canonical(league.format)
    replaced = {key for one in league.redraws for key in match_keys(file, one.table, one.deal)}
    planned = sittings(file, league.seed, Redraws(league.redraws))
    keys = {match.match_key for sitting in planned for match in sitting.matches}
    attempts = list(repository.attempts(name))
    assert AttemptStatus.RUNNING not in {attempt.status for attempt in attempts}
    assert_each_counts_once((one for one in attempts if one.match_key not in replaced), keys)
    matches = {}
    for key in sorted(keys):
        held = load_match(repository, key)
        assert check(held) is None
        assert held.counted is not None
        matches[key] = held.counted.play_digest, held.counted.result
    _assert_archived(repository, name)
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


def _assert_archived(repository: Repository, name: str) -> None:
    """The schedule, every attempt and every record hold without a database, too."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.tar"
        LeagueArchive(repository, name).write(file, None, uncounted)
        verdict = judge_archive(file, None, uncounted)
    assert verdict.holds, verdict.problem
