"""How the sample bots play against each other under ``ravensburger``.

At tables of two every deal is played in both seatings, and at four seats, one against three of
another bot, in all four: so luck of the cards cancels. Errors are over deals. The reference is
the row of ``random``: it plays every legal card alike.

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
from sample_bots.python.counter.bot import Counter
from sample_bots.python.greedy.bot import Greedy
from sample_bots.python.holdback.bot import Holdback
from sample_bots.python.random.bot import Random

DEALS = 400
BOTS: dict[str, Callable[[], Bot]] = {
    "counter": Counter,
    "holdback": Holdback,
    "greedy": Greedy,
    "random": Random,
}


class Duel(NamedTuple):
    """One bot against another that has all other seats, over deals in all seatings."""

    gain: float
    """Points fewer than each of the others, in a game."""
    error: float
    """The gain's standard error, over deals."""
    won: float
    """Share of games won."""


def duel(
    one: Callable[[], Bot],
    other: Callable[[], Bot],
    deals: int,
    *,
    seats: int = 2,
    profile: str = "ravensburger@1",
) -> Duel:
    game = ElferRaus.of_profile(profile, seats)
    gains = []
    won = 0
    for deal in range(deals):
        seed = deal.to_bytes(32, "big")
        gain = 0.0
        for seat in range(seats):
            points = play(game, seed, [one() if s == seat else other() for s in range(seats)])
            gain += (sum(points) - points[seat]) / (seats - 1) - points[seat]
            won += points[seat] == 0
        gains.append(gain / seats)
    error = statistics.stdev(gains) / len(gains) ** 0.5
    return Duel(statistics.mean(gains), error, won / (seats * deals))


def show(one: str, other: str, result: Duel) -> None:
    gain = f"{result.gain:+.1f} ± {result.error:.1f}"
    print(f"{one:10} {other:10} {gain:>22} {result.won:>10.0%}")


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    print(f"{deals} deals in all seatings, ravensburger@1")
    print(f"{'bot':10} {'against':10} {'points gained a game':>22} {'games won':>10}")
    for one, other in itertools.combinations(BOTS, 2):
        show(one, other, duel(BOTS[one], BOTS[other], deals))
    print("at 4 seats, against three of the other (25% is as good)")
    show("counter", "holdback", duel(Counter, Holdback, deals, seats=4))


if __name__ == "__main__":
    main()
