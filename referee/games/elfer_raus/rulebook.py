"""The rulebook's sentences that rulings and explanations rest on, by section.

The words are those of ``docs/rules.md``; dashes and other marks are plain.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

SENTENCES: Final = MappingProxyType(
    {
        "§1.1": "80 cards: numbers 1-20 in four colours.",
        "§3.1": "R: the holder of the red start card begins; if no hand has it, of the yellow, "
        "the green, the blue. C: the holder of the red start card; if no hand has it, the first "
        "holder of any start card clockwise from seat `dealer + 1`",
        "§3.3": "R: the opening seat lays that start card alone, and the next seat clockwise plays "
        "at once. There is no decision: the referee lays it.",
        "§4.2": "A row is opened only by a start card of its colour.",
        "§4.3": "A card fits when it is a start card of a closed row, or when the next lower or "
        "next higher number of its colour is laid.",
        "§4.4": "A seat that holds a fitting card must lay at least one. It may lay any number of "
        "cards, in any rows, in one turn; each must fit at the moment it is laid, so an answer is "
        "an ordered list.",
        "§4.5": "C only, the duty of the start card: at the end of its own turn with a fitting "
        "card, a seat may hold no start card whose row is closed.",
        "§4.6": "A seat that holds a fitting card never draws, and passes only under §9.1.",
        "§4.7": "A ruling names the first card at fault, cards left to right, and for that card "
        "the first reason of: not a card of this deck, named twice, not in hand, row not "
        "opened, not adjacent.",
        "§5.1": "A seat that holds no fitting card draws the top of the stock. If it fits it is "
        "laid at once and the turn ends",
        "§5.2": "R: if it does not fit it stays in hand and the next is drawn, until one fits or "
        "three have been drawn. C: only one is drawn.",
        "§5.3": "If the stock runs out the turn ends. With an empty stock at the start of its turn "
        "and nothing that fits, the seat passes.",
        "§7.4": "Penalties for infractions are no part of the rulebook: they change the placing "
        "afterwards, as the league's conduct says.",
        "§9.1": "a seat may pass although a card fits, but not while a start card is due (§4.5) "
        "and not when none of the last `n - 1` turns of this game laid or drew a card",
        "§9.5": "if it holds a start card it lays exactly one, otherwise it draws",
    }
)
