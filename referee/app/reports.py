"""What the ledger tells of leagues, as plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.app.lease import may_take
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraw
from referee.league.schedule import left
from referee.league.standings import Row
from referee.league.standings import crosstable as crosstable_of
from referee.league.standings import standings as standings_of
from referee.store.entries import EntrantState, League
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
    """Those that count and those that are still to be played."""
    created_at: datetime
    seed_commitment: bytes
    seed: bytes | None
    """``None`` until the league is over (§10.4)."""


@dataclass(frozen=True, slots=True)
class EntrantReport:
    name: str
    version: str
    author: str
    language: str
    bundle_sha256: bytes
    state: EntrantState
    since: datetime | None
    """When it left."""
    reason: str


@dataclass(frozen=True, slots=True)
class RedrawReport:
    """A deal that is replaced."""

    deal_key: str
    replaced_by: int
    """The number of the further deal of its table."""
    match_key: str
    """Of the void attempt that is the cause, as the next."""
    attempt: int


@dataclass(frozen=True, slots=True)
class RunnerReport:
    """Who runs a league."""

    host: str
    worker: str
    since: datetime
    silent_us: int
    """Since it was last heard of."""
    gone: bool
    """It ended without a word, or was not heard of for too long: another may run the league."""


@dataclass(frozen=True, slots=True)
class LeagueDetail:
    """All about one league but its matches."""

    summary: LeagueReport
    since: datetime | None
    """When it got its state, where somebody or something gave it one."""
    reason: str
    entrants: tuple[EntrantReport, ...]
    """By name."""
    redraws: tuple[RedrawReport, ...]
    """By table, in the order in which they were made."""
    runner: RunnerReport | None
    """``None`` where nobody runs it."""


@dataclass(frozen=True, slots=True)
class StandingsReport:
    league: str
    state: str
    matches: int
    """Those that make the standings."""
    planned: int
    standings: tuple[Row, ...]
    withdrawn: tuple[str, ...]
    disqualified: tuple[str, ...]
    """Their matches are left out."""


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


def league(repository: Repository, name: str, *, held_back: bool = False) -> LeagueDetail:
    """``held_back``: with the seed, whatever it tells of deals to come (§10.4).

    Raises NotFoundError where there is no such league.
    """
    found = repository.get_league(name)
    held = repository.lease(name)
    return LeagueDetail(
        summary=_league(repository, found, held_back=held_back),
        since=found.since,
        reason=found.reason,
        entrants=tuple(
            EntrantReport(
                name=entrant.name,
                version=entrant.version,
                author=entrant.author,
                language=entrant.language,
                bundle_sha256=entrant.bundle_sha256,
                state=entrant.state,
                since=entrant.since,
                reason=entrant.reason,
            )
            for entrant in found.entrants
        ),
        redraws=tuple(_redraw(name, redraw) for redraw in found.redraws),
        runner=None
        if held is None
        else RunnerReport(
            host=held.lease.host,
            worker=held.lease.worker,
            since=held.lease.since,
            silent_us=round(held.silent_seconds * 1_000_000),
            gone=may_take(held),
        ),
    )


def _redraw(league: str, redraw: Redraw) -> RedrawReport:
    deal_key = f"{league}/{redraw.table}/{redraw.deal}"
    match_key = f"{deal_key}/{redraw.rotation}"
    return RedrawReport(deal_key, redraw.replaced_by, match_key, redraw.attempt)


def _league(repository: Repository, league: League, *, held_back: bool = False) -> LeagueReport:
    plan = LeagueFormat.from_canonical(league.format)
    counted = repository.counted_keys(league.name)
    return LeagueReport(
        league=league.name,
        state=_state(league),
        profile=plan.profile,
        series=str(plan.series.resolve()),
        table_size=plan.table_size,
        entrants=tuple(entrant.name for entrant in league.entrants),
        matches=len(counted),
        planned=_planned(league, plan, counted),
        created_at=league.created_at,
        seed_commitment=league.seed_commitment,
        seed=league.seed if league.state.over or held_back else None,
    )


def _planned(league: League, plan: LeagueFormat, counted: Collection[str]) -> int:
    """How many matches count, and are still to be played."""
    to_play = 0 if league.state.over else left(plan, league.gone, counted)
    return len(counted) + to_play


def _state(league: League) -> str:
    """An imported league is neither played on nor one's own, whatever its state was."""
    return IMPORTED if league.imported else league.state


def standings(repository: Repository, name: str) -> StandingsReport:
    """Raises NotFoundError where there is no such league."""
    league = repository.get_league(name)
    plan = LeagueFormat.from_canonical(league.format)
    results = list(repository.results(name))
    return StandingsReport(
        league=name,
        state=_state(league),
        matches=len(results),
        planned=_planned(league, plan, [result.match_key for result in results]),
        standings=standings_of(results),
        withdrawn=tuple(sorted(league.gone - league.disqualified)),
        disqualified=tuple(sorted(league.disqualified)),
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
