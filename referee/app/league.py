"""Running a league: opened once, played in sittings, gone on with after any stop."""

from __future__ import annotations

import secrets
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from referee.app.bots import Bot
from referee.app.events import AttemptVoid, Event, MatchDone
from referee.app.ledger import count, runs_elsewhere, this_host, this_worker, void_abandoned
from referee.app.opening import load_entrants, new_league, refuse_changes
from referee.app.pool import Pool
from referee.app.sitting import MOST_SPARED, MatchOrder, Played, SittingOrder, Voided
from referee.app.worker import Over
from referee.core.dice import SEED_BYTES
from referee.core.errors import HostFault, InputError, NotFoundError, RefereeError
from referee.files.temporary import sweep
from referee.league.format import LeagueFormat
from referee.league.schedule import (
    Sitting,
    Size,
    estimated_seconds,
    remaining,
    sittings,
    size,
)
from referee.match.series import Series
from referee.store.entries import League, OpenAttempt, VoidCause
from referee.store.repository import Repository

SECONDS_PER_GAME: Final = 0.06
SECONDS_PER_START: Final = 1.0
"""Of sample bots, roughly, on a machine of today; a first guess for ``league plan``."""

MOST_VOIDS: Final = 3
"""How often one run plays a match again that turned out void."""

_POLL_SECONDS: Final = 0.2


def open_league(
    league: LeagueFormat, folder: Path, repository: Repository, seed: bytes | None = None
) -> LeagueRun:
    """A new league, or the one of that name to go on with. Nothing is written yet.

    Entrants' paths are relative to ``folder``. Raises ``InputError`` when the file, the seed
    or an entrant's files are not those the league began with, and names what.
    """
    league, bots = load_entrants(league, folder)
    try:
        known = repository.get_league(league.name)
    except NotFoundError:
        known = new_league(league, bots, seed or secrets.token_bytes(SEED_BYTES))
        return LeagueRun(league, tuple(bots), known, repository)
    refuse_changes(known, league, bots, seed)
    return LeagueRun(league, tuple(bots), known, repository, begun=True)


def estimate_seconds(league: LeagueFormat, jobs: int) -> float:
    """About how long a whole league takes with quick bots."""
    return estimated_seconds(
        league, per_game=SECONDS_PER_GAME, per_start=SECONDS_PER_START, jobs=jobs
    )


