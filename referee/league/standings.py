"""Standings and crosstable: one pure fold over the matches that count.

Sums are kept as exact fractions, so that neither the order in which results arrive nor a
resumption shows in any figure.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby, permutations

from referee.league.results import MatchResult
from referee.league.timing import TimesSum
from referee.match.conduct import Infraction


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's line of the standings."""

    place: int
    """From 1. Equal score and equal mean total share a place: 1 2 2 4."""
    bot: str
    matches: int
    score: float
    """Mean of what its matches gave, 0 to 1: (seats - place) / (seats - 1), ties averaged."""
    score_error: float | None
    """Standard error of the score over deals; ``None`` with fewer than two."""
    wins: float
    """A win shared by n counts 1/n."""
    points_per_game: float | None
    """``None`` when no game came to its end."""
    total_per_game: float | None
    """Points and penalties together. ``None`` as before."""
    penalties: int
    infractions: Mapping[Infraction, int]
    """How many of each kind, in the order of the kinds; only those that happened."""
    forfeits: int
    mean_answer_us: float | None
    """``None`` when it was never asked."""
    p99_answer_us: int | None
    """99 of 100 answers were there by then, to within 1.6%."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """How the bots did against each other."""

    bots: tuple[str, ...]
    """In the order of the standings."""
    scores: Mapping[tuple[str, str], float]
    """By (bot, other), over the matches in which both sat; pairs that never met are left out.

    1 for a place ahead of the other, 1/2 for the same place, 0 behind; a forfeiter gets 0 even
    where the other forfeited too. So a match's score is the mean of the pairwise ones against
    the seats beside it, and at tables of two they are the same.
    """


def standings(results: Iterable[MatchResult]) -> tuple[Row, ...]:
    """Every bot that has played, the best first; equal ones by name."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for match in results:
        for seat, score in enumerate(match.result.scores()):
            tallies[match.seats[seat].bot].add(match, seat, score)
    return tuple(_ranked(tallies))


def crosstable(results: Iterable[MatchResult], order: Iterable[Row]) -> Crosstable:
    """The pairwise scores of the bots in ``order``, the standings of the same results."""
    sums: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    meetings: Counter[tuple[str, str]] = Counter()
    for match in results:
        for seat, other in permutations(range(len(match.seats)), 2):
            pair = (match.seats[seat].bot, match.seats[other].bot)
            sums[pair] += _against(match, seat, other)
            meetings[pair] += 1
    bots = tuple(row.bot for row in order)
    scores = {
        pair: float(sums[pair] / meetings[pair]) for pair in permutations(bots, 2) if meetings[pair]
    }
    return Crosstable(bots, scores)


@dataclass(slots=True)
class _Deal:
    """One bot's matches of one deal: its rotations."""

    score: Fraction = Fraction(0)
    matches: int = 0


@dataclass(slots=True)
class _Tally:
    """One bot's sums so far."""

    deals: dict[tuple[str, int], _Deal] = field(default_factory=lambda: defaultdict(_Deal))
    wins: Fraction = Fraction(0)
    points: int = 0
    totals: int = 0
    games: int = 0
    penalties: int = 0
    forfeits: int = 0
    infractions: Counter[Infraction] = field(default_factory=Counter)
    times: TimesSum = field(default_factory=TimesSum)

    def add(self, match: MatchResult, seat: int, score: Fraction) -> None:
        result = match.result
        deal = self.deals[match.table, match.deal]
        deal.score += score
        deal.matches += 1
        if seat in result.winners:
            self.wins += Fraction(1, len(result.winners))
        self.points += result.points[seat]
        self.totals += result.totals[seat]
        self.games += match.games
        self.penalties += result.penalties[seat]
        self.forfeits += result.forfeits[seat]
        self.infractions.update(match.seats[seat].infractions)
        self.times.add(match.seats[seat].times)

    @property
    def matches(self) -> int:
        return sum(deal.matches for deal in self.deals.values())

    def score(self) -> Fraction:
        return sum((deal.score for deal in self.deals.values()), Fraction(0)) / self.matches

    def score_error(self) -> float | None:
        """Over deals, as the rotations of one are correlated: first the mean of each deal."""
        means = [deal.score / deal.matches for deal in self.deals.values()]
        if len(means) < 2:
            return None
        middle = sum(means, Fraction(0)) / len(means)
        squares = sum(((mean - middle) ** 2 for mean in means), Fraction(0))
        return math.sqrt(squares / (len(means) * (len(means) - 1)))

    def per_game(self, points: int) -> Fraction | None:
        """``None`` when no game came to its end: all of a table forfeited in the first."""
        return Fraction(points, self.games) if self.games else None

    def rank(self) -> tuple[Fraction, bool, Fraction]:
        """Smaller is better."""
        total = self.per_game(self.totals)
        return -self.score(), total is None, total or Fraction(0)


def _ranked(tallies: Mapping[str, _Tally]) -> Iterator[Row]:
    ranks = {bot: tally.rank() for bot, tally in tallies.items()}
    place = 1
    for _, equal in groupby(
        sorted(ranks, key=lambda bot: (ranks[bot], bot)), key=ranks.__getitem__
    ):
        bots = list(equal)
        for bot in bots:
            yield _row(place, bot, tallies[bot])
        place += len(bots)


def _row(place: int, bot: str, tally: _Tally) -> Row:
    times = tally.times.total()
    return Row(
        place=place,
        bot=bot,
        matches=tally.matches,
        score=float(tally.score()),
        score_error=tally.score_error(),
        wins=float(tally.wins),
        points_per_game=_number(tally.per_game(tally.points)),
        total_per_game=_number(tally.per_game(tally.totals)),
        penalties=tally.penalties,
        infractions={kind: n for kind in Infraction if (n := tally.infractions[kind])},
        forfeits=tally.forfeits,
        mean_answer_us=_number(times.mean_us()),
        p99_answer_us=times.percentile_us(99),
    )


def _number(exact: Fraction | None) -> float | None:
    return None if exact is None else float(exact)


def _against(match: MatchResult, seat: int, other: int) -> Fraction:
    places, forfeits = match.result.places, match.result.forfeits
    if forfeits[seat] or places[seat] > places[other]:
        return Fraction(0)
    return Fraction(1, 2) if places[seat] == places[other] else Fraction(1)
