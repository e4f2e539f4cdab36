"""In what way a bot misbehaves, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.bots.seat import Seat

AtTurn = Callable[[Seat], None]

AT_A_TURN: Final[dict[str, AtTurn]] = {}
INSTEAD: Final[dict[str, Callable[[], None]]] = {}


def at_every_turn(mode: AtTurn) -> AtTurn:
    """Does so at every turn of every match."""
    AT_A_TURN[mode.__name__] = mode
    return mode


def at_turn(number: int) -> Callable[[AtTurn], AtTurn]:
    """Does so at that turn of its own in each match, from 1; plays well at all others.

    Every try counts as one.
    """

    def register(mode: AtTurn) -> AtTurn:
        def at_a_turn(seat: Seat) -> None:
            (mode if len(seat.turns) == number else Seat.answer)(seat)

        AT_A_TURN[mode.__name__] = at_a_turn
        return mode

    return register


def instead(mode: Callable[[], None]) -> Callable[[], None]:
    """Does so in place of all that a bot does."""
    INSTEAD[mode.__name__] = mode
    return mode
