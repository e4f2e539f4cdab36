"""The rule slots: every choice between readings of the rulebook is one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, NoReturn

from elfer.cards import Card, Colour, mask_of
from referee.core.errors import InputError

SEAT_COUNTS: Final = (2, 3, 4, 5, 6)
FEWEST_IN_HAND: Final = 2
LOWEST: Final = 1
HIGHEST: Final = 20
MOST_DRAWN: Final = len(Card)


class StartKind(StrEnum):
    """How the start numbers come about."""

    LISTED = "listed"
    """The numbers, in every colour; with none, no card is a start card."""
    DRAWN = "drawn"
    """One of the numbers, drawn for each colour and game (§9.3)."""
    ANY = "any"
    """The number of the first card laid (§9.5)."""


class Start(NamedTuple):
    """Which cards open a row (§4.2)."""

    kind: StartKind
    numbers: tuple[int, ...] = ()


class Opener(StrEnum):
    """Who has the first turn."""

    FIRST = "first"
    """The holder of the first start card in card order (§3.1, R)."""
    CLOCKWISE = "clockwise"
    """The holder of a red start card, else the first holder of any, clockwise (§3.1, C)."""
    ELEVEN = "eleven"
    """The holder of the first 11 in colour order (§9.4)."""
    LEFT = "left"
    """Seat ``dealer + 1``."""
    LOT = "lot"
    """A seat drawn by lot (§10.3)."""


class Opening(StrEnum):
    """What the first turn is (§3.3)."""

    ALONE = "alone"
    """The referee lays the opener's start card."""
    ONE = "one"
    """A single card is laid."""
    TURN = "turn"
    """An ordinary turn."""


class Passing(StrEnum):
    """Who may pass."""

    STUCK = "stuck"
    """Only a seat with nothing that fits, and then it must."""
    FREE = "free"
    """Also a seat with a card that fits (§9.1)."""


def start_at(*numbers: int) -> Start:
    return Start(StartKind.LISTED, numbers)


def start_drawn_from(*numbers: int) -> Start:
    return Start(StartKind.DRAWN, numbers)


START_ANY: Final = Start(StartKind.ANY)
NO_START: Final = Start(StartKind.LISTED)


@dataclass(frozen=True, slots=True)
class Rules:
    """One filling of all slots, in the transcript's order.

    Raises ``SlotError`` where it cannot be dealt or cannot start (§2.5).
    """

    colours: tuple[Colour, ...]
    numbers: tuple[int, int]
    """The deck's lowest and highest number."""
    table: tuple[int, ...]
    """Numbers that lie on the table from the start, in every colour."""
    start: Start
    opener: Opener
    redeal: bool
    """Without a start card in any hand, deal again (§3.2)."""
    opening: Opening
    duty: bool
    """A start card whose row is closed must be laid (§4.5)."""
    draw: int
    """The most cards drawn when stuck (§5.2)."""
    passing: Passing
    hand: tuple[int, ...]
    """Cards dealt to each of 2, 3, 4, 5, 6 seats; 0 where that many may not play."""

    def __post_init__(self) -> None:
        for check in _CHECKS:
            check(self)

    @property
    def deck(self) -> int:
        """The mask of all cards, those on the table included."""
        low, high = self.numbers
        return self.cards(range(low, high + 1))

    @property
    def dealt(self) -> int:
        """How many cards are dealt from: the deck without those on the table."""
        low, high = self.numbers
        return len(self.colours) * (high - low + 1 - len(self.table))

    def cards(self, numbers: range | tuple[int, ...]) -> int:
        """The mask of the cards with these numbers, in every colour."""
        return _cards(self.colours, tuple(numbers))

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many seats may play."""
        return tuple(n for n in SEAT_COUNTS if self.hand[n - 2])

    def hand_for(self, seats: int) -> int:
        """Cards dealt to each of so many seats; 0 where that many may not play."""
        return self.hand[seats - 2] if seats in SEAT_COUNTS else 0


@lru_cache(maxsize=64)
def _cards(colours: tuple[Colour, ...], numbers: tuple[int, ...]) -> int:
    return mask_of(c for c in Card if c.colour in colours and c.number in numbers)


class SlotError(InputError):
    """A slot's value that cannot be dealt or cannot start, and what could (§2.5)."""

    def __init__(self, slot: str, value: str, allowed: str) -> None:
        super().__init__(f"{slot}: {value} is not allowed; allowed: {allowed}")
        self.slot = slot
        """By its name in the transcript."""
        self.value = value
        self.allowed = allowed


