"""Tables, JSON and the texts in them."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from referee.cli.output import Column, plain, print_csv, print_json, print_table, say
from referee.cli.text import decimal, milliseconds, moment, span, wins
from referee.match.conduct import Infraction
from referee.match.record import GivenAnswer

HOSTILE = "[red]x[/red] :smile: \x1b[2J\u202e\nnext"
HARMLESS = r"[red]x[/red] :smile: \x1b[2J\u202e\nnext"

COLUMNS = [Column[str]("name", lambda row: row), Column[str]("n", lambda row: "1", number=True)]


def test_a_table_shows_hostile_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(COLUMNS, [HOSTILE], empty="none")
    assert capsys.readouterr().out == f"{'name':<{len(HARMLESS)}}  n\n{HARMLESS}  1\n"


def test_a_line_shows_hostile_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE)
    assert capsys.readouterr().out == f"{HARMLESS}\n"


def test_nothing_is_cut_for_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    print_table(COLUMNS, ["x" * 300], empty="none")
    assert "x" * 300 + "  1\n" in capsys.readouterr().out


def test_a_narrow_terminal_folds_texts_and_keeps_numbers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    wide = [COLUMNS[0], Column[str]("n", lambda row: "1234567", number=True)]
    print_table(wide, ["x" * 30], empty="none")
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.count("x") for line in lines) == 30
    assert sum("1234567" in line for line in lines) == 1
    assert max(map(len, lines[1:])) <= 20


def test_a_terminal_too_narrow_for_its_numbers_still_shows_the_texts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    number = Column[str]("number", lambda row: "1234567", number=True)
    print_table([COLUMNS[0], number, number], ["x" * 30], empty="none")
    lines = capsys.readouterr().out.splitlines()
    assert "name" in lines[0]
    assert lines[0].count("number") == 2
    assert sum(line.count("x") for line in lines) == 30
    assert sum(line.count("1234567") for line in lines) == 2


def test_an_empty_table_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(COLUMNS, [], empty="No names.")
    assert capsys.readouterr().out == "No names.\n"


def test_json_is_plain_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": HOSTILE})
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\x1b" not in out
    assert json.loads(out) == {"text": HOSTILE}


@dataclass
class Thing:
    try_: int


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (Thing(2), {"try": 2}),
        (GivenAnswer((1, 2), 3), {"cards": [1, 2], "count": 3}),
        (bytes(2), "0000"),
        (Fraction(1, 2), 0.5),
        ({Infraction.LATE: None}, {"late": None}),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        ((True, "a", 1.5), [True, "a", 1.5]),
    ],
)
def test_plain(data: object, expected: object) -> None:
    assert plain(data) == expected


def test_plain_refuses_what_it_has_no_meaning_for() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain(object())


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    print_csv(["a", "b"], [{"a": 1, "b": 'x,"y"'}])
    assert capsys.readouterr().out == 'a,b\n1,"x,""y"""\n'


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (span(0.4), "0 s"),
        (span(59.4), "59 s"),
        (span(59.9), "1 min 0 s"),
        (span(3599), "59 min 59 s"),
        (span(3660), "1 h 1 min"),
        (milliseconds(None), "-"),
        (milliseconds(0), "0"),
        (milliseconds(423), "0.423"),
        (milliseconds(12_345), "12.3"),
        (milliseconds(1_500_000), "1500"),
        (decimal(None, 3), "-"),
        (decimal(1, 3), "1.000"),
        (wins(10), "10"),
        (wins(2.5), "2.5"),
        (wins(4 / 3), "1.33"),
        (moment(None), "-"),
        (moment(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)), "2026-01-02 03:04:05"),
    ],
)
def test_texts(shown: str, expected: str) -> None:
    assert shown == expected
