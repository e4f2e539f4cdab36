"""Who meets whom, in which seats, by which seed, and in which order.

Every combination of ``table_size`` entrants is a table; every table plays the same number of
deals; each deal is played once per rotation. Work comes in sittings: a run of at most
``LONGEST_RUN`` deals at one table in one rotation. The order goes round: every table and
rotation plays its first run before any plays its second, so part of a league is an even part.
Nothing here depends on how many sittings are played at once. A deal that is replaced (see
``referee.league.redraws``) gives its place to the one that replaces it.
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
from referee.league.redraws import Redraws
from referee.match.series import Games, Series

LONGEST_RUN: Final = 10
"""Deals of a sitting. More would save starts of processes and lose more at an interruption."""

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")

POINTS_PER_GAME: Final = 75
"""Of the seat with the most, roughly: how fast a limit is reached. For estimates only."""

_NONE: Final = Redraws()


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
    runs = tables * len(rotations(league))
    sittings = runs * ceil(league.deals / LONGEST_RUN)
    matches = runs * league.deals
    return Size(tables, sittings, matches, sittings * league.table_size)


def left(league: LeagueFormat, gone: Set[str], counted_keys: Iterable[str]) -> int:
    """How many matches are still to be played when those of ``gone`` entrants are not.

    Of a deal that is replaced none counts, so redraws are no matter here.
    """
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


def sittings(
    league: LeagueFormat, league_seed: bytes, redraws: Redraws = _NONE
) -> Iterator[Sitting]:
    """All sittings in their order, made one by one. Every entrant must be named.

    Rotation ``r`` moves every bot on by ``r`` seats from the deal's own order (§10.3).
    """
    entrants = league.names
    for first in range(1, league.deals + 1, LONGEST_RUN):
        run = range(first, min(first + LONGEST_RUN, league.deals + 1))
        for names in combinations(entrants, league.table_size):
            table = "+".join(names)
            deals = [redraws.current(table, deal) for deal in run]
            for rotation in rotations(league):
                yield _sitting(league, league_seed, table, rotation, deals)


def sittings_of(
    league: LeagueFormat, league_seed: bytes, table: str, deal: int
) -> Iterator[Sitting]:
    """One deal of a table, each rotation as a sitting of its own."""
    for rotation in rotations(league):
        yield _sitting(league, league_seed, table, rotation, [deal])


def match_keys(league: LeagueFormat, table: str, deal: int) -> list[str]:
    """Those of one deal of a table, by rotation."""
    return [f"{league.name}/{table}/{deal}/{rotation}" for rotation in rotations(league)]


def remaining(
    planned: Iterable[Sitting], counted_keys: Container[str], redraws: Redraws = _NONE
) -> Iterator[Sitting]:
    """The sittings without the matches that are counted already or whose deal is replaced.

    None that is then empty.
    """
    for sitting in planned:
        left = tuple(
            match
            for match in sitting.matches
            if match.match_key not in counted_keys
            and redraws.replaced_by(match.table, match.deal) is None
        )
        if left:
            yield replace(sitting, matches=left)


def planned_key(match_key: str, redraws: Redraws) -> str:
    """The key of the planned match that a league's match stands for."""
    league, table, deal, rotation = match_key.split("/")
    return f"{league}/{table}/{redraws.planned(table, int(deal))}/{rotation}"


def places(league: LeagueFormat, redraws: Redraws = _NONE) -> Callable[[str], Place | None]:
    """Which match of this league a match key names: ``None`` where it has no such match.

    Those of replaced deals are its matches, too. Every entrant must be named.
    """
    names = frozenset(league.names)
    deals = range(1, league.deals + 1)

    def place(match_key: str) -> Place | None:
        words = match_key.split("/")
        if len(words) != 4 or words[0] != league.name:
            return None
        bots = words[1].split("+")
        deal, rotation = map(_number, words[2:])
        known = names.issuperset(bots) and bots == sorted(set(bots))
        if not known or len(bots) != league.table_size:
            return None
        if deal not in deals and not redraws.is_further(words[1], deal):
            return None
        return Place(words[1], deal, rotation) if rotation in rotations(league) else None

    return place


def _number(text: str) -> int:
    """-1 where the text is not how a number is written."""
    return int(text) if _NUMBER.fullmatch(text) else -1


def rotations(league: LeagueFormat) -> range:
    """Those in which each deal is played."""
    return range(league.table_size if league.rotations == "all" else 1)


def _sitting(
    league: LeagueFormat, league_seed: bytes, table: str, rotation: int, deals: Iterable[int]
) -> Sitting:
    plans = (_plan(league.name, league_seed, table, deal, rotation) for deal in deals)
    return Sitting(table, rotation, tuple(plans))


def _plan(league: str, league_seed: bytes, table: str, deal: int, rotation: int) -> MatchPlan:
    deal_key = f"{league}/{table}/{deal}"
    return MatchPlan(
        match_key=f"{deal_key}/{rotation}",
        deal_key=deal_key,
        table=table,
        deal=deal,
        rotation=rotation,
        bots=seated(league_seed, table.split("+"), table, deal, rotation),
        seed=deal_seed(league_seed, deal_key),
    )
