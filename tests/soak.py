"""``make soak``: very many random games of every profile, on every core.

Prints how far it is, and at the end a figure. The first promise that does not hold ends it
with exit code 1, and how to see that match again.

Run: ``python -m tests.soak [--games N] [--match NUMBER]``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final

from tests.support.soak import TABLES, Figures, soak

GAMES: Final = 100_000
_GAMES_OF_A_ROUND: Final = sum(seats for _, seats in TABLES)


class BrokenError(Exception):
    """A promise does not hold: in which match, and where."""


def play_round(number: int) -> Figures:
    """One match at every table. Raises ``BrokenError``."""
    figures = []
    for match in range(number * len(TABLES), (number + 1) * len(TABLES)):
        try:
            figures.append(soak(match))
        except Exception:  # noqa: BLE001 - whatever it is, it is what we look for
            profile, seats = TABLES[match % len(TABLES)]
            raise BrokenError(
                f"match {match} ({profile}, {seats} seats)\n{traceback.format_exc()}"
                f"again: python -m tests.soak --match {match}"
            ) from None
    return _sum(figures)


def _sum(figures: list[Figures]) -> Figures:
    return Figures(*map(sum, zip(*figures, strict=True)))


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run(games: int) -> Figures:
    """Play at least so many games. Raises ``BrokenError``."""
    rounds = -(-games // _GAMES_OF_A_ROUND)
    done: list[Figures] = []
    spawn = multiprocessing.get_context("spawn")
    # Ctrl-C is for this process alone, which then stops them.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(
        _cores(), mp_context=spawn, initializer=signal.signal, initargs=ignore
    ) as pool:
        try:
            for over in as_completed([pool.submit(play_round, n) for n in range(rounds)]):
                done.append(over.result())
                if len(done) * 20 // rounds > (len(done) - 1) * 20 // rounds:
                    print(f"{_sum(done).games:,} games", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return _sum(done)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=GAMES, help="how many at least")
    parser.add_argument("--match", type=int, help="play this match alone, in this process")
    arguments = parser.parse_args()
    if arguments.match is not None:
        print(soak(arguments.match))
        return 0
    started = time.monotonic()
    try:
        figures = run(arguments.games)
    except BrokenError as broken:
        print(f"soak: {broken}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    seconds = time.monotonic() - started
    print(
        f"soak: {figures.games:,} games, {figures.turns:,} turns, {figures.acts:,} acts, "
        f"{seconds:,.0f} s on {_cores()} cores: every promise held"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
