"""What lies on the table, and what fits there (rulebook §4.2, §4.3).

The functions work on masks (see ``elfer.cards``); the referee uses them, and so
may a bot that searches. ``Tableau`` is the same in the terms of cards.

Everywhere, *starts* are the start cards of rows that are still closed. So one
line holds the whole rule: a card fits when it lies next to a laid one, or is in
*starts*. Rows end at the deck's lowest and highest number because no card of
the deck lies beyond them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, final

from elfer.cards import BIT, PACK, WIDTH, Card, Cards, mask_of

_END: Final = len(BIT)
_ROW: Final = (1 << WIDTH) - 1

ROW: Final[tuple[int, ...]] = (0, *(_ROW << c.colour * WIDTH & PACK for c in Card))
"""All cards of a card's colour, by its number in the protocol."""

OTHER_ROWS: Final[tuple[int, ...]] = (PACK, *(PACK & ~ROW[c] for c in Card))
"""All cards of the other colours, by a card's number in the protocol."""

SAME_NUMBER: Final[tuple[int, ...]] = (
    0,
    *(mask_of(d for d in Card if d.number == c.number) for c in Card),
)
"""The cards of all colours with a card's number, itself included, by its number in the protocol."""


def fitting(laid: int, starts: int, cards: int) -> int:
    """Which of ``cards``, none of them laid, fit (§4.3)."""
    return (laid << 1 | laid >> 1 | starts) & cards


def frontier(laid: int, starts: int, deck: int = PACK) -> int:
    """All cards of the deck that fit, in whatever hands they are (§4.3)."""
    return fitting(laid, starts, deck & ~laid)


def still_closed(starts: int, cards: Iterable[int]) -> int:
    """What is left of ``starts`` when ``cards`` are laid: their rows are open (§4.2)."""
    for card in cards:
        starts &= OTHER_ROWS[card]
    return starts


def starts_named(laid: int, starts: int, cards: Sequence[int]) -> int:
    """The start cards by which ``cards`` are judged where any card may be the first (§9.5).

    Until one is laid all are start cards; the first of ``cards`` leaves those of its number.
    """
    if laid or not cards or not 0 < cards[0] < _END:
        return starts
    return starts & SAME_NUMBER[cards[0]]


def legal_prefix(laid: int, starts: int, hand: int, cards: Sequence[int]) -> int:
    """How many of ``cards``, from the left, can be laid from ``hand`` in this order (§4.4).

    ``len(cards)`` if all can; otherwise the index of the first card at fault: one
    that is not in the hand (any more) or does not fit at its moment. ``cards`` may
    hold any numbers at all.
    """
    legal = 0
    for card in cards:
        if not 0 < card < _END:
            break
        bit = BIT[card]
        if not (laid << 1 | laid >> 1 | starts) & hand & bit:
            break
        laid |= bit
        hand ^= bit
        starts &= OTHER_ROWS[card]
        legal += 1
    return legal


@final
class Tableau:
    """The cards on the table, and the start cards of the rows that are closed. Immutable.

    ``deck`` is all the cards there are in this game. With ``any_start``, the first
    card of the game sets the start number of the other colours (§9.5).
    """

    __slots__ = ("any_start", "deck", "laid", "starts")

    def __init__(
        self, laid: Cards, starts: Cards, deck: Cards | None = None, *, any_start: bool = False
    ) -> None:
        self.laid = laid
        self.starts = starts
        self.deck = Cards.from_mask(PACK) if deck is None else deck
        self.any_start = any_start

    @property
    def frontier(self) -> Cards:
        """All cards that fit, in whatever hands they are (§4.3)."""
        return Cards.from_mask(frontier(self.laid.mask, self.starts.mask, self.deck.mask))

    def fits(self, hand: Cards) -> Cards:
        """The cards of a hand that fit (§4.3)."""
        return Cards.from_mask(fitting(self.laid.mask, self.starts.mask, hand.mask))

    def due(self, hand: Cards) -> Cards:
        """The start cards in a hand whose row is closed, which the duty of §4.5 speaks of."""
        return Cards.from_mask(self.starts.mask & hand.mask)

    def legal_prefix(self, hand: Cards, cards: Sequence[int]) -> int:
        """How many of ``cards``, from the left, can be laid from ``hand`` in this order (§4.4).

        ``len(cards)`` if all can; otherwise the index of the first card at fault.
        """
        return legal_prefix(self.laid.mask, self._starts_for(cards), hand.mask, cards)

    def lay(self, *cards: Card) -> Tableau:
        """The tableau after these cards. Raises ``ValueError`` at the first that does not fit."""
        count = self.legal_prefix(Cards.from_mask(self.deck.mask & ~self.laid.mask), cards)
        if count < len(cards):
            raise ValueError(f"{cards[count]!s} does not fit")
        laid = Cards.from_mask(self.laid.mask | mask_of(cards))
        starts = Cards.from_mask(still_closed(self._starts_for(cards), cards))
        return Tableau(laid, starts, self.deck, any_start=self.any_start)

    def _starts_for(self, cards: Sequence[int]) -> int:
        if self.any_start:
            return starts_named(self.laid.mask, self.starts.mask, cards)
        return self.starts.mask
