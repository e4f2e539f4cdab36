"""Sittings as the benchmarks play them: one bot in every seat, processes over gRPC."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from referee.app.bots import load_bots
from referee.app.sitting import MatchOrder, Played, SittingOrder, Voided, play_sitting
from referee.core.dice import commitment
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.record import MatchRecord
from referee.match.series import Games
from referee.rpc.codec import decode_record

LOWEST = Path(__file__).parent / "lowest"


def play(seats: int, *, matches: int = 1, games: int = 5) -> list[tuple[MatchRecord, bytes]]:
    """Matches of one sitting, each with its record's bytes. No bot may err."""
    reports: list[Played | Voided] = []
    with tempfile.TemporaryDirectory(prefix="elfer-") as logs:
        asyncio.run(play_sitting(_order(seats, matches, games, Path(logs)), reports.append))
    records = []
    for report in reports:
        assert isinstance(report, Played), report
        record = decode_record(report.record)
        assert not record.infractions
        records.append((record, report.record))
    return records


def seconds(record: MatchRecord) -> float:
    """How long a match took, starting processes left out."""
    return (record.end_time - record.start_time).total_seconds()


def _order(seats: int, matches: int, games: int, logs: Path) -> SittingOrder:
    bots = load_bots([LOWEST] * seats)
    seed = bytes(32)
    return SittingOrder(
        league="",
        game=game_for("ravensburger", seats),
        series=Games(games),
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=commitment(seed),
        bots=bots,
        spare=(0,) * seats,
        matches=tuple(
            MatchOrder(f"match/{n}", f"match/{n}", 1, tuple(bot.name for bot in bots), seed)
            for n in range(matches)
        ),
        logs=logs,
    )
