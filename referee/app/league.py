"""Running a league: opened once, played in sittings, gone on with after any stop."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from referee.app.bots import Bot
from referee.app.events import Event
from referee.app.lease import leased
from referee.app.ledger import void_abandoned
from referee.app.opening import load_entrants, new_league, refuse_changes
from referee.app.playing import LeaguePlay
from referee.app.pool import Pool
from referee.app.redrawing import deal_replaced
from referee.core.dice import SEED_BYTES
from referee.core.errors import NotFoundError
from referee.files.temporary import sweep
from referee.league.format import LeagueFormat
from referee.league.schedule import estimated_seconds, left, size
from referee.store.entries import League, LeagueState
from referee.store.failures import LeagueOverError
from referee.store.repository import Repository

SECONDS_PER_GAME: Final = 0.06
SECONDS_PER_START: Final = 1.0
"""Of sample bots, roughly, on a machine of today; a first guess for ``league plan``."""


def open_league(
    league: LeagueFormat, folder: Path, repository: Repository, seed: bytes | None = None
) -> LeagueRun:
    """A new league, or the one of that name to go on with. Nothing is written yet.

    Entrants' paths are relative to ``folder``. Raises ``InputError`` when the file, the seed
    or an entrant's files are not those the league began with, and names what; and when the
    league was cancelled.
    """
    try:
        known = repository.get_league(league.name)
    except NotFoundError:
        league, bots = load_entrants(league, folder)
        known = new_league(league, bots, seed or secrets.token_bytes(SEED_BYTES))
        return LeagueRun(league, bots, known, repository)
    if known.state is LeagueState.CANCELLED:
        raise LeagueOverError(known.name, known.state, known.reason)
    league, bots = load_entrants(league, folder, known)
    refuse_changes(known, league, bots, seed)
    return LeagueRun(league, bots, known, repository, begun=True)


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
        bots: list[Bot],
        known: League,
        repository: Repository,
        *,
        begun: bool = False,
    ) -> None:
        self.league: Final = league
        self._bots: Final = {bot.name: bot for bot in bots}
        self._known = known
        self._repository: Final = repository
        self._begun = begun
        self._counted: set[str] = repository.counted_keys(league.name) if begun else set()

    @property
    def state(self) -> LeagueState:
        return self._known.state

    @property
    def counted(self) -> int:
        """Matches that count."""
        return len(self._counted)

    @property
    def remaining(self) -> int:
        """Matches that are still to be played."""
        if self.state.over:
            return 0
        return left(self.league, self._known.gone, self._counted)

    @property
    def planned(self) -> int:
        """Matches of the league, without those that are not to be played any more."""
        return self.counted + self.remaining

    def estimate_seconds(self, jobs: int) -> float:
        """About how long the rest takes with quick bots."""
        return estimate_seconds(self.league, jobs) * self.remaining / size(self.league).matches

    def run(
        self,
        *,
        jobs: int,
        logs: Path,
        on_event: Callable[[Event], None],
        stop: threading.Event,
    ) -> None:
        """Play what is left, until it is done or ``stop`` is set. From the main thread.

        A league that is paused goes on; one that an operator pauses or cancels meanwhile ends
        early. Raises ``InputError`` when another process is at it or it was cancelled before,
        ``HostFault`` when matches are left that turned out void again and again,
        ``RefereeError`` when that was the referee's own fault, and ``LeaseLostError`` when
        another process took over.
        """
        if not self._begun:
            self._repository.create_league(self._known)
            self._begun = True
        void_abandoned(self._repository)
        sweep()
        name = self.league.name
        with (
            leased(self._repository, name, self.league.redraw_above) as lease,
            Pool(jobs) as pool,
        ):
            self._tell_replaced(on_event)
            play = LeaguePlay(self.league, self._bots, lease, self._repository, logs, on_event)
            play.play(pool, stop)
        self._known = self._repository.get_league(name)
        self._counted = self._repository.counted_keys(name)

    def _tell_replaced(self, on_event: Callable[[Event], None]) -> None:
        """Tell of deals that were being played when a referee was killed."""
        for redraw in self._repository.get_league(self.league.name).redraws:
            if redraw not in self._known.redraws:
                on_event(deal_replaced(self._repository, self.league, redraw, self._counted))
