"""Sittings, ready to be played."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.app.bots import Bot
from referee.app.sitting import MOST_SPARED, MatchOrder, SittingOrder
from referee.core.dice import SEED_BYTES, commitment
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.series import Games

SEED: Final = bytes(SEED_BYTES)


def sitting_of(bots: tuple[Bot, ...], logs: Path, guests: tuple[str, ...] = ()) -> SittingOrder:
    """One match of one game between ``bots`` and, after them, ``guests``, of no league."""
    names = (*(bot.name for bot in bots), *guests)
    return SittingOrder(
        league="",
        game=game_for("ravensburger", len(names)),
        series=Games(1),
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=commitment(SEED),
        bots=bots,
        spare=(MOST_SPARED,) * len(bots),
        matches=(MatchOrder("match/a", "match/a", 1, names, SEED),),
        logs=logs,
    )
