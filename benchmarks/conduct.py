"""Whether running out of time on purpose pays under the default conduct: it must not.

In every profile, at tables of two and four, one seat is late and the others are a bot that plays
legal cards at random; all seatings of every deal, matches of five games. ``always`` never answers;
``sparing`` is late as often as it may without being struck out, then plays like the others. What
they score in the standings stands beside the reference, what one of the others would: a half.

Run: ``python -m benchmarks.conduct [DEALS]``, 20 deals unless told.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from referee.core.dice import commitment
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.registry import AnyGame, game_for
from referee.match.clock import Evidence
from referee.match.conduct import Conduct, Infraction
from referee.match.player import Ask, Fault, Message, Player, Reply, Stray
from referee.match.series import Games
from referee.match.table import MatchSetup, Table
from tests.support.random_play import legal_answer

DEALS: Final = 20
TABLE_SIZES: Final = (2, 4)
CONDUCT: Final = Conduct()
QUICK: Final = Evidence(elapsed_us=100)
TOO_LONG: Final = Evidence(elapsed_us=2_000_001)


class RandomPlayer:
    """Plays legal cards, all alike; the first ``late`` times it is asked it does not answer."""

    def __init__(self, seed: int, late: int = 0) -> None:
        self._random: Final = Random(seed)
        self._late = late

    async def ask(self, ask: Ask) -> Reply | Fault:
        if self._late:
            self._late -= 1
            return Fault(Infraction.LATE, TOO_LONG, "")
        return Reply(legal_answer(ask.view, self._random), QUICK)

    def tell(self, message: Message) -> None:
        """It plays from the view alone."""

    def strays(self) -> tuple[Stray, ...]:
        return ()


def always(seed: int) -> Player:
    return RandomPlayer(seed, sys.maxsize)


def sparing(seed: int) -> Player:
    assert CONDUCT.strike_limit is not None
    return RandomPlayer(seed, CONDUCT.strike_limit - 1)


def mean_score(game: AnyGame, late: Callable[[int], Player], deals: int) -> float:
    """What the late seat scores in a match, over all seats of every deal."""
    scores = []
    for deal in range(deals):
        seed = deal.to_bytes(32, "big")
        setup = MatchSetup(
            game=game,
            series=Games(5),
            seed=seed,
            seed_commitment=commitment(seed),
            dice_seeds=(bytes(32),) * game.seats,
            match_id="match/conduct",
            conduct=CONDUCT,
        )
        for seat in range(game.seats):
            players: list[Player] = [RandomPlayer(deal + other) for other in range(game.seats)]
            players[seat] = late(deal)
            ids = map(str, itertools.count())
            play = asyncio.run(Table(setup, players, partial(next, ids)).play())
            scores.append(float(play.result.scores()[seat]))
    return statistics.mean(scores)


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    print(f"score of a late bot among bots that play at random (0.50), {deals} deals, 5 games")
    print(f"{'profile':16} {'seats':>5} {'always':>8} {'sparing':>8}")
    worst = 0.0
    for profile in PROFILES:
        for seats in TABLE_SIZES:
            game = game_for(profile, seats)
            scores = [mean_score(game, late, deals) for late in (always, sparing)]
            worst = max(worst, *scores)
            print(f"{profile:16} {seats:5} {scores[0]:8.2f} {scores[1]:8.2f}", flush=True)
    verdict = "it does not pay" if worst < 0.5 else "IT PAYS"
    print(f"the best of them: {worst:.2f}: {verdict}")


if __name__ == "__main__":
    main()
