"""From a seed to the first turn: start cards, hands, stock, opener (§2, §3, §10)."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from elfer.cards import Card, cards_of, mask_of
from elfer.tableau import ROW
from referee.core.dice import Dice
from referee.games.elfer_raus.rules import Opener, Opening, Rules, StartKind


class Dealt(NamedTuple):
    """A game before its first turn. Hands and cards to come are nobody's to see."""

    deal: int
    """How many deals were thrown away before this one (§3.2)."""
    laid: int
    """Cards on the table from the start."""
    starts: int
    """Start cards of the rows that are closed."""
    hands: tuple[int, ...]
    """A mask for each seat."""
    stock: tuple[Card, ...]
    """The top first."""
    opener: int
    """The seat that has the first turn."""
    opening: Card | None
    """The card that the referee lays for the opener (§3.3)."""


def deal(rules: Rules, seats: int, dice: Dice, number: int, dealer: int) -> Dealt:
    """Deal game ``number`` of a match (§2.1), again and again where §3.2 says so."""
    laid = rules.cards(rules.table)
    starts = start_cards(rules, dice, number)
    deck = _in_order(rules.deck & ~laid)
    for redeals in count():
        cards = list(deck)
        dice.stream(f"deal/{number}/{redeals}").shuffle(cards)
        each = rules.hand_for(seats)
        hands = _hands(cards[: each * seats], seats, dealer)
        if rules.redeal and not any(hand & starts for hand in hands):
            continue
        seat, card = opener(rules, hands, starts, dice, number, dealer)
        opening = card if rules.opening is Opening.ALONE else None
        return Dealt(redeals, laid, starts, hands, tuple(cards[each * seats :]), seat, opening)
    raise AssertionError("counting has no end")


_in_order: Final = lru_cache(maxsize=16)(cards_of)


def start_cards(rules: Rules, dice: Dice, number: int) -> int:
    """The mask of a game's start cards (§9.3); all cards where any will do (§9.5)."""
    kind, numbers = rules.start
    if kind is StartKind.ANY:
        return rules.deck
    if kind is StartKind.LISTED:
        return rules.cards(numbers)
    stream = dice.stream(f"start/{number}")
    drawn = {colour: numbers[stream.below(len(numbers))] for colour in rules.colours}
    return mask_of(c for c in Card if drawn.get(c.colour) == c.number)


def _hands(cards: list[Card], seats: int, dealer: int) -> tuple[int, ...]:
    first = dealer + 1
    return tuple(mask_of(cards[(seat - first) % seats :: seats]) for seat in range(seats))


def opener(
    rules: Rules, hands: tuple[int, ...], starts: int, dice: Dice, number: int, dealer: int
) -> tuple[int, Card | None]:
    """The seat with the first turn, and its start card where that is why (§3.1)."""
    seats = len(hands)
    left = (dealer + 1) % seats
    match rules.opener:
        case Opener.LEFT:
            return left, None
        case Opener.LOT:
            return (left + dice.stream(f"begin/{number}").below(seats)) % seats, None
        case Opener.ELEVEN:
            return _holder_of_first(hands, rules.cards((11,))) or (left, None)
        case Opener.FIRST:
            return _holder_of_first(hands, starts) or (left, None)
        case Opener.CLOCKWISE:
            return (
                _holder_of_first(hands, starts & ROW[Card.R1])
                or _first_holder(hands, starts, left)
                or (left, None)
            )


def _holder_of_first(hands: tuple[int, ...], wanted: int) -> tuple[int, Card] | None:
    """The first of the wanted cards, in card order, that a hand has."""
    for card in cards_of(wanted):
        for seat, hand in enumerate(hands):
            if hand & card.bit:
                return seat, card
    return None


def _first_holder(hands: tuple[int, ...], wanted: int, left: int) -> tuple[int, Card] | None:
    """The first seat, clockwise from ``left``, that has a wanted card."""
    for seat in (*range(left, len(hands)), *range(left)):
        if held := hands[seat] & wanted:
            return seat, cards_of(held)[0]
    return None
