"""Cards as people write them: ``"R9-13 Y11"``."""

from __future__ import annotations

from elfer.cards import WIDTH, Card, Cards


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, in its order; ``"R9-13"`` is five cards, ``"-"`` and ``""`` are none.

    Raises ``ValueError`` that names the word that is neither a card nor a range.
    """
    cards: list[Card] = []
    for word in text.split():
        if word == "-":
            continue
        first, dash, last = word.partition("-")
        low = Card.parse(first)
        high = Card.parse(f"{first[0]}{last}") if dash else low
        if high < low:
            raise ValueError(f"{word!r} is no range: the lower number comes first")
        cards.extend(map(Card, range(low, high + 1)))
    return tuple(cards)


def write_cards(cards: Cards) -> str:
    """A set of cards with runs as ranges: the inverse of ``read_cards``."""
    words = []
    rest = cards.mask
    while rest:
        low = (rest & -rest).bit_length() - 1
        run = (~(rest >> low) & (rest >> low) + 1).bit_length() - 1
        rest &= ~(((1 << run) - 1) << low)
        words.append(_run(low, run))
    return " ".join(words) or "-"


def _run(low: int, length: int) -> str:
    colour, number = divmod(low, WIDTH)
    first = f"{'RYGB'[colour]}{number}"
    return first if length == 1 else f"{first}-{number + length - 1}"