class LeagueRun:
    """A league that is open and has matches left, or none."""

    def __init__(
        self,
        league: LeagueFormat,
        bots: tuple[Bot, ...],
        known: League,
        repository: Repository,
        *,
        begun: bool = False,
    ) -> None:
        self.league: Final = league
        self._begun = begun
        self.size: Final[Size] = size(league)
        self._bots: Final = {bot.name: bot for bot in bots}
        self._known: Final = known
        self._repository: Final = repository
        self._counted: Final = repository.counted_keys(league.name) if begun else set()
        self._game: Final = league.game
        self._series: Final[Series] = league.series.resolve()
        self._again: Final[deque[Sitting]] = deque()
        self._voids: Final[Counter[str]] = Counter()
        """By match, in this run."""
        self._host_voids: Final = Counter(repository.host_voids(league.name) if begun else {})
        """By the bot at whose question it was, in the whole league."""
        self._open: Final[dict[str, _Open]] = {}
        self._given_up: Final[dict[str, VoidCause]] = {}

    @property
    def remaining(self) -> int:
        """Matches that do not count yet."""
        return self.size.matches - len(self._counted)

    def estimate_seconds(self, jobs: int) -> float:
        """About how long the rest takes with quick bots."""
        return estimate_seconds(self.league, jobs) * self.remaining / self.size.matches

    def run(
        self,
        *,
        jobs: int,
        logs: Path,
        on_event: Callable[[Event], None],
        stop: threading.Event,
    ) -> None:
        """Play what is left, until it is done or ``stop`` is set. From the main thread.

        Raises ``InputError`` when another process of this host is at it, ``HostFault`` when
        matches are left that turned out void again and again, and ``RefereeError`` when that
        was the referee's own fault.
        """
        if not self._begun:
            self._repository.create_league(self._known)
            self._begun = True
        void_abandoned(self._repository)
        sweep()
        self._take_over()
        todo = self._todo()
        with Pool(jobs) as pool:
            while True:
                if stop.is_set():
                    pool.stop()
                while pool.free and not stop.is_set():
                    sitting = self._again.popleft() if self._again else next(todo, None)
                    if sitting is None:
                        break
                    pool.submit(self._order(sitting, logs))
                if pool.idle:
                    break
                for order, what in pool.events(_POLL_SECONDS):
                    self._take(order, what, on_event, stopped=stop.is_set())
        if not self.remaining:
            self._repository.finish_league(self.league.name)
        elif self._given_up:
            ours = VoidCause.REFEREE in self._given_up.values()
            raise (RefereeError if ours else HostFault)(self._why_given_up())

    def _why_given_up(self) -> str:
        """Names the first match that was given up, and who stood to gain by its voids."""
        first, *others = sorted(self._given_up)
        more = f", and {len(others)} more" if others else ""
        attempts = self._repository.get_match(first).attempts
        trailed = Counter(bot for attempt in attempts for bot in attempt.trailed)
        last = ", ".join(f"{bot} ({count})" for bot, count in trailed.most_common())
        return (
            f"{first} was void {MOST_VOIDS} times{more}; who was last when it broke off: "
            f"{last or 'nobody'}; see: referee attempts {self.league.name}"
        )

    def _take_over(self) -> None:
        """Void what a referee that was killed left running. Raises ``InputError``."""
        running = self._repository.running_attempts(self.league.name)
        for attempt in running:
            if runs_elsewhere(attempt):
                raise InputError(
                    f"league {self.league.name} is being run by {attempt.worker} "
                    f"on {attempt.host} already; let it end, or stop it first"
                )
        self._repository.void_running(running)

    def _todo(self) -> Iterator[Sitting]:
        return remaining(sittings(self.league, self._known.seed), frozenset(self._counted))

    def _order(self, sitting: Sitting, logs: Path) -> SittingOrder:
        attempts = self._repository.open_attempts(
            self.league.name, sitting.matches, host=this_host(), worker=this_worker()
        )
        for plan, attempt in zip(sitting.matches, attempts, strict=True):
            self._open[plan.match_key] = _Open(attempt, replace(sitting, matches=(plan,)))
        names = sitting.table.split("+")
        return SittingOrder(
            league=self.league.name,
            game=self._game,
            series=self._series,
            time_control=self.league.time.resolve(),
            conduct=self.league.conduct.resolve(),
            seed_commitment=self._known.seed_commitment,
            bots=tuple(self._bots[name] for name in names),
            spare=tuple(max(0, MOST_SPARED - self._host_voids[name]) for name in names),
            matches=tuple(
                MatchOrder(plan.match_key, plan.deal_key, attempt.number, plan.bots, plan.seed)
                for plan, attempt in zip(sitting.matches, attempts, strict=True)
            ),
            logs=logs,
        )

    def _take(
        self,
        order: SittingOrder,
        what: Played | Voided | Over,
        on_event: Callable[[Event], None],
        *,
        stopped: bool,
    ) -> None:
        if isinstance(what, Played):
            on_event(self._count(what))
        elif isinstance(what, Voided):
            on_event(self._void(what))
        else:
            cause = VoidCause.INTERRUPTED if stopped else VoidCause.HOST
            detail = "the league was stopped" if stopped else what.lost or "the sitting broke off"
            for match in order.matches:
                key, known = match.match_key, what.standing
                if key in self._open:
                    points = known.points if known and known.match_key == key else None
                    on_event(self._void(Voided(key, cause, detail, standing=points)))

    def _count(self, played: Played) -> MatchDone:
        attempt = self._open.pop(played.match_key).attempt
        record, _ = count(self._repository, attempt, played.record)
        self._counted.add(played.match_key)
        return MatchDone(
            match_key=record.match_key,
            bots=tuple(seat.bot for seat in record.seats),
            result=record.result,
            games=record.transcript.count("\nend "),
            asks=len(record.asks),
            infractions=len(record.infractions),
        )

    def _void(self, void: Voided) -> AttemptVoid:
        key, cause = void.match_key, void.cause
        attempt, alone = self._open.pop(key)
        self._repository.void(attempt, cause, void.detail, void.bot, void.standing)
        if cause is VoidCause.HOST and void.bot is not None:
            self._host_voids[void.bot] += 1
        again = False
        if cause is not VoidCause.INTERRUPTED:
            self._voids[key] += 1
            again = self._voids[key] < MOST_VOIDS
            if again:
                self._again.append(alone)
            else:
                self._given_up[key] = cause
        return AttemptVoid(key, attempt.number, cause, void.detail, again)


class _Open(NamedTuple):
    attempt: OpenAttempt
    alone: Sitting
    """The match as a sitting of its own, should it have to be played again."""
