"""Rule slots as the transcript's rules line writes them: ``colours=RYGB numbers=1-20 …``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from elfer.cards import Colour
from referee.core.errors import InputError
from referee.games.elfer_raus.rules import (
    MOST_DRAWN,
    NO_START,
    START_ANY,
    Opener,
    Opening,
    Passing,
    Rules,
    Start,
    StartKind,
    refuse,
    start_at,
    start_drawn_from,
)

EnumT = TypeVar("EnumT", bound=StrEnum)

_NUMBER: Final = r"(?:0|[1-9][0-9]?)"
_BY_LETTER: Final = {colour.letter: colour for colour in Colour}


class Slot(NamedTuple):
    """A rule slot: how it is written, and what it means."""

    name: str
    """In the transcript."""
    field: str
    """Of ``Rules``."""
    meaning: str
    section: str
    print: Callable[[Any], str]
    parse: Callable[[str], Any]
    """Raises ``ValueError`` on anything that ``print`` does not give."""
    allowed: str
    words: tuple[str, ...] = ()
    """All values, where they are words."""
    kind: type[str | int | bool] = str
    """What a file gives it as: a text as here, or the value itself."""

    def given(self, rules: Rules) -> str | int | bool:
        """The slot's value as a file gives it."""
        value: str | int | bool = getattr(rules, self.field)
        return self.print(value) if self.kind is str else value

    def text(self, given: str | int | bool) -> str:
        """The text of a value that a file gave."""
        return str(given) if self.kind is str else self.print(given)


def _print_colours(colours: tuple[Colour, ...]) -> str:
    return "".join(colour.letter for colour in colours)


def _parse_colours(text: str) -> tuple[Colour, ...]:
    return tuple(_BY_LETTER[letter] for letter in text)


def _print_range(numbers: tuple[int, int]) -> str:
    low, high = numbers
    return f"{low}-{high}"


def _parse_range(text: str) -> tuple[int, int]:
    low, high = _parse_numbers(text, "-")
    return low, high


def _parse_number(text: str) -> int:
    if not re.fullmatch(_NUMBER, text):
        raise ValueError(text)
    return int(text)


def _parse_numbers(text: str, separator: str) -> tuple[int, ...]:
    return tuple(map(_parse_number, text.split(separator)))


def _print_table(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers)) or "-"


def _parse_table(text: str) -> tuple[int, ...]:
    return () if text == "-" else _parse_numbers(text, ",")


def _print_start(start: Start) -> str:
    match start.kind:
        case StartKind.ANY:
            return "any"
        case StartKind.DRAWN:
            return "|".join(map(str, start.numbers))
        case StartKind.LISTED:
            return _print_table(start.numbers)


def _parse_start(text: str) -> Start:
    if text == "any":
        return START_ANY
    if text == "-":
        return NO_START
    if "|" in text:
        return start_drawn_from(*_parse_numbers(text, "|"))
    return start_at(*_parse_numbers(text, ","))


def _print_flag(flag: bool) -> str:
    return "yes" if flag else "no"


def _parse_flag(text: str) -> bool:
    return {"yes": True, "no": False}[text]


def _print_hands(hands: tuple[int, ...]) -> str:
    return ",".join(map(str, hands))


def _parse_hands(text: str) -> tuple[int, ...]:
    return _parse_numbers(text, ",")


def _word(name: str, field: str, meaning: str, section: str, words: type[EnumT]) -> Slot:
    return Slot(name, field, meaning, section, str, words, " or ".join(words), tuple(words))


def _flag(name: str, meaning: str, section: str) -> Slot:
    return Slot(name, name, meaning, section, _print_flag, _parse_flag, "yes or no", kind=bool)


SLOTS: Final = (
    Slot(
        "colours",
        "colours",
        "the colours of the deck",
        "§1.1",
        _print_colours,
        _parse_colours,
        "some of RYGB, in this order",
    ),
    Slot(
        "numbers",
        "numbers",
        "the deck's lowest and highest number",
        "§1.1",
        _print_range,
        _parse_range,
        "a range such as 1-20",
    ),
    Slot(
        "table",
        "table",
        "numbers that lie on the table from the start",
        "§9.4",
        _print_table,
        _parse_table,
        "- or numbers such as 1,20",
    ),
    Slot(
        "start",
        "start",
        "numbers that open a row; with | one drawn for each colour and game",
        "§4.2",
        _print_start,
        _parse_start,
        "-, any, or numbers such as 11 or 10,11,12 or 10|12",
    ),
    _word("opener", "opener", "who has the first turn", "§3.1", Opener),
    _flag("redeal", "without a start card in any hand, deal again", "§3.2"),
    _word("opening", "opening", "what the first turn is", "§3.3", Opening),
    _flag("duty", "a start card whose row is closed must be laid", "§4.5"),
    Slot(
        "draw",
        "draw",
        "the most cards drawn when nothing fits",
        "§5.2",
        str,
        _parse_number,
        f"a number from 0 to {MOST_DRAWN}",
        kind=int,
    ),
    _word("pass", "passing", "who may pass", "§9.1", Passing),
    Slot(
        "hand",
        "hand",
        "cards for each of 2, 3, 4, 5, 6 seats; 0: not played",
        "§2.1",
        _print_hands,
        _parse_hands,
        "five numbers such as 20,20,15,12,10",
    ),
)
"""In the transcript's order."""

SLOT_NAMES: Final = tuple(slot.name for slot in SLOTS)


def slots_of(rules: Rules) -> dict[str, str]:
    """The text of every slot, in their order."""
    return {slot.name: slot.print(getattr(rules, slot.field)) for slot in SLOTS}


def print_slots(rules: Rules) -> str:
    """All slots in their order: ``colours=RYGB numbers=1-20 …``."""
    return " ".join(f"{name}={text}" for name, text in slots_of(rules).items())


def parse_slots(text: str) -> Rules:
    """The inverse of ``print_slots``.

    Raises ``InputError`` on a slot that is missing, unknown or out of order, on a value that
    ``print_slots`` would not print, and on rules that §2.5 refuses.
    """
    pairs = [word.partition("=") for word in text.split(" ")]
    names = tuple(name for name, _, _ in pairs)
    if names != SLOT_NAMES:
        raise InputError(f"rules: the slots must be, in this order, {', '.join(SLOT_NAMES)}")
    return rules_of({name: value for name, _, value in pairs})


def rules_of(texts: Mapping[str, str]) -> Rules:
    """Rules from the text of every slot: the inverse of ``slots_of``.

    Raises ``SlotError`` on a value that ``slots_of`` would not give, and where §2.5 refuses.
    """
    fields: dict[str, Any] = {}
    for slot in SLOTS:
        text = texts[slot.name]
        try:
            fields[slot.field] = slot.parse(text)
        except (KeyError, ValueError):
            refuse(slot.name, repr(text), slot.allowed)
    return Rules(**fields)
