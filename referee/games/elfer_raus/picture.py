"""A view drawn as text, for people who watch or replay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from elfer.cards import Card, Colour, cards_of
from referee.core.game import Picture
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.view import View


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
    yield f"hand    {_grouped(view.hand)}"
    if view.allowed is not None:
        yield f"fits    {_grouped(view.allowed.fits)}"
        if view.allowed.due:
            yield f"due     {_grouped(view.allowed.due)}"


def _grouped(cards: int) -> str:
    """Cards with a wider gap between colours: ``R3 R4  Y11``."""
    rows = groupby(cards_of(cards), key=lambda card: card.colour)
    return "  ".join(" ".join(map(str, row)) for _, row in rows) or "-"
