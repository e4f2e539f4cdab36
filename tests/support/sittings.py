"""Sittings, ready to be played."""

from __future__ import annotations

from pathlib import Path

from referee.app.bots import Bot
from referee.app.sitting import MOST_SPARED, MatchOrder, SittingOrder
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.series import Games


def sitting_of(bots: tuple[Bot, ...], logs: Path) -> SittingOrder:
    """One match of one game between ``bots``, of no league."""
    names = tuple(bot.name for bot in bots)
    return SittingOrder(
        league="",
        game=game_for("ravensburger", len(bots)),
        series=Games(1),
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=bytes(32),
        bots=bots,
        spare=(MOST_SPARED,) * len(bots),
        matches=(MatchOrder("match/a", "match/a", 1, names, bytes(32)),),
        logs=logs,
    )
