"""A league's standings before and after its matches were judged again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.league.results import MatchResult
from referee.league.standings import Row, standings
from referee.match.conduct import Consequence
from referee.match.record import InfractionRecord, Result
from referee.match.rejudge import NeedsPlay


@dataclass(frozen=True, slots=True)
class Changed:
    """A match whose seats are placed otherwise."""

    match_key: str
    bots: tuple[str, ...]
    """By seat, as all that follows."""
    places_before: tuple[int, ...]
    places: tuple[int, ...]
    totals_before: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A match that cannot be judged without play that did not happen."""

    match_key: str
    bot: str
    """Whose breach it was."""
    infraction: InfractionRecord
    """The first from which on it would have been played otherwise, as it is recorded."""
    would_follow: Consequence | None
    """``None``: with a longer grace it might not have happened."""


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What comes of a league under another conduct."""

    judged: int
    """Matches that could be judged; both standings are of these alone."""
    repriced: int
    """Of these, matches with other penalties or totals."""
    standings_before: tuple[Row, ...]
    standings: tuple[Row, ...]
    changed: tuple[Changed, ...]
    unjudged: tuple[Unjudged, ...]


def rejudged(matches: Iterable[tuple[MatchResult, Result | NeedsPlay]]) -> Rejudged:
    """The fold over a league's matches, each with what judging it again gave.

    Matches that cannot be judged are left out of both standings, so that these differ by the
    conduct alone.
    """
    before: list[MatchResult] = []
    after: list[MatchResult] = []
    unjudged: list[Unjudged] = []
    for match, again in matches:
        if isinstance(again, NeedsPlay):
            bot = match.seats[again.infraction.seat].bot
            unjudged.append(Unjudged(match.match_key, bot, *again))
        else:
            before.append(match)
            after.append(replace(match, result=again))
    pairs = [(was, now) for was, now in zip(before, after, strict=True) if was != now]
    return Rejudged(
        judged=len(after),
        repriced=len(pairs),
        standings_before=standings(before),
        standings=standings(after),
        changed=tuple(
            _changed(was, now) for was, now in pairs if was.result.places != now.result.places
        ),
        unjudged=tuple(unjudged),
    )


def _changed(was: MatchResult, now: MatchResult) -> Changed:
    return Changed(
        match_key=was.match_key,
        bots=tuple(seat.bot for seat in was.seats),
        places_before=was.result.places,
        places=now.result.places,
        totals_before=was.result.totals,
        totals=now.result.totals,
    )
