"""A view drawn as text, for people who watch or replay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from elfer.cards import Card, Colour, cards_of
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.view import View


def picture(rules: Rules, view: View) -> tuple[str, ...]:
    """The rows, one line a colour, then the hand with what fits, and the stock."""
    return (*(_row(rules, colour, view.laid) for colour in rules.colours), *_below(view))


def _row(rules: Rules, colour: Colour, laid: int) -> str:
    low, high = rules.numbers
    cards = [card for card in Card if card.colour is colour and low <= card.number <= high]
    shown = (card.number if card.bit & laid else "." for card in cards)
    return f"{colour!s:<6}" + "".join(f"{mark!s:>3}" for mark in shown)


def _below(view: View) -> Iterator[str]:
    yield f"hand    {_grouped(view.hand)}"
    if view.allowed is not None:
        yield f"fits    {_grouped(view.allowed.fits)}"
        if view.allowed.due:
            yield f"due     {_grouped(view.allowed.due)}"
    others = [f"{size}" for seat, size in enumerate(view.hand_sizes) if seat != view.seat]
    yield f"stock   {view.stock}, the others hold {' '.join(others)}"


def _grouped(cards: int) -> str:
    """Cards with a wider gap between colours: ``R3 R4  Y11``."""
    rows = groupby(cards_of(cards), key=lambda card: card.colour)
    return "  ".join(" ".join(map(str, row)) for _, row in rows) or "-"
