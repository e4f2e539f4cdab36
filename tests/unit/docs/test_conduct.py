"""``docs/conduct.md`` says what the code does."""

from elfer.ruling import SECTION, Code
from referee.match.conduct import BREACHES, CONDUCT_SECTION, Conduct
from referee.rpc.inbox import MOST_MESSAGES, MOST_STRAYS
from tests.support.pages import page, rows, section

PAGE = page("conduct")


def test_every_infraction_in_order_of_precedence() -> None:
    table = rows(section(PAGE, "Infractions"))
    assert [row[:3] for row in table] == [
        (kind.value, str(breach.penalty), breach.consequence.value)
        for kind, breach in BREACHES.items()
    ]


def test_the_numbers_in_the_text() -> None:
    assert f"more than {MOST_MESSAGES} messages" in PAGE
    assert f"more than {MOST_STRAYS} breaches" in PAGE
    assert Conduct().retries == 1
    assert "One retry by default" in PAGE
    assert f"rests on {CONDUCT_SECTION}" in PAGE


def test_every_ruling_with_its_section() -> None:
    table = rows(section(PAGE, "Rulings"))
    assert [row[:2] for row in table] == [(code.value, SECTION[code]) for code in Code]
