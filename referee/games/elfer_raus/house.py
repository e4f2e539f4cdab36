"""House player 1: the referee's own legal player, for a seat that cannot play."""

from __future__ import annotations

from typing import Final

from elfer.cards import cards_of
from elfer.tableau import OTHER_ROWS
from referee.games.elfer_raus.view import View

VERSION: Final = 1


def answer(view: View) -> tuple[int, ...]:
    """What it lays: all that is due, in card order; if nothing is, its lowest fitting card.

    Ties go in colour order. It never passes. Wants a view with a decision in it.
    """
    allowed = view.allowed
    if allowed is None:
        raise ValueError("the house is asked only when there is something to choose")
    if allowed.due:
        return _all_due(allowed.due)
    return (min(cards_of(allowed.fits), key=lambda card: (card.number, card)),)


def _all_due(due: int) -> tuple[int, ...]:
    laid = []
    while due:
        first = cards_of(due)[0]
        laid.append(int(first))
        due &= OTHER_ROWS[first]
    return tuple(laid)
