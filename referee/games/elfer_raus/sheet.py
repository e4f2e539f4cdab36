"""Rules in words and figures: what each slot says, what is dealt, and the bounds of §8."""

from __future__ import annotations

from dataclasses import dataclass

from elfer.tableau import frontier
from referee.games.elfer_raus.rules import Passing, Rules, StartKind
from referee.games.elfer_raus.slots import SLOTS


@dataclass(frozen=True, slots=True)
class SlotSheet:
    name: str
    value: str
    """As the transcript writes it."""
    meaning: str
    section: str


@dataclass(frozen=True, slots=True)
class TableSheet:
    """At a table of so many seats."""

    seats: int
    hand: int
    """Cards dealt to each."""
    stock: int
    most_turns: int
    """A game has this many at the most."""


@dataclass(frozen=True, slots=True)
class Sheet:
    profile: str
    """With its version."""
    cards: int
    """In the deck, those on the table from the start included."""
    slots: tuple[SlotSheet, ...]
    tables: tuple[TableSheet, ...]
    """For every number of seats that may play."""
    most_that_fit: int
    """Different cards that can fit at one time, once a card is laid."""
    most_that_fit_first: int
    """And before that."""


def sheet(profile: str, rules: Rules) -> Sheet:
    any_start = rules.start.kind is StartKind.ANY
    cards = rules.deck.bit_count()
    return Sheet(
        profile=profile,
        cards=cards,
        slots=tuple(
            SlotSheet(slot.name, slot.print(getattr(rules, slot.field)), slot.meaning, slot.section)
            for slot in SLOTS
        ),
        tables=tuple(
            TableSheet(seats, rules.hand_for(seats), stock(rules, seats), most_turns(rules, seats))
            for seats in rules.seat_counts
        ),
        most_that_fit=most_that_fit(rules),
        most_that_fit_first=cards if any_start else most_that_fit(rules),
    )


def stock(rules: Rules, seats: int) -> int:
    """How many cards are not dealt to a hand."""
    return rules.dealt - seats * rules.hand_for(seats)


def most_turns(rules: Rules, seats: int) -> int:
    """No game has more turns (§8)."""
    drawn = stock(rules, seats)
    laid = rules.dealt - (seats - 1)
    if rules.passing is Passing.FREE:
        return 1 + seats * drawn + (2 * seats - 1) * (laid - 1)
    draws = -(-drawn // rules.draw) if drawn else 0
    return seats * laid + draws - (seats - 1)


def most_that_fit(rules: Rules) -> int:
    """No more different cards fit at one time (§8), once any is laid.

    A row grows at most ends when it is opened: they meet, or reach the deck's end.
    """
    if rules.table:
        return frontier(rules.cards(rules.table), 0, rules.deck).bit_count()
    low, high = rules.numbers
    numbers = rules.start.numbers or tuple(range(low, high + 1))
    opened = [frontier(rules.cards((number,)), 0, rules.deck) for number in numbers]
    closed = rules.cards(numbers if rules.start.kind is StartKind.LISTED else numbers[:1])
    return max(cards.bit_count() for cards in (*opened, closed))
