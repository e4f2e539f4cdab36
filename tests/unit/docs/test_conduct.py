"""``docs/conduct.md`` says what the code does; ``make golden`` writes its table of bots anew."""

import re
import tomllib
from collections import Counter

import pytest

from elfer.ruling import SECTION, Code
from referee.league.format import LeagueFormat
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, CONDUCT_SECTION, Conduct, Consequence
from referee.rpc.inbox import MOST_MESSAGE_BYTES, MOST_MESSAGES, MOST_STRAYS, MOST_UNASKED_BYTES
from tests.e2e.faults.case import Case
from tests.e2e.faults.cases import CASES
from tests.support.pages import DOCS, page, rows, section

PAGE = page("conduct")
OPERATOR = "For an operator: how to choose"
FROM, TO = "<!-- cases -->\n", "<!-- /cases -->\n"


def test_every_infraction_in_order_of_precedence() -> None:
    table = rows(section(PAGE, "Infractions"))
    assert [row[:4] for row in table] == [
        (kind.value, *map(str, breach.default)) for kind, breach in BREACHES.items()
    ]


def test_every_consequence_is_explained() -> None:
    text = section(PAGE, "Infractions")
    assert re.findall(r"^- \*([a-z]+)\*:", text, re.MULTILINE) == [*Consequence]


def test_the_numbers_in_the_text() -> None:
    assert f"more than {MOST_MESSAGE_BYTES // 1024} KiB or" in PAGE
    assert f"more than {MOST_MESSAGES} messages" in PAGE
    assert f"more than {MOST_STRAYS} breaches" in PAGE
    assert f"more than {MOST_UNASKED_BYTES // 2**20} MiB beside" in PAGE
    conduct = Conduct()
    assert (conduct.retries, conduct.restarts) == (1, 1)
    assert "One retry by default" in PAGE
    assert "One restart in a match by default" in PAGE
    assert f"With {conduct.strike_limit} strikes by default" in PAGE
    assert f"the grace, {conduct.grace_us // 1_000_000} seconds by default" in PAGE
    assert TimeControl().move_limit_us == 2_000_000
    assert "use all of 2 seconds" in PAGE
    assert f"rests on {CONDUCT_SECTION}" in PAGE


def test_every_ruling_with_its_section() -> None:
    table = rows(section(PAGE, "Rulings"))
    assert [row[:2] for row in table] == [(code.value, SECTION[code]) for code in Code]


def test_the_keys_to_choose_are_there() -> None:
    keys = LeagueFormat.model_validate(league("")).model_dump()
    told = [key for row in rows(section(PAGE, OPERATOR)) for key in row[0].split("`, `")]
    known = {f"{table}.{key}" for table in ("time", "conduct") for key in keys[table]}
    assert set(told) == known - {"time.handshake", "conduct.strikes", "conduct.consequences"}


@pytest.mark.parametrize("example", re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL))
def test_the_examples_are_of_league_files(example: str) -> None:
    chosen = LeagueFormat.model_validate(league(example))
    assert (chosen.time.resolve(), chosen.conduct.resolve()) != (TimeControl(), Conduct())


def league(tables: str) -> dict[str, object]:
    entrants = '[[entrants]]\npath = "ann"\n[[entrants]]\npath = "bob"\n'
    return tomllib.loads(f'name = "cup"\n{tables}\n{entrants}')


def test_what_bots_have_tried(update_golden: bool) -> None:
    before, table, after = re.split(f"{FROM}|{TO}", PAGE)
    expected = "".join(line + "\n" for line in tried())
    if update_golden:
        (DOCS / "conduct.md").write_text(f"{before}{FROM}{expected}{TO}{after}", encoding="utf-8")
    else:
        assert table == expected, "make golden"


def tried() -> list[str]:
    head = ["| a bot that | is noted | what follows | points |", "|---|---|---|---|"]
    return head + [row(case) for case in CASES]


def row(case: Case) -> str:
    if not case.seen:
        return f"| {case.does} | - | - | 0 |"
    kinds = Counter(kind for kind, _, _ in case.seen)
    noted = ", ".join(f"{n} times `{kind}`" if n > 1 else f"`{kind}`" for kind, n in kinds.items())
    follows = ", ".join(dict.fromkeys(consequence for _, _, consequence in case.seen))
    points = sum(penalty for _, penalty, _ in case.seen)
    return f"| {case.does} | {noted} | {follows} | {points} |"