def refuse(slot: str, value: str, allowed: str) -> NoReturn:
    raise SlotError(slot, value, allowed)


def _check_colours(rules: Rules) -> None:
    if not rules.colours or list(rules.colours) != sorted(set(rules.colours)):
        value = "".join(colour.letter for colour in rules.colours)
        refuse("colours", value or "-", "some of RYGB, in this order")


def _check_numbers(rules: Rules) -> None:
    low, high = rules.numbers
    if not LOWEST <= low < high <= HIGHEST:
        refuse("numbers", f"{low}-{high}", f"a range within {LOWEST}-{HIGHEST}")


def _check_in_deck(rules: Rules, slot: str, numbers: tuple[int, ...]) -> None:
    low, high = rules.numbers
    if list(numbers) != sorted(set(numbers)):
        refuse(slot, ",".join(map(str, numbers)), "each number once, in ascending order")
    for number in numbers:
        if not low <= number <= high:
            refuse(slot, str(number), f"a number of the deck, {low} to {high}")


def _check_table(rules: Rules) -> None:
    _check_in_deck(rules, "table", rules.table)


def _check_start(rules: Rules) -> None:
    kind, numbers = rules.start
    _check_in_deck(rules, "start", numbers)
    if kind is StartKind.DRAWN and len(numbers) < 2:
        refuse("start", "a lot", "two or more numbers to draw from")
    if kind is StartKind.ANY and numbers:
        refuse("start", "any", "any without numbers")
    if rules.table and rules.start != NO_START:
        refuse("start", "a start card", "- with cards on the table, as every row is open (table)")
    if not rules.table and rules.start == NO_START:
        refuse("start", "-", "a start card without cards on the table, to open a row (table)")


def _check_opener(rules: Rules) -> None:
    low, high = rules.numbers
    no_eleven = not low <= 11 <= high or 11 in rules.table
    if rules.opener is Opener.ELEVEN and no_eleven:
        refuse("opener", "eleven", "another, as no 11 is dealt (numbers, table)")
    if rules.opener in _BY_START_CARD and not rules.start.numbers:
        refuse("opener", rules.opener, "eleven, left or lot without start numbers (start)")


def _check_redeal(rules: Rules) -> None:
    if rules.redeal and rules.start == NO_START:
        refuse("redeal", "yes", "no without start cards (start)")


def _check_opening(rules: Rules) -> None:
    if rules.opening is Opening.ALONE and rules.opener not in _BY_START_CARD:
        refuse("opening", "alone", f"one or turn with opener={rules.opener}")


def _check_duty(rules: Rules) -> None:
    if rules.duty and rules.start.kind is StartKind.ANY:
        refuse("duty", "yes", "no with start=any")
    if rules.duty and rules.opening is Opening.ONE:
        refuse("duty", "yes", "no with opening=one")


def _check_hand(rules: Rules) -> None:
    if len(rules.hand) != len(SEAT_COUNTS) or not any(rules.hand):
        value = ",".join(map(str, rules.hand))
        refuse("hand", value, "five numbers, for 2, 3, 4, 5, 6 seats, and not 0 for all")
    for seats, hand in zip(SEAT_COUNTS, rules.hand, strict=True):
        most = rules.dealt // seats
        if hand and not FEWEST_IN_HAND <= hand <= most:
            range_ = f", or {FEWEST_IN_HAND} to {most}" if most >= FEWEST_IN_HAND else ""
            refuse("hand", f"{hand} for {seats} seats", f"0 (not played){range_}")


def _check_draw(rules: Rules) -> None:
    if not 0 <= rules.draw <= MOST_DRAWN:
        refuse("draw", str(rules.draw), f"0 to {MOST_DRAWN}")
    # Without draws, a game in which the stock alone holds what fits would never end.
    if rules.draw == 0 and any(rules.hand_for(n) * n < rules.dealt for n in rules.seat_counts):
        refuse("draw", "0", "1 or more where a stock is left (hand)")


_BY_START_CARD: Final = (Opener.FIRST, Opener.CLOCKWISE)

_CHECKS: Final[tuple[Callable[[Rules], None], ...]] = (
    _check_colours,
    _check_numbers,
    _check_table,
    _check_start,
    _check_opener,
    _check_redeal,
    _check_opening,
    _check_duty,
    _check_hand,
    _check_draw,
)
