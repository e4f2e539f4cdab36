"""What a person may want to know before answering."""

from __future__ import annotations

from collections.abc import Iterator

from elfer.cards import BIT, CARD_AT, Card, cards_of, mask_of
from referee.games.elfer_raus import house
from referee.games.elfer_raus.menu import choices
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.view import Allowed, View


def hints(rules: Rules, view: View) -> tuple[str, ...]:
    """What is due, what the house would lay, and how far each card that fits leads."""
    return tuple(_hints(rules, view, choices(view)))


def _hints(rules: Rules, view: View, allowed: Allowed) -> Iterator[str]:
    if allowed.due:
        yield f"due     {_names(allowed.due)} must be laid in this turn (§4.5)"
    yield f"house   would lay {' '.join(Card(card).name for card in house.answer(view))}"
    if allowed.single:
        yield "one     card, and the turn is over (§9.5)"
        return
    for first in cards_of(allowed.fits):
        chain = _chain(first, view.hand)
        names = " ".join(map(str, chain))
        yield f"chain   {names}, then {_opened(rules, view, chain)}"


def _chain(first: Card, hand: int) -> tuple[Card, ...]:
    """A card, and those of the hand that can follow it one by one: upwards, then downwards."""
    chain = [first]
    up = BIT[first] << 1
    while up & hand:
        chain.append(CARD_AT[up.bit_length()])
        up <<= 1
    down = BIT[first] >> 1
    while down & hand:
        chain.append(CARD_AT[down.bit_length()])
        down >>= 1
    return tuple(chain)


def _opened(rules: Rules, view: View, chain: tuple[Card, ...]) -> str:
    laid = mask_of(chain)
    opened = (laid << 1 | laid >> 1) & rules.deck & ~view.laid & ~view.hand
    if not opened:
        return "nothing new fits"
    return f"{_names(opened)} {'fits' if opened.bit_count() == 1 else 'fit'}"


def _names(cards: int) -> str:
    return " ".join(map(str, cards_of(cards)))
