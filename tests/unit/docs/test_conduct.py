"""``docs/conduct.md`` says what the code does."""

import re

from elfer.ruling import SECTION, Code
from referee.match.conduct import BREACHES, CONDUCT_SECTION, Conduct, Consequence
from referee.rpc.inbox import MOST_MESSAGES, MOST_STRAYS
from tests.support.pages import page, rows, section

PAGE = page("conduct")


def test_every_infraction_in_order_of_precedence() -> None:
    table = rows(section(PAGE, "Infractions"))
    assert [row[:4] for row in table] == [
        (kind.value, *map(str, breach.default)) for kind, breach in BREACHES.items()
    ]


def test_every_consequence_is_explained() -> None:
    text = section(PAGE, "Infractions")
    assert re.findall(r"^- \*([a-z]+)\*:", text, re.MULTILINE) == [*Consequence]


def test_the_numbers_in_the_text() -> None:
    assert f"more than {MOST_MESSAGES} messages" in PAGE
    assert f"more than {MOST_STRAYS} breaches" in PAGE
    assert (Conduct().retries, Conduct().restarts) == (1, 1)
    assert "One retry by default" in PAGE
    assert "One restart in a match by default" in PAGE
    assert f"With {Conduct().strike_limit} strikes by default" in PAGE
    assert f"rests on {CONDUCT_SECTION}" in PAGE


def test_every_ruling_with_its_section() -> None:
    table = rows(section(PAGE, "Rulings"))
    assert [row[:2] for row in table] == [(code.value, SECTION[code]) for code in Code]
