"""How fast the rules run, against OpenSpiel's crazy eights in the same run.

Both play random games at four seats from Python, through the interface that a match or a
search would use. Counted are elementary acts here (cards laid, cards drawn, passes; not the
cards dealt) and actions there (``apply_action``, chance included: its deal is made of actions).

Run: ``make bench``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Final

import pyspiel

from elfer.cards import CARD_AT
from elfer.tableau import OTHER_ROWS, fitting
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.view import View

SEATS: Final = 4
REPETITIONS: Final = 11
GAMES_EACH: Final = 400


def random_answer(view: View, draw: Callable[[], float]) -> tuple[int, ...]:
    """Card after card that fits, each choice and stopping equally likely, but at least one."""
    hand, laid, starts = view.hand, view.laid, view.starts
    answer: list[int] = []
    while True:
        fits = fitting(laid, starts, hand)
        choice = int(draw() * (fits.bit_count() + bool(answer)))
        for _ in range(choice):
            fits &= fits - 1
        if not fits:
            return tuple(answer)
        bit = fits & -fits
        card = CARD_AT[bit.bit_length()]
        answer.append(card)
        hand ^= bit
        laid |= bit
        starts &= OTHER_ROWS[card]


def play_elfer_raus(game: ElferRaus, number: int) -> int:
    """One random game, as the match loop plays it. Gives its elementary acts."""
    draw = random.random
    state = game.deal(Dice(number.to_bytes(32, "big")), 1, 0)
    elementary = 0
    while state.outcome() is None:
        act = state.forced()
        if act is None:
            decision = state.decision()
            assert decision is not None
            (seat,) = decision.seats
            verdict = state.judge(seat, random_answer(state.view(seat), draw))
            assert not isinstance(verdict, Ruling)
            act = state.resolve([verdict])
        elementary += len(act.cards) or 1
        state.apply(act)
    return elementary


def play_crazy_eights(game: pyspiel.Game) -> int:
    """One random game. Gives its actions."""
    draw = random.random
    state = game.new_initial_state()
    actions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
        actions += 1
    return actions


def per_second(play: Callable[[int], int]) -> float:
    started = time.perf_counter()
    count = sum(play(number) for number in range(GAMES_EACH))
    return count / (time.perf_counter() - started)


def main() -> None:
    elfer_raus = ElferRaus.of_profile("ravensburger@1", SEATS)
    crazy_eights = pyspiel.load_game("crazy_eights", {"players": SEATS})
    ours, theirs = [], []
    for _ in range(REPETITIONS):
        ours.append(per_second(lambda number: play_elfer_raus(elfer_raus, number)))
        theirs.append(per_second(lambda _: play_crazy_eights(crazy_eights)))
    ratios = sorted(mine / other for mine, other in zip(ours, theirs, strict=True))
    print(f"rules: {statistics.median(ours):,.0f} elementary acts/s")
    print(f"crazy_eights of OpenSpiel: {statistics.median(theirs):,.0f} actions/s")
    print(
        f"ratio {statistics.median(ratios):.2f} (aim: 1 or more), "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {REPETITIONS} alternating repetitions"
    )


if __name__ == "__main__":
    main()
