"""How much faster matches are verified than they are played.

Sample bots play real matches, as processes over gRPC; then each record is read from its bytes
and verified. The reference is the time that playing took, starting processes left out.

Run: ``python -m benchmarks.verify [MATCHES]``, 20 matches of 5 games unless told.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from referee.app.bots import load_bots
from referee.app.sitting import MatchOrder, Played, SittingOrder, Voided, play_sitting
from referee.core.dice import commitment
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.series import Games
from referee.match.verify import verify
from referee.rpc.codec.record_reader import decode_record

MATCHES = 20
SAMPLES = Path(__file__).parent.parent / "sample_bots" / "python"


def order(seats: int, matches: int, logs: Path) -> SittingOrder:
    bots = load_bots([SAMPLES / "random"] * seats)
    seed = bytes(32)
    return SittingOrder(
        league="",
        game=game_for("ravensburger", seats),
        series=Games(5),
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=commitment(seed),
        bots=bots,
        matches=tuple(
            MatchOrder(f"match/{n}", f"match/{n}", 1, tuple(bot.name for bot in bots), seed)
            for n in range(matches)
        ),
        logs=logs,
    )


def ratios(seats: int, matches: int) -> list[float]:
    """For each match, the time it took to play over the time it takes to verify."""
    reports: list[Played | Voided] = []
    with tempfile.TemporaryDirectory() as logs:
        asyncio.run(play_sitting(order(seats, matches, Path(logs)), reports.append))
    found = []
    for report in reports:
        assert isinstance(report, Played), report
        began = time.perf_counter()
        record = decode_record(report.record)
        difference = verify(record)
        took = time.perf_counter() - began
        assert difference is None, difference
        found.append((record.end_time - record.start_time).total_seconds() / took)
    return found


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    print(
        f"{matches} matches of 5 games, ravensburger@1: verified how many times as fast as played"
    )
    for seats in (2, 4, 6):
        found = ratios(seats, matches)
        quarters = statistics.quantiles(found, n=4)
        print(f"{seats} seats   {quarters[1]:5.1f}   ({quarters[0]:.1f} to {quarters[2]:.1f})")


if __name__ == "__main__":
    main()
