"""The verdict on an answer, from the referee or before it is sent (rulebook §4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from elfer.cards import BIT, Card, mask_of
from elfer.tableau import ROW


class Code(StrEnum):
    """Why an answer is refused, in the order in which §4.7 looks for it."""

    NOT_IN_DECK = "not_in_deck"
    NAMED_TWICE = "named_twice"
    NOT_IN_HAND = "not_in_hand"
    ROW_NOT_OPENED = "row_not_opened"
    NOT_ADJACENT = "not_adjacent"
    ONE_CARD_ONLY = "one_card_only"
    DUTY_UNMET = "duty_unmet"
    MUST_LAY = "must_lay"
    PASS_NOT_ALLOWED = "pass_not_allowed"


SECTION: Final = {
    Code.NOT_IN_DECK: "§1.1",
    Code.NAMED_TWICE: "§4.7",
    Code.NOT_IN_HAND: "§4.7",
    Code.ROW_NOT_OPENED: "§4.2",
    Code.NOT_ADJACENT: "§4.3",
    Code.ONE_CARD_ONLY: "§9.5",
    Code.DUTY_UNMET: "§4.5",
    Code.MUST_LAY: "§4.4",
    Code.PASS_NOT_ALLOWED: "§9.1",
}
"""The section of the rulebook that each rests on."""

_TEXT: Final = {
    Code.NOT_IN_DECK: "{card} is no card of this deck",
    Code.NAMED_TWICE: "{card} is named twice",
    Code.NOT_IN_HAND: "{card} is not in your hand",
    Code.ROW_NOT_OPENED: "{card} does not fit: its row is not open yet",
    Code.NOT_ADJACENT: "{card} does not fit: no card next to it is laid",
    Code.ONE_CARD_ONLY: "exactly one card is laid in this turn",
    Code.DUTY_UNMET: "{card} must be laid in this turn: its row is closed",
    Code.MUST_LAY: "at least one card must be laid, as one fits",
    Code.PASS_NOT_ALLOWED: "no pass now: nobody laid or drew a card in the last turns",
}


def card_fault(card: int, before: Sequence[int], *, deck: int, hand: int, laid: int) -> Code:
    """Why ``card`` cannot be laid after the cards ``before`` it, which can: §4.7's first reason.

    ``card`` may be any number at all; ``deck``, ``hand`` and ``laid`` are masks, as they
    were before the answer.
    """
    if not 0 < card < len(BIT) or not BIT[card] & deck:
        return Code.NOT_IN_DECK
    if card in before:
        return Code.NAMED_TWICE
    if not BIT[card] & hand:
        return Code.NOT_IN_HAND
    if not (laid | mask_of(before)) & ROW[card]:
        return Code.ROW_NOT_OPENED
    return Code.NOT_ADJACENT


@dataclass(frozen=True)
class Ruling:
    """Why an answer is refused."""

    code: str
    """A stable word, such as ``"not_adjacent"``; ``docs/protocol.md`` lists them."""
    section: str
    """The section of the rulebook that it rests on, such as ``"§4.3"``."""
    card: int
    """The card at fault as it was sent, or 0."""
    text: str
    """One sentence for people."""
    retry: bool = False
    """Another try follows."""
    infraction: str = ""
    """The kind of infraction, such as ``"illegal"``; empty if it is none."""
    penalty: int = 0
    """What it costs, in points."""
    strikes: int = 0
    """How many you have in this match, those of this infraction included."""
    consequence: str = ""
    """What follows: ``"none"``, ``"retry"``, ``"house"``, ``"restart"`` or ``"forfeit"``."""

    def __str__(self) -> str:
        return f"{self.text} ({self.section}, {self.code})"


def refusal(code: Code, card: int = 0) -> Ruling:
    """The ruling on an answer by its code; ``card`` is the one at fault, if any."""
    return Ruling(code, SECTION[code], card, _TEXT[code].format(card=_name(card)))


def _name(number: int) -> str:
    return str(Card(number)) if 1 <= number <= len(Card) else f"number {number}"
