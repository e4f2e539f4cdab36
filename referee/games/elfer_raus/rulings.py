"""The referee's words on an answer that it refuses (§4.7)."""

from __future__ import annotations

from elfer.cards import Card
from elfer.ruling import SECTION, Code
from referee.core.game import Ruling


def not_in_deck(raw: int, position: int) -> Ruling:
    # By position: the number itself may have any length.
    return _ruling(Code.NOT_IN_DECK, raw, f"card {position} of the answer is not in this deck")


def named_twice(card: Card) -> Ruling:
    return _ruling(Code.NAMED_TWICE, card, f"{card} is named twice")


def not_in_hand(card: Card) -> Ruling:
    return _ruling(Code.NOT_IN_HAND, card, f"{card} is not in this seat's hand")


def row_not_opened(card: Card) -> Ruling:
    return _ruling(
        Code.ROW_NOT_OPENED, card, f"{card} does not fit: the {card.colour} row is not open yet"
    )


def not_adjacent(card: Card, low: int, high: int) -> Ruling:
    """``low`` and ``high`` are the ends of the row."""
    beside = [
        f"{card.colour.letter}{number}"
        for number in (card.number - 1, card.number + 1)
        if low <= number <= high
    ]
    return _ruling(
        Code.NOT_ADJACENT,
        card,
        f"{card} does not fit: {' or '.join(beside)} must be laid before it",
    )


def one_card_only(count: int) -> Ruling:
    return _ruling(Code.ONE_CARD_ONLY, 0, f"one card only is laid in this turn, not {count}")


def duty_unmet(card: Card) -> Ruling:
    return _ruling(
        Code.DUTY_UNMET, card, f"{card} must be laid in this turn: the {card.colour} row is closed"
    )


def must_lay(fits: Card) -> Ruling:
    return _ruling(Code.MUST_LAY, 0, f"at least one card must be laid, as {fits} fits")


def pass_not_allowed(turns: int) -> Ruling:
    last = "turn" if turns == 1 else f"{turns} turns"
    return _ruling(
        Code.PASS_NOT_ALLOWED, 0, f"no pass now: nobody laid or drew a card in the last {last}"
    )


def _ruling(code: Code, card: int, text: str) -> Ruling:
    return Ruling(code.value, SECTION[code], int(card), text)
