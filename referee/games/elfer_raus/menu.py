"""What a person can answer, how it is typed, and how what was typed is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from elfer.cards import Card, cards_of
from referee.games.elfer_raus.picture import grouped
from referee.games.elfer_raus.state import Answer
from referee.games.elfer_raus.view import Allowed, View

_RUN: Final = re.compile(r"([RYGB])([0-9]{1,2})(?:-\1?([0-9]{1,2}))?")
MANUAL: Final = (
    "R12 R13  cards, in the order in which they are laid",
    "R12-15   a run, upwards or downwards: R10-7",
    "1 3      the cards with these keys in the line 'lay'; all of these can be mixed",
    "         an empty line passes, where that is allowed",
)
_PASSES: Final[tuple[list[str], ...]] = ([], ["-"], ["PASS"])


def menu(view: View) -> tuple[str, ...]:
    """The hand with what fits in brackets; the keys of what fits; what else is to be minded."""
    return tuple(_menu(view, choices(view)))


def _menu(view: View, allowed: Allowed) -> Iterator[str]:
    yield f"hand    {grouped(view.hand, allowed.fits)}"
    keys = "  ".join(f"{key}:{card}" for key, card in enumerate(cards_of(allowed.fits), 1))
    yield f"{'lay one' if allowed.single else 'lay':<7} {keys}"
    if allowed.due:
        yield f"due     {grouped(allowed.due)}"
    if allowed.may_pass:
        yield "pass    an empty line"


def read(view: View, text: str) -> Answer:
    """Cards as they are laid: ``R12``, runs as ``R12-15`` or ``R10-7``, keys of the menu.

    Nothing, ``-`` and ``pass`` lay none. Raises ``ValueError`` on any other word.
    """
    words = text.upper().replace(",", " ").split()
    if words in _PASSES:
        return ()
    keys = cards_of(choices(view).fits)
    return tuple(int(card) for word in words for card in _cards(word, keys))


def choices(view: View) -> Allowed:
    """What the seat may do. Raises ``ValueError`` where it has nothing to choose."""
    if view.allowed is None:
        raise ValueError("there is nothing to choose")
    return view.allowed


def _cards(word: str, keys: tuple[Card, ...]) -> tuple[Card, ...]:
    if word.isascii() and word.isdecimal() and len(word) <= 2:
        key = int(word)
        if not 1 <= key <= len(keys):
            raise ValueError(f"there is no key {key}: the keys are 1 to {len(keys)}")
        return (keys[key - 1],)
    run = _RUN.fullmatch(word)
    if run is None:
        raise ValueError(f"{word!r} is no card: type R12, a run as R12-15, or a key of the menu")
    colour, first, last = run.groups(default="")
    start = Card.parse(colour + first)
    end = Card.parse(colour + last) if last else start
    step = 1 if start <= end else -1
    return tuple(map(Card, range(start, end + step, step)))
