"""Rule slots as the transcript's rules line writes them: ``colours=RYGB numbers=1-20 …``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

from elfer.cards import Colour
from referee.core.errors import InputError
from referee.games.elfer_raus.rules import (
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


class _Slot(NamedTuple):
    name: str
    field: str
    print: Callable[[Any], str]
    parse: Callable[[str], Any]
    """Raises ``ValueError`` on anything that ``print`` does not give."""
    allowed: str


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


def _word(name: str, field: str, words: type[EnumT]) -> _Slot:
    return _Slot(name, field, str, words, " or ".join(words))


def _flag(name: str) -> _Slot:
    return _Slot(name, name, _print_flag, _parse_flag, "yes or no")


_SLOTS: Final = (
    _Slot("colours", "colours", _print_colours, _parse_colours, "some of RYGB, in this order"),
    _Slot("numbers", "numbers", _print_range, _parse_range, "a range such as 1-20"),
    _Slot("table", "table", _print_table, _parse_table, "- or numbers such as 1,20"),
    _Slot("start", "start", _print_start, _parse_start, "-, any, or numbers: 11, 10,11,12, 10|12"),
    _word("opener", "opener", Opener),
    _flag("redeal"),
    _word("opening", "opening", Opening),
    _flag("duty"),
    _Slot("draw", "draw", str, _parse_number, "a number"),
    _word("pass", "passing", Passing),
    _Slot("hand", "hand", _print_hands, _parse_hands, "five numbers such as 20,20,15,12,10"),
)

SLOT_NAMES: Final = tuple(slot.name for slot in _SLOTS)


def print_slots(rules: Rules) -> str:
    """All slots in their order: ``colours=RYGB numbers=1-20 …``."""
    return " ".join(f"{slot.name}={slot.print(getattr(rules, slot.field))}" for slot in _SLOTS)


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


def rules_of(values: Mapping[str, str]) -> Rules:
    """Rules from the text of every slot."""
    fields: dict[str, Any] = {}
    for slot in _SLOTS:
        value = values[slot.name]
        try:
            fields[slot.field] = slot.parse(value)
        except (KeyError, ValueError):
            refuse(slot.name, repr(value), slot.allowed)
    return Rules(**fields)
