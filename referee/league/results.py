"""What standings are made of: one counted match, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from referee.league.timing import AnswerTimes
from referee.match.conduct import Fault, Infraction
from referee.match.finished import finished_games
from referee.match.record import MatchRecord, Result


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One bot's part of a match that its ``Result`` does not tell."""

    bot: str
    infractions: Mapping[Infraction, int]
    """How many of each kind, a bot's own faults only; kinds without any may be left out."""
    times: AnswerTimes
    """What each question to the bot counted (``counted_us``), every try one."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match that counts."""

    match_key: str
    table: str
    """The sorted names joined by ``+``."""
    deal: int
    """From 1. The rotations of one deal share it."""
    games: int
    """Games whose points count; a tie-break game's do not (§7.2)."""
    result: Result
    """Points, penalties, totals, places, forfeits by seat, and the winners."""
    seats: tuple[SeatResult, ...]
    """By seat."""


def seat_results(record: MatchRecord) -> tuple[SeatResult, ...]:
    """What a record gives the standings beside its result."""
    return tuple(
        SeatResult(
            bot=seat.bot,
            infractions=Counter(
                found.kind
                for found in record.infractions
                if found.seat == seat.seat and found.fault is Fault.BOT
            ),
            times=AnswerTimes.of(ask.counted_us for ask in record.asks if ask.seat == seat.seat),
        )
        for seat in record.seats
    )


def match_result(record: MatchRecord) -> MatchResult:
    """What the record of a league's match gives the standings.

    Raises ``ValueError`` on a transcript that it cannot read.
    """
    _, table, deal, _ = record.match_key.split("/")
    games = finished_games(record.transcript, len(record.seats))
    return MatchResult(
        match_key=record.match_key,
        table=table,
        deal=int(deal),
        games=sum(not game.played.pairing.tie_break for game in games),
        result=record.result,
        seats=seat_results(record),
    )
