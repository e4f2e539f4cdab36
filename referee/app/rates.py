"""How often attempts are void and answers late, by host and by bot; and which host looks bad."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from referee.league.excess import Excess, Stratum, excess
from referee.league.results import SeatResult
from referee.match.conduct import Infraction
from referee.store.entries import AttemptEntry, AttemptStatus, MatchEntry, VoidCause

BAD_SHARE: Final = 0.1
"""Of attempts void by the host: at such a host one match in 1000 is void three times in a row,
after which a run gives it up."""
FEWEST: Final = 3
"""Voids before their share says anything."""
BAD_CHANCE: Final = 1e-4
"""So rarely by chance that it is none."""
BAD_FACTOR: Final = 2
"""Times what the other hosts let expect. Less does little harm, however certain it is."""


@dataclass(frozen=True, slots=True)
class HostRates:
    """What happened on one host. What an operator interrupted tells nothing of it."""

    host: str
    attempts: int
    """That count, or were void by the host or the referee."""
    interrupted: int
    void_by_referee: int
    void_by_host: int
    void_by_host_expected: float | None
    """By the share at the other hosts; ``None`` where there are none."""
    asks: int
    """Questions of the attempts that count, as all below."""
    late: int
    """Answers that were late."""
    seats: int
    """Bots in matches: two for a match of two."""
    late_seats: int
    """Those that were late at least once in their match."""
    late_seats_expected: float | None
    """By the shares of the same bots at the other hosts; ``None`` where they sat at none."""


@dataclass(frozen=True, slots=True)
class BotRates:
    """What happened to one bot."""

    bot: str
    attempts: int
    """At its matches; those that count, or were void by the host or the referee."""
    void_by_host: int
    asked: int
    """Of these, voids at a question to this bot."""
    asked_and_last: int
    """Of these, voids while it was last, so that it gained by another attempt."""
    asks: int
    """Questions of the attempts that count."""
    late: int
    """Answers that were late."""


def table_of(entry: AttemptEntry) -> list[str]:
    """The bots that sit in the match."""
    return entry.match_key.split("/")[1].split("+")


Ends = Counter[VoidCause | None]
"""How attempts ended; ``None``: they count."""


def _finished(ends: Ends) -> int:
    return ends.total() - ends[VoidCause.INTERRUPTED]


@dataclass(slots=True)
class _Seats:
    """One bot's matches that count, on one host."""

    asks: int = 0
    late: int = 0
    seats: int = 0
    late_seats: int = 0

    def add(self, seat: SeatResult) -> None:
        late = seat.infractions.get(Infraction.LATE, 0)
        self.asks += seat.times.count
        self.late += late
        self.seats += 1
        self.late_seats += late > 0


class Tally:
    """What happened where and to whom, added up."""

    def __init__(self, attempts: Iterable[AttemptEntry], matches: Iterable[MatchEntry]) -> None:
        self._by_host: Final[dict[str, Ends]] = defaultdict(Counter)
        self._by_bot: Final[dict[str, Ends]] = defaultdict(Counter)
        self._asked: Final[Counter[str]] = Counter()
        self._asked_and_last: Final[Counter[str]] = Counter()
        self._seats: Final[dict[tuple[str, str], _Seats]] = defaultdict(_Seats)
        """By host and bot."""
        seats = {match.match_key: match.counted.seats for match in matches if match.counted}
        for entry in attempts:
            if entry.status is AttemptStatus.RUNNING:
                continue
            self._add(entry)
            if entry.status is AttemptStatus.COUNTED:
                for seat in seats[entry.match_key]:
                    self._seats[entry.host, seat.bot].add(seat)
        self.hosts: Final = sorted(self._by_host)
        self.bots: Final = sorted(self._by_bot)

    def _add(self, entry: AttemptEntry) -> None:
        self._by_host[entry.host][entry.cause] += 1
        for bot in table_of(entry):
            self._by_bot[bot][entry.cause] += 1
        if entry.cause is VoidCause.HOST and entry.bot is not None:
            self._asked[entry.bot] += 1
            self._asked_and_last[entry.bot] += entry.bot in entry.trailed

    def of_host(self, host: str) -> HostRates:
        ends = self._by_host[host]
        seats = [found for (where, _), found in self._seats.items() if where == host]
        return HostRates(
            host=host,
            attempts=_finished(ends),
            interrupted=ends[VoidCause.INTERRUPTED],
            void_by_referee=ends[VoidCause.REFEREE],
            void_by_host=ends[VoidCause.HOST],
            void_by_host_expected=self._voids(host).expected,
            asks=sum(found.asks for found in seats),
            late=sum(found.late for found in seats),
            seats=sum(found.seats for found in seats),
            late_seats=sum(found.late_seats for found in seats),
            late_seats_expected=self._lateness(host).expected,
        )

    def of_bot(self, bot: str) -> BotRates:
        ends = self._by_bot[bot]
        seats = [found for (_, who), found in self._seats.items() if who == bot]
        return BotRates(
            bot=bot,
            attempts=_finished(ends),
            void_by_host=ends[VoidCause.HOST],
            asked=self._asked[bot],
            asked_and_last=self._asked_and_last[bot],
            asks=sum(found.asks for found in seats),
            late=sum(found.late for found in seats),
        )

    def warnings(self, host: str) -> Iterator[str]:
        rates, voids, lateness = self.of_host(host), self._voids(host), self._lateness(host)
        told = (
            f"host {host}: {rates.void_by_host} of {rates.attempts} attempts were void by the host"
        )
        if rates.void_by_host >= FEWEST and rates.void_by_host >= BAD_SHARE * rates.attempts:
            yield f"{told}; from {BAD_SHARE:.0%} on, matches are void again and again"
        elif _is_bad(voids):
            yield f"{told}; by the other hosts {voids.expected:.1f} were to be expected"
        if _is_bad(lateness):
            yield (
                f"host {host}: bots were late in {lateness.observed} of {lateness.trials} seats at "
                f"matches; by the same bots at other hosts {lateness.expected:.1f} were to be "
                "expected"
            )

    def _voids(self, host: str) -> Excess:
        here = self._by_host[host]
        everywhere: Ends = sum(self._by_host.values(), Counter())
        events, trials = here[VoidCause.HOST], _finished(here)
        return excess(
            [
                Stratum(
                    events,
                    trials,
                    everywhere[VoidCause.HOST] - events,
                    _finished(everywhere) - trials,
                )
            ]
        )

    def _lateness(self, host: str) -> Excess:
        return excess(
            Stratum(
                self._seats[host, bot].late_seats,
                self._seats[host, bot].seats,
                sum(self._seats[other, bot].late_seats for other in self.hosts if other != host),
                sum(self._seats[other, bot].seats for other in self.hosts if other != host),
            )
            for bot in self.bots
        )


def _is_bad(found: Excess) -> bool:
    return (
        found.chance <= BAD_CHANCE
        and found.expected is not None
        and found.observed >= BAD_FACTOR * found.expected
    )
