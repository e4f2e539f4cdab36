"""``docs/clock.md`` says what the code does."""

from dataclasses import fields

from referee.app.sitting import MOST_SPARED
from referee.bots.threads import MOST_THREADS
from referee.match.excuse import FAIRNESS, FLOOR_US, MARGIN_US, BotWaits, Waits, excuse
from referee.match.record import AskRecord
from referee.rpc.question import MOST_TICKS_TO_DOUBLE, MOST_WAITING_US, TICK_US
from tests.support.pages import page, rows, section

PAGE = page("clock")


def test_the_figures_are_those_of_the_record() -> None:
    named = {row[0] for row in rows(section(PAGE, "What is measured"))}
    assert named <= {field.name for field in fields(AskRecord)}
    assert named >= {"elapsed_us", "counted_us", "excused_us", "bot_cpu_us", "excuse"}


def test_the_excuses_read_as_they_do_in_records() -> None:
    waits = Waits(12_100, bot=BotWaits(20_300, 20_300, 0, 0, 50_000, 5.0))
    assert f"`{excuse(50_000, waits).text}`" in PAGE
    assert excuse(60_000, Waits(), 50_000).text.endswith("bot unknown: margin used")
    assert "`bot unknown: margin used`" in PAGE


def test_the_numbers_in_the_text() -> None:
    assert f"at most {MOST_WAITING_US // 1_000_000} s beyond the limit" in PAGE
    assert MOST_SPARED == 5
    assert "five times for a bot in a league" in PAGE
    assert f"every {TICK_US // 1000} ms, later every {MOST_TICKS_TO_DOUBLE}th part" in PAGE
    assert f"The first {TICK_US // 1000} ms" in PAGE
    assert f"Less than {FLOOR_US // 1000} ms is not excused" in PAGE
    assert f"watched - {FAIRNESS} * (n + 1) * CPU time" in PAGE
    assert f"Threads beyond the first {MOST_THREADS}" in PAGE
    assert f"a margin of {MARGIN_US // 1000} ms" in PAGE
