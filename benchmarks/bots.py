"""How the sample bots play against each other, at tables of two under ``ravensburger``.

Every deal is played in both seatings, so luck of the cards cancels; errors are over deals. The
reference is the row of ``random``: it plays every legal card alike.

Run: ``python -m benchmarks.bots [DEALS]``, 400 deals unless told.
"""

from __future__ import annotations

import itertools
import statistics
import sys
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.support.in_process import play
from elfer.bot import Bot
from referee.games.elfer_raus.game import ElferRaus
from sample_bots.python.greedy.bot import Greedy
from sample_bots.python.holdback.bot import Holdback
from sample_bots.python.random.bot import Random

DEALS = 400
BOTS: dict[str, Callable[[], Bot]] = {"holdback": Holdback, "greedy": Greedy, "random": Random}


class Duel(NamedTuple):
    """One bot against another, over deals in both seatings."""

    gain: float
    """Points fewer than the other, in a game."""
    error: float
    """The gain's standard error, over deals."""
    won: float
    """Share of games won."""


def duel(one: Callable[[], Bot], other: Callable[[], Bot], deals: int) -> Duel:
    game = ElferRaus.of_profile("ravensburger@1", 2)
    gains = []
    won = 0
    for deal in range(deals):
        seed = deal.to_bytes(32, "big")
        here, there = play(game, seed, [one(), other()])
        back, forth = play(game, seed, [other(), one()])
        gains.append(((there - here) + (back - forth)) / 2)
        won += (here < there) + (forth < back)
    error = statistics.stdev(gains) / len(gains) ** 0.5
    return Duel(statistics.mean(gains), error, won / (2 * deals))


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    print(f"{deals} deals in both seatings, 2 seats, ravensburger@1")
    print(f"{'bot':10} {'against':10} {'points gained a game':>22} {'games won':>10}")
    for one, other in itertools.combinations(BOTS, 2):
        result = duel(BOTS[one], BOTS[other], deals)
        gain = f"{result.gain:+.1f} ± {result.error:.1f}"
        print(f"{one:10} {other:10} {gain:>22} {result.won:>10.0%}")


if __name__ == "__main__":
    main()
