from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.duration import LONGEST_US, format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("0s", 0),
        ("1us", 1),
        ("500ms", 500_000),
        ("10s", 10_000_000),
        ("1.5s", 1_500_000),
        ("0.000001s", 1),
        ("2m", 120_000_000),
        ("0.5h", 1_800_000_000),
        ("1000h", LONGEST_US),
    ],
)
def test_a_duration_is_read_in_microseconds(text: str, microseconds: int) -> None:
    assert parse_duration(text) == microseconds


@pytest.mark.parametrize(
    "wrong",
    ["", "10", "s", "10 s", " 10s", "10s\n", "-1s", "+1s", "1e3s", "10S", ".5s", "1.s", "\u0661s"]
    + ["1m30s", "10d", 10, 1.5, None, True, ["10s"]],
)
def test_anything_else_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        parse_duration(wrong)


def test_too_fine_and_too_long_are_named() -> None:
    with pytest.raises(ValueError, match="finer than a microsecond"):
        parse_duration("0.0000001s")
    with pytest.raises(ValueError, match="longer than 1000h"):
        parse_duration("1000.1h")


def test_the_largest_whole_unit_is_used() -> None:
    assert [format_duration(us) for us in (0, 1, 1_500_000, 60_000_000, 90_000_000)] == [
        "0s",
        "1us",
        "1500ms",
        "1m",
        "90s",
    ]
    with pytest.raises(ValueError, match="never negative"):
        format_duration(-1)


@given(st.integers(0, LONGEST_US))
def test_what_is_written_is_read_back(microseconds: int) -> None:
    assert parse_duration(format_duration(microseconds)) == microseconds
