"""``docs/running-a-league.md`` says what the code does."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.errors import InputError
from referee.games.elfer_raus.slots import SLOT_NAMES, SLOTS
from referee.league.custom import RulesKeys
from referee.league.format import LeagueFormat, load_conduct, load_league
from referee.league.sections import ConductKeys, SeriesKeys, TimeKeys
from referee.match.conduct import BREACHES, Consequence, Infraction
from tests.support.pages import page, rows, section

PAGE = page("running-a-league")
BY_KIND = ("penalties", "strikes", "consequences")


def keys(table: dict[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict) and key not in BY_KIND:
            yield from keys(value, f"{prefix}{key}.")
        else:
            yield prefix + key


EXAMPLE, CUSTOM, CONDUCT = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_is_a_league_file_with_every_key() -> None:
    league = LeagueFormat.model_validate(tomllib.loads(EXAMPLE))
    used = set(keys(tomllib.loads(EXAMPLE)))
    assert used == set(keys(league.model_dump())) - {"series.limit", "series.cap", "rules"}


def test_the_example_of_rules_of_ones_own_can_be_played() -> None:
    league = LeagueFormat.model_validate(tomllib.loads(CUSTOM))
    assert league.game.rules_line == (
        "custom@1 colours=RYGB numbers=4-16 table=- start=11 opener=clockwise redeal=no"
        " opening=turn duty=yes draw=2 pass=stuck hand=13,13,10,0,0"
    )


def test_the_example_of_another_conduct_is_one(tmp_path: Path) -> None:
    file = tmp_path / "milder.toml"
    file.write_text(CONDUCT, encoding="utf-8")
    conduct = load_conduct(file).resolve()
    assert conduct.strike_limit is None
    assert conduct.measures[Infraction.LATE].penalty == 10


def test_the_table_of_keys_is_complete() -> None:
    told = set(re.findall(r"^\| `([a-z_.]+)(?:\.[A-Z]+)?` \|", PAGE, re.MULTILINE)) - {*BREACHES}
    series = {f"series.{key}" for key in SeriesKeys.model_fields}
    entrants = {"entrants", "entrants.path", "entrants.name"}
    fields = {"name", "profile", "table_size", "deals", "rotations", "redraw"}
    time = {f"time.{key}" for key in TimeKeys.model_fields}
    conduct = {f"conduct.{key}" for key in ConductKeys.model_fields}
    rules = {"rules", "rules.base", *SLOT_NAMES}
    assert told == fields | series | entrants | time | conduct | rules
    assert {
        key.partition(".")[0] for key in told - {*SLOT_NAMES}
    } == LeagueFormat.model_fields.keys()
    assert {"base", *SLOT_NAMES} == RulesKeys.model_fields.keys()


def test_the_table_of_slots_has_every_word() -> None:
    table = rows(section(PAGE, "Rules of your own", level=3))
    assert tuple(name for name, _ in table) == SLOT_NAMES
    kinds = {str: "a text: ", int: "a number ", bool: "true`, `false"}
    for slot, (_, values) in zip(SLOTS, table, strict=True):
        assert values.startswith("`, `".join(slot.words) or kinds[slot.kind])


def test_the_complaints_are_what_is_said(tmp_path: Path) -> None:
    file = tmp_path / "league.toml"
    told = re.findall(r"^league\.toml: .*$", PAGE, re.MULTILINE)
    texts = [
        EXAMPLE.replace("table_size = 3", "table_size = 7"),
        EXAMPLE.replace('crashed = "forfeit"', 'late = "retry"'),
        EXAMPLE.replace("late = 20", "lat = 20"),
        re.sub(r"numbers(?s:.*)", 'hand = "41,20,15,12,10"', CUSTOM),
        re.sub(r"numbers(?s:.*)", 'numbers = "1-10"\nhand = "5,5,5,5,5"', CUSTOM),
    ]
    for text, line in zip(texts, told, strict=True):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as refused:
            load_league(file)
        assert str(refused.value) == f"{tmp_path}/{line}"


def test_the_defaults_by_kind_and_what_is_allowed() -> None:
    told = [row[:5] for row in rows(section(PAGE, "Penalties", level=3))]
    assert told == [
        (
            kind.value,
            str(breach.default.penalty),
            str(breach.default.strikes),
            breach.default.consequence.value,
            "`, `".join(breach.allowed),
        )
        for kind, breach in BREACHES.items()
    ]


def test_every_consequence_is_explained() -> None:
    text = section(PAGE, "Penalties", level=3)
    assert re.findall(r"^- `([a-z]+)`:", text, re.MULTILINE) == [*Consequence]
