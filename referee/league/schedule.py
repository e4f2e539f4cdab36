"""Who meets whom, in which seats, by which seed, and in which order.

Every combination of ``table_size`` entrants is a table; every table plays the same number of
deals; each deal is played once per rotation. Work comes in sittings: a run of at most
``LONGEST_RUN`` deals at one table in one rotation. The order goes round: every table and
rotation plays its first run before any plays its second, so part of a league is an even part.
Nothing here depends on how many sittings are played at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, comb
from typing import Final, NamedTuple

from referee.core.dice import deal_seed, seated
from referee.league.format import LeagueFormat
from referee.match.series import Games, Series

LONGEST_RUN: Final = 10
"""Deals of a sitting. More would save starts of processes and lose more at an interruption."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")

POINTS_PER_GAME: Final = 75
"""Of the seat with the most, roughly: how fast a limit is reached. For estimates only."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match to be played."""

    match_key: str
    """``<league>/<table>/<deal>/<rotation>``"""
    deal_key: str
    """``<league>/<table>/<deal>``"""
    table: str
    """The sorted names joined by ``+``."""
    deal: int
    """From 1."""
    rotation: int
    """From 0."""
    bots: tuple[str, ...]
    """Names by seat."""
    seed: bytes
    """The deal's (§10.4)."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """The unit of work: matches played one after another by one set of fresh processes."""

    table: str
    rotation: int
    matches: tuple[MatchPlan, ...]
    """In order of deals, each deal once."""


class Place(NamedTuple):
    """Which match of its league a match is. Places sort as the ledger lists them."""

    table: str
    """The sorted names joined by ``+``."""
    deal: int
    """From 1."""
    rotation: int
    """From 0."""


class Size(NamedTuple):
    """How much a league is."""

    tables: int
    sittings: int
    matches: int
    bot_processes: int


def size(league: LeagueFormat, gone: Set[str] = frozenset()) -> Size:
    """Count without enumerating, without the tables of entrants that are ``gone``."""
    tables = comb(len(league.entrants) - len(gone), league.table_size)
    rotations = _rotations(league)
    sittings = tables * rotations * ceil(league.deals / LONGEST_RUN)
    matches = tables * rotations * league.deals
    return Size(tables, sittings, matches, sittings * league.table_size)


def left(league: LeagueFormat, gone: Set[str], counted_keys: Iterable[str]) -> int:
    """How many matches are still to be played when those of ``gone`` entrants are not."""
    counted = sum(gone.isdisjoint(table_of(key)) for key in counted_keys)
    return size(league, gone).matches - counted


def table_of(match_key: str) -> list[str]:
    """The names at the table of a league's match."""
    return match_key.split("/")[1].split("+")


def estimated_seconds(
    league: LeagueFormat, *, per_game: float, per_start: float, jobs: int
) -> float:
    """How long the whole league takes when ``jobs`` sittings are played at once.

    ``per_game`` and ``per_start`` are the seconds that a game, and the start of a sitting's
    processes, take beside ``jobs - 1`` others.
    """
    whole = size(league)
    work = (
        whole.matches * expected_games(league.series.resolve()) * per_game
        + whole.sittings * per_start
    )
    return work / min(jobs, whole.sittings)


def expected_games(series: Series) -> int:
    """How many games a match has: exact for a number of games, roughly for a limit."""
    if isinstance(series, Games):
        return series.games
    return min(series.cap, ceil(series.limit / POINTS_PER_GAME))


def sittings(league: LeagueFormat, league_seed: bytes) -> Iterator[Sitting]:
    """All sittings in their order, made one by one. Every entrant must be named.

    Rotation ``r`` moves every bot on by ``r`` seats from the deal's own order (§10.3).
    """
    entrants = league.names
    for first in range(1, league.deals + 1, LONGEST_RUN):
        run = range(first, min(first + LONGEST_RUN, league.deals + 1))
        for names in combinations(entrants, league.table_size):
            for rotation in range(_rotations(league)):
                matches = tuple(_plan(league.name, league_seed, names, d, rotation) for d in run)
                yield Sitting(matches[0].table, rotation, matches)


def remaining(planned: Iterable[Sitting], counted_keys: Container[str]) -> Iterator[Sitting]:
    """The sittings without the matches that are counted already, and none that is then empty."""
    for sitting in planned:
        left = tuple(match for match in sitting.matches if match.match_key not in counted_keys)
        if left:
            yield replace(sitting, matches=left)


def places(league: LeagueFormat) -> Callable[[str], Place | None]:
    """Which match of this league a match key names: ``None`` where it has no such match.

    Every entrant must be named.
    """
    names = frozenset(league.names)
    deals, rotations = range(1, league.deals + 1), range(_rotations(league))

    def place(match_key: str) -> Place | None:
        words = match_key.split("/")
        if len(words) != 4 or words[0] != league.name:
            return None
        bots = words[1].split("+")
        deal, rotation = map(_number, words[2:])
        known = names.issuperset(bots) and bots == sorted(set(bots))
        if not known or len(bots) != league.table_size:
            return None
        if deal not in deals or rotation not in rotations:
            return None
        return Place(words[1], deal, rotation)

    return place


def _number(text: str) -> int:
    """-1 where the text is not how a number is written."""
    return int(text) if _NUMBER.fullmatch(text) else -1


def _plan(
    league: str, league_seed: bytes, names: tuple[str, ...], deal: int, rotation: int
) -> MatchPlan:
    table = "+".join(names)
    deal_key = f"{league}/{table}/{deal}"
    return MatchPlan(
        match_key=f"{deal_key}/{rotation}",
        deal_key=deal_key,
        table=table,
        deal=deal,
        rotation=rotation,
        bots=seated(league_seed, names, table, deal, rotation),
        seed=deal_seed(league_seed, deal_key),
    )


def _rotations(league: LeagueFormat) -> int:
    return league.table_size if league.rotations == "all" else 1
