"""``docs/record.md`` says what the code writes."""

import re

from elfer.acts import Verb
from elfer.cards import Card
from elfer.v1 import record_pb2
from referee.games.elfer_raus import notation
from referee.games.elfer_raus.house import VERSION
from referee.games.elfer_raus.slots import SLOT_NAMES
from referee.games.registry import game_for, game_of_line
from referee.match.record import FORMAT_VERSION, MOST_CARDS_KEPT
from referee.match.series import parse_series
from referee.match.transcript import NOTATION_VERSION
from tests.support.pages import page, rows, section

PAGE = page("record")
(EXAMPLE,) = re.findall(r"```\n(elfer .*?)```", PAGE, re.DOTALL)
LINES = EXAMPLE.splitlines()


def test_the_header_of_the_example() -> None:
    first, rules, series, seats, seed = LINES[:5]
    assert first == f"elfer {NOTATION_VERSION} house {VERSION}"
    assert rules == f"rules {game_for('ravensburger', 4).rules_line}"
    assert game_of_line(rules.removeprefix("rules "), 4).seats == 4
    assert str(parse_series(series.removeprefix("series "))) == "games 5"
    assert seats == "seats 4"
    assert len(bytes.fromhex(seed.removeprefix("seed "))) == 32


def test_the_acts_of_the_example_are_acts() -> None:
    acts = [line.split(" ", 2)[2] for line in LINES if line[0].isdecimal()]
    assert len(acts) == 7
    for words in acts:
        text = words.removeprefix("house ")
        assert notation.text(notation.parse((0,), text)) == text


def test_every_form_of_the_example_is_explained() -> None:
    forms = [form for row in rows(section(PAGE, "Transcript")) for form in row[0].split("`, `")]
    told = {form.partition(" ")[0] for form in forms}
    assert {line.partition(" ")[0] for line in LINES if line[0].isalpha()} <= told
    assert set(Verb) <= {word for form in forms for word in form.split(" ")}


def test_every_slot_with_its_default() -> None:
    table = rows(section(PAGE, "Slots", level=3))
    assert tuple(row[0] for row in table) == SLOT_NAMES
    line = " ".join(f"{row[0]}={row[1]}" for row in table)
    assert game_for("ravensburger", 2).rules_line == f"ravensburger@1 {line}"


def test_every_field_of_the_record() -> None:
    record, _, ask = section(PAGE, "Record").partition("A single ask:")
    for text, message in ((record, record_pb2.MatchRecord), (ask, record_pb2.Ask)):
        told = [name for row in rows(text) for name in re.findall(r"\w+", row[0])]
        assert told == [field.name for field in message.DESCRIPTOR.fields]


def test_the_numbers_in_the_text() -> None:
    assert f"| `format_version` | {FORMAT_VERSION} |" in PAGE
    assert f"its first {MOST_CARDS_KEPT} cards" in PAGE
    assert f"Version {VERSION}." in section(PAGE, "The house player", level=3)
    assert (Card.R1, Card.R20, Card.Y1, Card.G1, Card.B1, Card.B20) == (1, 20, 21, 41, 61, 80)
