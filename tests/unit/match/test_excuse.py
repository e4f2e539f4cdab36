"""What is excused of a question's time, and when a bot is late for certain."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.excuse import (
    FLOOR_US,
    MARGIN_US,
    BotWaits,
    Excuse,
    Lateness,
    Waits,
    excuse,
    lateness,
)

NONE = BotWaits(waited_us=0, most_us=0, cpu_us=0, busiest_us=0, watched_us=0, sharers=1.0)


def bot(
    waited_us: int, cpu_us: int, *, most_us: int = 0, sharers: float = 5.0, busiest_us: int = 0
) -> BotWaits:
    """As it is seen for a second."""
    most_us = max(waited_us, most_us)
    return BotWaits(waited_us, most_us, cpu_us, busiest_us, 1_000_000, sharers)


class Case(NamedTuple):
    """A question and what comes of it."""

    elapsed_us: int
    waits: Waits
    excused_us: int
    most_us: int


CASES = {
    "nobody waited": Case(50_000, Waits(bot=NONE), 0, 0),
    "below the floor": Case(50_000, Waits(1_000, bot=bot(999, 0)), 0, 1_999),
    "at the floor": Case(50_000, Waits(1_000, bot=bot(1_000, 0)), 2_000, 2_000),
    "only the referee": Case(50_000, Waits(12_000, bot=NONE), 12_000, 12_000),
    "the referee all the time": Case(50_000, Waits(90_000, bot=bot(9_000, 0)), 50_000, 50_000),
    "a starved bot": Case(33_000, Waits(800, bot=bot(50_000, 800)), 27_000, 33_000),
    "a bot that had its fair share": Case(60_000, Waits(0, bot=bot(48_000, 12_000)), 0, 48_000),
    "a bot that had more": Case(60_000, Waits(3_000, bot=bot(30_000, 30_000)), 3_000, 33_000),
    "a bot that had a slice less": Case(60_000, Waits(0, bot=bot(52_000, 8_000)), 0, 52_000),
    "a bot that had far less": Case(60_000, Waits(0, bot=bot(50_000, 4_000)), 30_000, 50_000),
    "waits between two sleeps": Case(
        61_000, Waits(0, bot=bot(500, 500, most_us=13_000)), 0, 13_000
    ),
    "a thread that ran nearly all the time": Case(
        60_000, Waits(0, bot=bot(0, 55_000, most_us=240_000, busiest_us=55_000)), 0, 5_000
    ),
    "a bot that was not watched from the start": Case(
        30_000, Waits(0, bot=replace(bot(40_000, 2_000), watched_us=20_000)), 5_000, 30_000
    ),
    "a referee that stood still": Case(500_000, Waits(0, 400_000, NONE), 0, 400_000),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_excused(case: Case) -> None:
    found = excuse(case.elapsed_us, case.waits)
    assert (found.excused_us, found.most_us) == (case.excused_us, case.most_us)
    assert bool(found.text) == bool(case.excused_us)


def test_the_text_says_who_waited_how_long() -> None:
    waits = Waits(12_104, bot=bot(20_349, 0))
    assert excuse(50_000, waits).text == "referee waited 12.1 ms, bot 20.3 ms"


@pytest.mark.parametrize(
    ("elapsed_us", "referee_us", "excused_us", "text"),
    [
        (50_000, 0, 0, ""),
        (60_000, 0, 10_000, "referee waited 0.0 ms, bot unknown: margin used"),
        (60_001, 0, 0, ""),
        (60_000, 4_000, 10_000, "referee waited 4.0 ms, bot unknown: margin used"),
        (53_000, 4_000, 4_000, "referee waited 4.0 ms, bot unknown"),
        (53_000, 1_999, 3_000, "referee waited 0.0 ms, bot unknown: margin used"),
    ],
    ids=["in time", "margin", "beyond", "both", "referee", "referee below the floor"],
)
def test_where_the_platform_does_not_tell_there_is_a_margin(
    elapsed_us: int, referee_us: int, excused_us: int, text: str
) -> None:
    found = excuse(elapsed_us, Waits(referee_us), 50_000)
    assert found == Excuse(excused_us, excused_us, text)
    assert MARGIN_US == 10_000


def test_a_margin_is_for_being_late_alone() -> None:
    assert excuse(60_000, Waits()) == Excuse(0, 0, "")


@pytest.mark.parametrize(
    ("excused", "allowed_us", "expected"),
    [
        (Excuse(0, 0, ""), None, Lateness.NONE),
        (Excuse(0, 0, ""), 60_000, Lateness.NONE),
        (Excuse(0, 0, ""), 59_999, Lateness.CERTAIN),
        (Excuse(10_000, 10_000, ""), 50_000, Lateness.NONE),
        (Excuse(9_999, 10_000, ""), 50_000, Lateness.DOUBTFUL),
        (Excuse(0, 60_000, ""), 50_000, Lateness.DOUBTFUL),
        (Excuse(9_999, 9_999, ""), 50_000, Lateness.CERTAIN),
    ],
)
def test_who_is_late_of_sixty_milliseconds(
    excused: Excuse, allowed_us: int | None, expected: Lateness
) -> None:
    assert lateness(60_000, excused, allowed_us) is expected


TIMES = st.integers(0, 10_000_000)
BOTS = st.builds(BotWaits, TIMES, TIMES, TIMES, TIMES, TIMES, st.floats(1, 100))
WAITS = st.builds(Waits, TIMES, TIMES, BOTS)
ANY_WAITS = st.builds(Waits, TIMES, TIMES, st.none() | BOTS)


@given(TIMES, ANY_WAITS, st.none() | TIMES)
def test_never_below_nothing_and_never_above_all(
    elapsed_us: int, waits: Waits, allowed_us: int | None
) -> None:
    found = excuse(elapsed_us, waits, allowed_us)
    assert 0 <= found.excused_us <= found.most_us <= elapsed_us
    assert found.excused_us == 0 or found.excused_us >= FLOOR_US or "margin" in found.text


@given(TIMES, WAITS, TIMES)
def test_who_waits_longer_is_excused_no_less(elapsed_us: int, waits: Waits, more_us: int) -> None:
    less = excuse(elapsed_us, waits)
    assert waits.bot is not None
    for more in (
        replace(waits, referee_us=waits.referee_us + more_us),
        replace(waits, bot=replace(waits.bot, waited_us=waits.bot.waited_us + more_us)),
    ):
        assert excuse(elapsed_us, more).excused_us >= less.excused_us


@given(TIMES, WAITS, TIMES, st.floats(0, 100))
def test_who_had_more_of_the_cpus_is_excused_no_more(
    elapsed_us: int, waits: Waits, more_us: int, sharers: float
) -> None:
    less = excuse(elapsed_us, waits)
    assert waits.bot is not None
    for more in (
        replace(waits.bot, cpu_us=waits.bot.cpu_us + more_us),
        replace(waits.bot, sharers=waits.bot.sharers + sharers),
    ):
        assert excuse(elapsed_us, replace(waits, bot=more)).excused_us <= less.excused_us


@given(TIMES, WAITS)
def test_a_bot_that_waited_nothing_is_excused_what_the_referee_waited(
    elapsed_us: int, waits: Waits
) -> None:
    found = excuse(elapsed_us, replace(waits, bot=NONE))
    assert found.excused_us in {0, min(elapsed_us, waits.referee_us)}
