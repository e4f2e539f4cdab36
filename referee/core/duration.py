"""Durations as people write them (``10s``) and as the referee counts them (microseconds)."""

from __future__ import annotations

import re
from typing import Final

LONGEST_US: Final = 1000 * 3_600_000_000

_UNITS_US: Final = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}
_DURATION: Final = re.compile(r"([0-9]{1,16})(?:\.([0-9]{1,9}))?(us|ms|s|m|h)")
DURATION_TEXT: Final = (
    "a number and a unit (us, ms, s, m or h) of at most 1000h, such as '10s', '500ms'"
)


def parse_duration(text: object) -> int:
    """Read a duration such as ``"10s"``, ``"1.5s"`` or ``"500ms"``; give microseconds.

    Raises ValueError on anything but ``DURATION_TEXT``: a bare number, a sign, spaces,
    a part of a microsecond, more than 1000 hours.
    """
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError("not a duration")
    whole, fraction, unit = match.groups(default="")
    scaled = int(whole + fraction) * _UNITS_US[unit]
    parts: int = 10 ** len(fraction)
    microseconds, rest = divmod(scaled, parts)
    if rest:
        raise ValueError("finer than a microsecond")
    if microseconds > LONGEST_US:
        raise ValueError("longer than 1000h")
    return microseconds


def format_duration(microseconds: int) -> str:
    """Write ``microseconds`` in the largest unit that holds them whole; parse_duration's inverse.

    Raises ValueError below zero.
    """
    if microseconds < 0:
        raise ValueError(f"a duration is never negative, but {microseconds} us was given")
    if microseconds == 0:
        return "0s"
    unit = next(unit for unit, size in _UNITS_US.items() if microseconds % size == 0)
    return f"{microseconds // _UNITS_US[unit]}{unit}"
