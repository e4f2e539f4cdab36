"""A view drawn as text, for people who watch or replay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from elfer.cards import Card, Colour, cards_of, mask_of
from referee.core.game import Hue, Mark, Picture
from referee.games.elfer_raus.notation import Act, laid_by
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.view import View

_ROW: Final = re.compile(r" *(red|yellow|green|blue)[ .*0-9]+")
_CARD: Final = re.compile(r"\b([RYGB])[0-9]{1,2}(?:-[0-9]{1,2})?\b")
_WORD: Final = re.compile(r"\S+")
_HUES: Final = {colour.letter: Hue(str(colour)) for colour in Colour}


def picture(rules: Rules, view: View, act: Act | None = None, names: Sequence[str] = ()) -> Picture:
    """The rows, one line a colour, and the counts; for the seat its hand and what fits.

    What ``act`` lays has a star in its row, and brackets in the hand it comes from.
    """
    new = 0 if act is None else mask_of(laid_by(act))
    rows = (_row(rules, colour, view.laid, new) for colour in rules.colours)
    return Picture((*rows, _counts(view, names)), tuple(_own(view, new & view.hand)))


def _row(rules: Rules, colour: Colour, laid: int, new: int) -> str:
    low, high = rules.numbers
    cards = [card for card in Card if card.colour is colour and low <= card.number <= high]
    return f"{colour!s:<6}" + "".join(f"{_cell(card, laid, new):>3}" for card in cards)


def _cell(card: Card, laid: int, new: int) -> str:
    if card.bit & new:
        return f"*{card.number}"
    return str(card.number) if card.bit & laid else "."


def _counts(view: View, names: Sequence[str]) -> str:
    if names:
        pairs = zip(names, view.hand_sizes, strict=True)
        held = "  ".join(f"{name} {size}" for name, size in pairs)
    else:
        held = " ".join(map(str, view.hand_sizes))
    return f"cards   {held}   stock {view.stock}"


def _own(view: View, new: int) -> Iterator[str]:
    yield f"hand    {grouped(view.hand, new)}"
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
            Mark(*found.span(), Hue.FAINT if found[0] == "." else hue, found[0][0] == "*")
            for found in _WORD.finditer(line)
        )
    return tuple(
        Mark(*found.span(), _HUES[found[1]], line[: found.start()].endswith("["))
        for found in _CARD.finditer(line)
    )
