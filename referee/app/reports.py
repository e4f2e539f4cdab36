"""What the ledger tells of leagues, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.league.format import LeagueFormat
from referee.league.schedule import size
from referee.league.standings import Row
from referee.league.standings import crosstable as crosstable_of
from referee.league.standings import standings as standings_of
from referee.store.entries import League, LeagueState
from referee.store.repository import Repository

IMPORTED: Final = "imported"
"""What is told as the state of a league that came from an archive."""


@dataclass(frozen=True, slots=True)
class LeagueReport:
    """One line of the list of leagues."""

    league: str
    state: str
    profile: str
    series: str
    table_size: int
    entrants: tuple[str, ...]
    matches: int
    """Those that count so far."""
    planned: int
    created_at: datetime
    seed_commitment: bytes
    seed: bytes | None
    """``None`` until the league is finished (§10.4)."""


@dataclass(frozen=True, slots=True)
class StandingsReport:
    league: str
    state: str
    matches: int
    planned: int
    standings: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class CrosstableReport:
    league: str
    state: str
    bots: tuple[str, ...]
    """In the order of the standings."""
    scores: dict[str, dict[str, float]]
    """By bot, then by the other; pairs that have not met are left out."""


def leagues(repository: Repository) -> list[LeagueReport]:
    """By name."""
    return [_league(repository, league) for league in repository.list_leagues()]


def _league(repository: Repository, league: League) -> LeagueReport:
    plan = LeagueFormat.from_canonical(league.format)
    return LeagueReport(
        league=league.name,
        state=_state(league),
        profile=plan.profile,
        series=str(plan.series.resolve()),
        table_size=plan.table_size,
        entrants=tuple(entrant.name for entrant in league.entrants),
        matches=len(repository.counted_keys(league.name)),
        planned=size(plan).matches,
        created_at=league.created_at,
        seed_commitment=league.seed_commitment,
        seed=league.seed if league.state is LeagueState.FINISHED else None,
    )


def _state(league: League) -> str:
    """An imported league is neither played on nor one's own, whatever its state was."""
    return IMPORTED if league.imported else league.state


def standings(repository: Repository, name: str) -> StandingsReport:
    """Raises NotFoundError where there is no such league."""
    league = repository.get_league(name)
    results = list(repository.results(name))
    return StandingsReport(
        league=name,
        state=_state(league),
        matches=len(results),
        planned=size(LeagueFormat.from_canonical(league.format)).matches,
        standings=standings_of(results),
    )


def crosstable(repository: Repository, name: str) -> CrosstableReport:
    """Raises NotFoundError where there is no such league."""
    league = repository.get_league(name)
    results = list(repository.results(name))
    table = crosstable_of(results, standings_of(results))
    scores: dict[str, dict[str, float]] = {bot: {} for bot in table.bots}
    for (bot, other), score in table.scores.items():
        scores[bot][other] = score
    return CrosstableReport(name, _state(league), table.bots, scores)
