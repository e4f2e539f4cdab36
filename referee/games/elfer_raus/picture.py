"""A view drawn as text, for people who watch or replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from elfer.cards import Card, Colour, cards_of
from referee.core.game import Hue, Mark, Picture
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.view import View

_ROW: Final = re.compile(r" *(red|yellow|green|blue)[ .0-9]+")
_CARD: Final = re.compile(r"\b([RYGB])[0-9]{1,2}(?:-[0-9]{1,2})?\b")
_WORD: Final = re.compile(r"\S+")
_HUES: Final = {colour.letter: Hue(str(colour)) for colour in Colour}


def picture(rules: Rules, view: View) -> Picture:
    """The rows, one line a colour, and the counts; for the seat its hand and what fits."""
    return Picture(
        (*(_row(rules, colour, view.laid) for colour in rules.colours), _counts(view)),
        tuple(_own(view)),
    )


def _row(rules: Rules, colour: Colour, laid: int) -> str:
    low, high = rules.numbers
    cards = [card for card in Card if card.colour is colour and low <= card.number <= high]
    shown = (card.number if card.bit & laid else "." for card in cards)
    return f"{colour!s:<6}" + "".join(f"{mark!s:>3}" for mark in shown)


def _counts(view: View) -> str:
    return f"cards   {' '.join(map(str, view.hand_sizes))}   stock {view.stock}"


def _own(view: View) -> Iterator[str]:
    yield f"hand    {grouped(view.hand)}"
    if view.allowed is not None:
        yield f"fits    {grouped(view.allowed.fits)}"
        if view.allowed.due:
            yield f"due     {grouped(view.allowed.due)}"


def grouped(cards: int, marked: int = 0) -> str:
    """Cards with a wider gap between colours, those ``marked`` in brackets: ``R3 [R4]  Y11``."""
    rows = groupby(cards_of(cards), key=lambda card: card.colour)
    return "  ".join(" ".join(_name(card, marked) for card in row) for _, row in rows) or "-"


def _name(card: Card, marked: int) -> str:
    return f"[{card}]" if card.bit & marked else card.name


def marks(line: str) -> tuple[Mark, ...]:
    """The colours of a line: cards in theirs, a drawn row in its own with its gaps faint."""
    if row := _ROW.fullmatch(line):
        hue = Hue(row[1])
        return tuple(
            Mark(*found.span(), Hue.FAINT if found[0] == "." else hue)
            for found in _WORD.finditer(line)
        )
    return tuple(Mark(*found.span(), _HUES[found[1]]) for found in _CARD.finditer(line))
