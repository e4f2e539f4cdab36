"""How fast the rules run, against OpenSpiel's crazy eights in the same run.

Both play random games at four seats from Python, in the plain way: ask what is possible, pick
with ``random.choice`` (chance by its probabilities), apply. Ours goes through all that a match
does: forced, decision, view, judge, resolve, apply. Counted are what players do: cards laid,
cards drawn and passes here, players' actions there. Dealing takes its time on both sides and
counts on neither; the last line tells what counting OpenSpiel's chance actions would make of it.

Run: ``python -m benchmarks.rules``.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Final

import pyspiel

from elfer.cards import BIT, Card, cards_of
from elfer.tableau import OTHER_ROWS, fitting
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.view import View

SEATS: Final = 4
REPETITIONS: Final = 15
GAMES_EACH: Final = 200


def random_answer(view: View) -> tuple[int, ...]:
    """Card after card that fits; to stop is one more choice after the first."""
    hand, laid, starts = view.hand, view.laid, view.starts
    answer: list[Card] = []
    options: list[Card | None] = list(cards_of(fitting(laid, starts, hand)))
    while (card := random.choice(options)) is not None:
        answer.append(card)
        bit = BIT[card]
        hand ^= bit
        laid |= bit
        starts &= OTHER_ROWS[card]
        options = [None, *cards_of(fitting(laid, starts, hand))]
    return tuple(answer)


def play_elfer_raus(game: ElferRaus, number: int) -> int:
    """One random game, as the match loop plays it. Gives its elementary acts."""
    state = game.deal(Dice(number.to_bytes(32, "big")), 1, 0)
    elementary = 0
    while state.outcome() is None:
        act = state.forced()
        if act is None:
            decision = state.decision()
            assert decision is not None
            (seat,) = decision.seats
            verdict = state.judge(seat, random_answer(state.view(seat)))
            assert not isinstance(verdict, Ruling)
            act = state.resolve([verdict])
        elementary += len(act.cards) or 1
        state.apply(act)
    return elementary


def play_crazy_eights(game: pyspiel.Game) -> tuple[int, int]:
    """One random game. Gives its players' actions, and those of chance."""
    state = game.new_initial_state()
    players = chance = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            (action,) = random.choices(outcomes, probabilities)
            chance += 1
        else:
            action = random.choice(state.legal_actions())
            players += 1
        state.apply_action(action)
    return players, chance


def main() -> None:
    elfer_raus = ElferRaus.of_profile("ravensburger@1", SEATS)
    crazy_eights = pyspiel.load_game("crazy_eights", {"players": SEATS})
    ours, theirs, with_chance = [], [], []
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        elementary = sum(play_elfer_raus(elfer_raus, number) for number in range(GAMES_EACH))
        between = time.perf_counter()
        games = [play_crazy_eights(crazy_eights) for _ in range(GAMES_EACH)]
        ended = time.perf_counter()
        ours.append(elementary / (between - started))
        theirs.append(sum(players for players, _ in games) / (ended - between))
        with_chance.append(sum(map(sum, games)) / (ended - between))
    ratios = sorted(mine / other for mine, other in zip(ours, theirs, strict=True))
    strict_ratio = statistics.median(
        mine / other for mine, other in zip(ours, with_chance, strict=True)
    )
    print(f"rules: {statistics.median(ours):,.0f} elementary acts/s")
    print(f"crazy_eights of OpenSpiel: {statistics.median(theirs):,.0f} players' actions/s")
    print(
        f"ratio {statistics.median(ratios):.2f} (aim: 1 or more), "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {REPETITIONS} alternating repetitions"
    )
    print(f"with OpenSpiel's chance actions counted as well: {strict_ratio:.2f}")


if __name__ == "__main__":
    main()
