"""The verdict on an answer, from the referee or before it is sent (rulebook §4.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elfer.cards import Card

_REASONS: Final = {
    "not_in_deck": ("§1.1", "{card} is no card of this deck"),
    "named_twice": ("§4.7", "{card} is named twice"),
    "not_in_hand": ("§2.3", "{card} is not in your hand"),
    "row_not_opened": ("§4.2", "{card} does not fit: its row is not open yet"),
    "not_adjacent": ("§4.3", "{card} does not fit: no card next to it is laid"),
    "one_card_only": ("§9.5", "exactly one card is laid in this turn"),
    "duty_unmet": ("§4.5", "{card} must be laid in this turn: its row is closed"),
    "must_lay": ("§4.4", "at least one card must be laid, as one fits"),
    "pass_not_allowed": ("§9.1", "no pass now: nobody laid or drew a card in the last turns"),
}


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

    def __str__(self) -> str:
        return f"{self.text} ({self.section}, {self.code})"


def refusal(code: str, card: int = 0) -> Ruling:
    """The ruling on an answer by its code; ``card`` is the one at fault, if any."""
    section, text = _REASONS[code]
    return Ruling(code, section, card, text.format(card=_name(card)))


def _name(number: int) -> str:
    return str(Card(number)) if 1 <= number <= len(Card) else f"number {number}"
