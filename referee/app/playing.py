"""One run of a league: sittings go out to a pool of workers, and what comes of them is kept.

All of it happens under the lease of the league. A look at the database, every other second, is
a sign of life and tells what an operator has decided meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from referee.app.bots import Bot
from referee.app.events import AttemptVoid, DealReplaced, EntrantGone, Event, MatchDone
from referee.app.lease import BEAT_SECONDS
from referee.app.ledger import count
from referee.app.pool import Pool
from referee.app.redrawing import deal_replaced
from referee.app.sitting import MOST_SPARED, MatchOrder, Played, SittingOrder, Voided
from referee.app.worker import Over
from referee.core.errors import HostFault, RefereeError
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraw, Redraws
from referee.league.schedule import (
    Sitting,
    left,
    match_keys,
    planned_key,
    remaining,
    sittings,
    sittings_of,
    table_of,
)
from referee.store.entries import League, LeagueState, Lease, OpenAttempt, VoidCause
from referee.store.failures import NotRunningError, NotToBePlayedError
from referee.store.repository import Repository

MOST_VOIDS: Final = 3
"""How often one run plays a match again that turned out void."""

_POLL_SECONDS: Final = 0.2


class LeaguePlay:
    """Plays what is left of a league."""

    def __init__(
        self,
        league: LeagueFormat,
        bots: Mapping[str, Bot],
        lease: Lease,
        repository: Repository,
        logs: Path,
        on_event: Callable[[Event], None],
    ) -> None:
        self._league: Final = league
        self._bots: Final = bots
        self._lease: Final = lease
        self._repository: Final = repository
        self._logs: Final = logs
        self._on_event: Final = on_event
        self._known: League = repository.beat(lease)
        self._next_look = 0.0
        self._gone: Final[set[str]] = set(self._known.gone)
        """Entrants that play no more, as far as that was acted on."""
        self._counted: Final = repository.counted_keys(league.name)
        self._redraws = Redraws(self._known.redraws)
        self._todo: Final = remaining(
            sittings(league, self._known.seed, self._redraws), frozenset(self._counted)
        )
        self._again: Final[deque[Sitting]] = deque()
        self._voids: Final[Counter[str]] = Counter()
        """By planned match, in this run."""
        self._host_voids: Final = Counter(repository.host_voids(league.name))
        """By the bot at whose question it was, in the whole league."""
        self._open: Final[dict[str, _Open]] = {}
        self._given_up: Final[dict[str, VoidCause]] = {}
        """Planned matches."""

    def play(self, pool: Pool, stop: threading.Event) -> None:
        """Until all is played, or it is to stop.

        Raises ``HostFault`` when matches are left that turned out void again and again,
        ``RefereeError`` when that was the referee's own fault, and ``LeaseLostError``.
        """
        while True:
            if time.monotonic() >= self._next_look:
                self._beat()
            self._heed(pool)
            if stop.is_set():
                pool.stop()
            while pool.free and not stop.is_set() and self._known.state is LeagueState.OPEN:
                order = self._next_order()
                if order is None:
                    break
                pool.submit(order)
            if pool.idle:
                break
            for order, what in pool.events(_POLL_SECONDS):
                self._take(order, what, stopped=stop.is_set())
        self._heed(pool)
        if self._known.state.over:
            return
        if not left(self._league, self._gone, self._counted):
            self._repository.finish_league(self._lease)
        elif self._given_up:
            ours = VoidCause.REFEREE in self._given_up.values()
            raise (RefereeError if ours else HostFault)(self._why_given_up())

    def _why_given_up(self) -> str:
        """Names the first match that was given up, whose questions broke it off, and who stood to
        gain by that."""
        first, *others = sorted(self._given_up)
        more = f", and {len(others)} more" if others else ""
        attempts = [
            attempt
            for attempt in self._repository.attempts(self._league.name)
            if planned_key(attempt.match_key, self._redraws) == first
        ]
        asked = Counter(attempt.bot for attempt in attempts if attempt.bot is not None)
        trailed = Counter(bot for attempt in attempts for bot in attempt.trailed)
        return (
            f"{first} was void {MOST_VOIDS} times{more}; at whose question it broke off: "
            f"{_counted(asked)}; who was last then: {_counted(trailed)}; "
            f"see: referee attempts {self._league.name}"
        )

    def _beat(self) -> None:
        """Give a sign of life, and see what an operator has decided."""
        self._known = self._repository.beat(self._lease)
        self._next_look = time.monotonic() + BEAT_SECONDS

    def _heed(self, pool: Pool) -> None:
        """Break off what is not to be played any more. It is void already."""
        if self._known.state.over:
            self._open.clear()
            pool.stop()
        for bot in sorted(self._known.gone - self._gone):
            self._gone.add(bot)
            for matches in (self._open, self._given_up):
                for key in [key for key in matches if bot in table_of(key)]:
                    del matches[key]
            pool.break_off(bot)
            self._on_event(self._tell_gone(bot))

    def _tell_gone(self, name: str) -> EntrantGone:
        [entrant] = [one for one in self._known.entrants if one.name == name]
        planned = len(self._counted) + left(self._league, self._gone, self._counted)
        return EntrantGone(name, entrant.state, entrant.reason, planned)

    def _next_order(self) -> SittingOrder | None:
        while sitting := self._again.popleft() if self._again else next(self._todo, None):
            # Deals of it may have been replaced since.
            current = next(remaining([sitting], (), self._redraws), None)
            if current and self._known.gone.isdisjoint(current.matches[0].bots):
                try:
                    return self._order(current)
                except NotToBePlayedError:
                    # An operator has decided so just now.
                    self._beat()
        return None

    def _order(self, sitting: Sitting) -> SittingOrder:
        attempts = self._repository.open_attempts(self._lease, sitting.matches)
        for plan, attempt in zip(sitting.matches, attempts, strict=True):
            self._open[plan.match_key] = _Open(attempt, replace(sitting, matches=(plan,)))
        names = sitting.table.split("+")
        league = self._league
        return SittingOrder(
            league=league.name,
            game=league.game,
            series=league.series.resolve(),
            time_control=league.time.resolve(),
            conduct=league.conduct.resolve(),
            seed_commitment=self._known.seed_commitment,
            bots=tuple(self._bots[name] for name in names),
            spare=tuple(max(0, MOST_SPARED - self._host_voids[name]) for name in names),
            matches=tuple(
                MatchOrder(plan.match_key, plan.deal_key, attempt.number, plan.bots, plan.seed)
                for plan, attempt in zip(sitting.matches, attempts, strict=True)
            ),
            logs=self._logs,
        )

    def _take(self, order: SittingOrder, what: Played | Voided | Over, *, stopped: bool) -> None:
        if isinstance(what, Played):
            self._end(what.match_key, partial(self._count, what))
        elif isinstance(what, Voided):
            self._end(what.match_key, partial(self._void, what, dealt=what.standing is not None))
        else:
            # How far one that was lost had come is not known: the next match may have begun.
            unknown = what.lost is not None
            cause = VoidCause.INTERRUPTED if stopped else VoidCause.HOST
            detail = "the league was stopped" if stopped else what.lost or "the sitting broke off"
            for match in order.matches:
                key, known = match.match_key, what.standing
                if self._number(key) != match.attempt:
                    # It was void before, and is played again elsewhere.
                    continue
                points = known.points if known and known.match_key == key else None
                void = Voided(key, cause, detail, standing=points)
                self._end(key, partial(self._void, void, dealt=unknown or points is not None))
                unknown = False

    def _number(self, match_key: str) -> int | None:
        """Of the attempt that is open."""
        opened = self._open.get(match_key)
        return None if opened is None else opened.attempt.number

    def _end(self, match_key: str, keep: Callable[[], Iterable[Event]]) -> None:
        """Keep what came of a match, unless it is over already."""
        if match_key not in self._open:
            return
        try:
            events = keep()
        except NotRunningError:
            self._beat()
            gone = self._known.gone
            if not self._known.state.over and gone.isdisjoint(table_of(match_key)):
                raise
        else:
            for event in events:
                self._on_event(event)

    def _count(self, played: Played) -> list[Event]:
        attempt = self._open.pop(played.match_key).attempt
        record, _ = count(self._repository, attempt, played.record)
        self._counted.add(played.match_key)
        done = MatchDone(
            match_key=record.match_key,
            bots=tuple(seat.bot for seat in record.seats),
            result=record.result,
            games=record.transcript.count("\nend "),
            asks=len(record.asks),
            infractions=len(record.infractions),
        )
        return [done]

    def _void(self, void: Voided, *, dealt: bool) -> list[Event]:
        """``dealt``: bots have seen cards, as far as it is known."""
        key, cause = void.match_key, void.cause
        attempt, alone = self._open.pop(key)
        redraw = self._repository.void(
            attempt,
            cause,
            void.detail,
            void.bot,
            void.standing,
            redraw_above=self._league.redraw_above if dealt else None,
        )
        if cause is VoidCause.HOST and void.bot is not None:
            self._host_voids[void.bot] += 1
        again = False
        if cause is not VoidCause.INTERRUPTED:
            planned = planned_key(key, self._redraws)
            self._voids[planned] += 1
            again = self._voids[planned] < MOST_VOIDS
            if not again:
                self._given_up[planned] = cause
            elif redraw is None:
                self._again.append(alone)
        events: list[Event] = [AttemptVoid(key, attempt.number, cause, void.detail, again)]
        if redraw is not None:
            events.append(self._replace(redraw))
        return events

    def _replace(self, redraw: Redraw) -> DealReplaced:
        """Have the further deal played, in the rotations that are not given up."""
        league, table = self._league, redraw.table
        event = deal_replaced(self._repository, league, redraw, self._counted)
        for key in match_keys(league, table, redraw.deal):
            self._counted.discard(key)
            # It is void already, and what comes of it is not wanted any more.
            self._open.pop(key, None)
        self._redraws = self._redraws.having(redraw)
        for alone in sittings_of(league, self._known.seed, table, redraw.replaced_by):
            if planned_key(alone.matches[0].match_key, self._redraws) not in self._given_up:
                self._again.append(alone)
        return event


class _Open(NamedTuple):
    attempt: OpenAttempt
    alone: Sitting
    """The match as a sitting of its own, should it have to be played again."""


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in names.most_common()) or "nobody"
