"""One match that belongs to no league."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from referee.app.bots import Bot
from referee.app.guest import Guest
from referee.app.ledger import count, this_host, this_worker, void_abandoned
from referee.app.sitting import (
    MOST_SPARED,
    Awaited,
    MatchOrder,
    Played,
    SittingOrder,
    Voided,
    play_sitting,
)
from referee.core.dice import SEED_BYTES, commitment
from referee.core.errors import HostFault, RefereeError
from referee.files.temporary import sweep
from referee.games.registry import AnyGame
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.record import MatchRecord
from referee.match.series import Series
from referee.store.entries import StoredRecord, VoidCause
from referee.store.repository import Repository


@dataclass(frozen=True, slots=True)
class SingleMatch:
    seats: tuple[Bot | Guest, ...]
    """Who plays, by seat; each name once."""
    game: AnyGame
    series: Series
    seed: bytes | None = None
    """Drawn when there is none."""
    time_control: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)


def play_single(
    match: SingleMatch, repository: Repository, logs: Path, *, awaited: Awaited | None = None
) -> tuple[MatchRecord, StoredRecord]:
    """Play the match and let it count. Has to be called from the main thread.

    Raises ``HostFault`` or ``RefereeError`` when the attempt is void, which the ledger then
    says too, and ``KeyboardInterrupt`` when it was stopped.
    """
    seed = match.seed or secrets.token_bytes(SEED_BYTES)
    void_abandoned(repository)
    sweep()
    key = f"match/{secrets.token_hex(6)}"
    attempt = repository.open_single(key, host=this_host(), worker=this_worker())
    bots = tuple(seated for seated in match.seats if isinstance(seated, Bot))
    order = SittingOrder(
        league="",
        game=match.game,
        series=match.series,
        time_control=match.time_control,
        conduct=match.conduct,
        seed_commitment=commitment(seed),
        bots=bots,
        spare=(MOST_SPARED,) * len(bots),
        matches=(
            MatchOrder(
                key, key, attempt.number, tuple(seated.name for seated in match.seats), seed
            ),
        ),
        logs=logs,
    )
    guests = [seated for seated in match.seats if isinstance(seated, Guest)]
    reports: list[Played | Voided] = []
    try:
        asyncio.run(play_sitting(order, reports.append, awaited=awaited, guests=guests))
    except BaseException as error:
        repository.void(attempt, _cause(error), str(error))
        raise
    [report] = reports
    if isinstance(report, Voided):
        repository.void(attempt, report.cause, report.detail, report.bot, report.standing)
        if report.cause is VoidCause.HOST:
            raise HostFault(f"{key} is void: {report.detail}")
        raise RefereeError(f"{key} is void through a mistake of the referee: {report.detail}")
    return count(repository, attempt, report.record)


def _cause(error: BaseException) -> VoidCause:
    if isinstance(error, HostFault):
        return VoidCause.HOST
    return VoidCause.REFEREE if isinstance(error, Exception) else VoidCause.INTERRUPTED
