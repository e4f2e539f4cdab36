"""Acts and their one canonical line of text each (the transcript's grammar)."""

from __future__ import annotations

from typing import Final, NamedTuple

from elfer.acts import Verb
from elfer.cards import Card

# Bound once: reading a member off its enumeration costs as much as half an act.
OPEN: Final = Verb.OPEN
LAY: Final = Verb.LAY
DRAW: Final = Verb.DRAW
STUCK: Final = Verb.STUCK
PASS: Final = Verb.PASS

_HOW_MANY: Final = {OPEN: (1, 1), LAY: (1, 80), DRAW: (1, 80), STUCK: (0, 0), PASS: (0, 0)}
"""The fewest and most cards with each verb."""


# Plain text, likewise.
_NAMES: Final = ("", *(card.name for card in Card))
_WORDS: Final = {verb: verb.value for verb in Verb}


class Act(NamedTuple):
    """What one seat did, or what was done for it, in one turn."""

    seats: tuple[int, ...]
    """The one seat whose turn it was."""
    verb: Verb
    cards: tuple[Card, ...] = ()
    """The cards laid, or all cards drawn, in order."""
    laid: Card | None = None
    """The drawn card that was laid: the last one."""


def laid_by(act: Act) -> tuple[Card, ...]:
    """The cards that an act brings to the table."""
    if act.verb is DRAW:
        return () if act.laid is None else (act.laid,)
    return act.cards


def text(act: Act) -> str:
    """``open R11``, ``lay B11 B10``, ``draw Y4 G7 lay G7``, ``draw Y1``, ``stuck`` or ``pass``."""
    words = [_WORDS[act.verb], *[_NAMES[card] for card in act.cards]]
    if act.laid is not None:
        words += ["lay", _NAMES[act.laid]]
    return " ".join(words)


def seen(act: Act, seat: int) -> str:
    """The text as a seat sees it: cards that others drew are counted (§5.4)."""
    if act.verb is not DRAW or seat in act.seats:
        return text(act)
    laid = "" if act.laid is None else f" lay {_NAMES[act.laid]}"
    return f"draw {len(act.cards)}{laid}"


def parse(seats: tuple[int, ...], line: str) -> Act:
    """The inverse of ``text``. Raises ``ValueError`` on anything that ``text`` does not print."""
    word, *names = line.split(" ")
    verb = Verb(word)
    if verb not in _HOW_MANY:
        raise ValueError(f"{line!r} is no act of this game")
    laid = None
    if verb is DRAW and names[-2:-1] == ["lay"]:
        laid = Card.parse(names[-1])
        names = names[:-2]
    cards = tuple(map(Card.parse, names))
    fewest, most = _HOW_MANY[verb]
    if not fewest <= len(cards) <= most or len(set(cards)) < len(cards):
        raise ValueError(f"{line!r} is no act: the number of cards, or one is named twice")
    if laid is not None and laid is not cards[-1]:
        raise ValueError(f"{line!r} is no act: the last card drawn is the one laid")
    return Act(seats, verb, cards, laid)
