from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.text import sanitise

# hypothesis leaves lone surrogates out of text() unless they are asked for.
ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\rc\0", r"a\nb\rc\x00"),
        ("bot\u202egnp", r"bot\u202egnp"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_an_escape(hostile: str, shown: str) -> None:
    assert sanitise(hostile) == shown


def test_what_people_write_stays() -> None:
    text = "Zwölf 牌 no\u00a0break \\ 🂡"
    assert sanitise(text) == text


def test_tabs_stay_only_where_asked_for() -> None:
    assert sanitise("a\tb") == r"a\tb"
    assert sanitise("a\tb\x07", keep_tabs=True) == "a\tb\\x07"


@given(ANY_TEXT)
def test_twice_is_once_and_the_result_is_one_encodable_line(text: str) -> None:
    shown = sanitise(text)
    assert sanitise(shown) == shown
    assert shown.encode("utf-8").decode("utf-8").splitlines() == ([shown] if shown else [])


@given(ANY_TEXT)
def test_only_unprintable_characters_change(text: str) -> None:
    if text.isprintable():
        assert sanitise(text) == text
    assert len(sanitise(text)) >= len(text)
