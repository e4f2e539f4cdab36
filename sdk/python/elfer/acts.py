"""What happened in a turn: the lines of the transcript, as a seat may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from elfer.cards import Card


class Verb(StrEnum):
    """What kind of act it was."""

    OPEN = "open"
    """The referee laid the opening card (§3.3)."""
    LAY = "lay"
    """The seat laid cards of its choice, in this order (§4.4)."""
    DRAW = "draw"
    """Nothing fitted: the seat drew, and the last card was laid if it fitted (§5.1)."""
    STUCK = "stuck"
    """Nothing fitted and there was nothing to draw (§5.3)."""
    PASS = "pass"
    """The seat chose to pass (§9.1)."""
    FORFEIT = "forfeit"
    """From here on the house plays this seat."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line of the transcript."""

    verb: Verb
    seat: int
    """The match seat whose act it was."""
    turn: int = 0
    """The turn, from 1 in each game; 0 for a forfeit, which stands between turns."""
    laid: tuple[Card, ...] = ()
    """The cards that came on the table, in this order."""
    drawn: int = 0
    """How many cards were drawn, one that was laid at once included."""
    seen: tuple[Card, ...] = ()
    """The drawn cards, where it was your own seat that drew."""
    house: bool = False
    """The house player acted for the seat."""


def parse_act(line: str) -> Act:
    """Read a line such as ``"3 0 draw 2 lay G8"``. Raises ``ValueError`` on any other."""
    try:
        return _parse(line.split(" "))
    except (ValueError, IndexError):
        raise ValueError(f"{line!r} is no act") from None


def _parse(words: Sequence[str]) -> Act:
    if words[0] == Verb.FORFEIT:
        (seat,) = words[1:]
        return Act(Verb.FORFEIT, int(seat))
    turn, seat, *rest = words
    house = rest[0] == "house"
    verb, *cards = rest[house:]
    drawn: Sequence[str] = ()
    if verb == Verb.DRAW:
        end = cards.index("lay") if "lay" in cards else len(cards)
        drawn, cards = cards[:end], cards[end + 1 :]
    counted = len(drawn) == 1 and drawn[0].isdecimal()
    return Act(
        Verb(verb),
        int(seat),
        int(turn),
        laid=tuple(map(Card.parse, cards)),
        drawn=int(drawn[0]) if counted else len(drawn),
        seen=() if counted else tuple(map(Card.parse, drawn)),
        house=house,
    )
