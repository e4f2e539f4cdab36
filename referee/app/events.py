"""What a running match or league reports while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from referee.league.results import MatchResult
from referee.match.record import Result


@dataclass(frozen=True, slots=True)
class MatchDone:
    """A match counts: it is in the database."""

    match_key: str
    bots: tuple[str, ...]
    """The entrants' names, by seat."""
    result: Result
    games: int
    asks: int
    infractions: int


@dataclass(frozen=True, slots=True)
class AttemptVoid:
    """An attempt does not count."""

    match_key: str
    attempt: int
    cause: str
    detail: str
    again: bool
    """Whether this run plays the match again."""


@dataclass(frozen=True, slots=True)
class EntrantGone:
    """An operator has decided that an entrant plays no more: there is less to be played."""

    bot: str
    state: str
    """``withdrawn`` or ``disqualified``."""
    reason: str
    planned: int
    """Matches of the league, those that count included."""


@dataclass(frozen=True, slots=True)
class DealReplaced:
    """A further deal takes the place of one whose cards bots have seen in a void attempt."""

    deal_key: str
    replaced_by: int
    """The number of the further deal."""
    uncounted: tuple[MatchResult, ...]
    """What counted of the deal until now."""


Event = MatchDone | AttemptVoid | DealReplaced | EntrantGone
