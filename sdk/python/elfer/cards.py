"""The cards of the pack (rulebook §1.1) and sets of them.

A card is an ``IntEnum`` member whose value is its number in the protocol, so
``Card.R11`` is 11 on the wire and ``str(Card.R11)`` is ``"R11"``. A set of
cards is one integer: each card has a bit, colours lie 21 bits apart, and the
bit between two colours is never a card, so a shift by one cannot carry a
neighbour from one row into the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from enum import IntEnum
from typing import Any, Final, final


class Colour(IntEnum):
    """A colour, in the order the rulebook always names them."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    @property
    def letter(self) -> str:
        """``R``, ``Y``, ``G`` or ``B``."""
        return self.name[0]

    def __str__(self) -> str:
        return self.name.lower()


class Card(IntEnum):
    """One card. Its value is its number in the protocol, 1 to 80."""

    R1 = 1
    R2 = 2
    R3 = 3
    R4 = 4
    R5 = 5
    R6 = 6
    R7 = 7
    R8 = 8
    R9 = 9
    R10 = 10
    R11 = 11
    R12 = 12
    R13 = 13
    R14 = 14
    R15 = 15
    R16 = 16
    R17 = 17
    R18 = 18
    R19 = 19
    R20 = 20
    Y1 = 21
    Y2 = 22
    Y3 = 23
    Y4 = 24
    Y5 = 25
    Y6 = 26
    Y7 = 27
    Y8 = 28
    Y9 = 29
    Y10 = 30
    Y11 = 31
    Y12 = 32
    Y13 = 33
    Y14 = 34
    Y15 = 35
    Y16 = 36
    Y17 = 37
    Y18 = 38
    Y19 = 39
    Y20 = 40
    G1 = 41
    G2 = 42
    G3 = 43
    G4 = 44
    G5 = 45
    G6 = 46
    G7 = 47
    G8 = 48
    G9 = 49
    G10 = 50
    G11 = 51
    G12 = 52
    G13 = 53
    G14 = 54
    G15 = 55
    G16 = 56
    G17 = 57
    G18 = 58
    G19 = 59
    G20 = 60
    B1 = 61
    B2 = 62
    B3 = 63
    B4 = 64
    B5 = 65
    B6 = 66
    B7 = 67
    B8 = 68
    B9 = 69
    B10 = 70
    B11 = 71
    B12 = 72
    B13 = 73
    B14 = 74
    B15 = 75
    B16 = 76
    B17 = 77
    B18 = 78
    B19 = 79
    B20 = 80

    @property
    def colour(self) -> Colour:
        return Colour((self - 1) // 20)

    @property
    def number(self) -> int:
        """The number printed on the card, 1 to 20."""
        return (self - 1) % 20 + 1

    @property
    def bit(self) -> int:
        """The mask that holds this card alone."""
        return BIT[self]

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written ``text``, such as ``"R11"``.

        Raises ``ValueError`` for anything else, ``"r11"`` and ``"R011"`` included.
        """
        try:
            return cls[text]
        except KeyError:
            raise ValueError(
                f"{text!r} is no card: R, Y, G or B and a number from 1 to 20"
            ) from None

    def __str__(self) -> str:
        return self.name


WIDTH: Final = 21
"""Bits from one colour to the next."""

BIT: Final[tuple[int, ...]] = (0, *(1 << (c.colour * WIDTH + c.number) for c in Card))
"""The mask of a card, by its number in the protocol; 0 is no card."""

CARD_AT: Final[dict[int, Card]] = {BIT[card].bit_length(): card for card in Card}
"""The card of a one-bit mask, by the mask's ``bit_length()``."""

PACK: Final = sum(BIT)
"""All eighty cards."""


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards. Raises ``IndexError`` above 80."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a mask, in card order. Raises ``KeyError`` on a bit that is no card."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(CARD_AT[low.bit_length()])
        mask ^= low
    return tuple(cards)


@final
class Cards(Set[Card]):
    """An immutable set of cards that iterates in card order: red ascending, yellow, …

    It behaves as any set does (``in``, ``len``, ``&``, ``|``, ``-``, ``<=``), and
    compares equal to one with the same members.
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, cards: Iterable[int] = ()) -> None:
        self.mask = cards.mask if isinstance(cards, Cards) else mask_of(cards)

    @classmethod
    def from_mask(cls, mask: int) -> Cards:
        self = cls.__new__(cls)
        self.mask = mask
        return self

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and 0 < card < len(BIT) and bool(self.mask & BIT[card])

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_of(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __and__(self, other: Set[Any]) -> Cards:
        return Cards.from_mask(self.mask & Cards(other).mask)

    def __or__(self, other: Set[Any]) -> Cards:
        return Cards.from_mask(self.mask | Cards(other).mask)

    def __sub__(self, other: Set[Any]) -> Cards:
        return Cards.from_mask(self.mask & ~Cards(other).mask)

    def __hash__(self) -> int:
        return self._hash()

    def __str__(self) -> str:
        return " ".join(map(str, self)) or "-"

    def __repr__(self) -> str:
        return f"Cards({self})"
