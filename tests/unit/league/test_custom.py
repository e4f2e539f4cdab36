"""Leagues that fill the rule slots themselves (§9.8)."""

import json
from pathlib import Path

import pytest

from referee.core.errors import InputError
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.slots import SLOT_NAMES, SLOTS, Slot, print_slots
from referee.league.changes import changes
from referee.league.format import LeagueFormat, load_league, schema

ENTRANTS = "".join(f'[[entrants]]\npath = "{name}"\nname = "{name}"\n' for name in "abcd")

EVERY_SLOT = """
colours = "RYG"
numbers = "3-18"
table = "-"
start = "10|12"
opener = "first"
redeal = false
opening = "turn"
duty = true
draw = 2
pass = "free"
hand = "12,0,10,0,0"
"""


def load(folder: Path, rules: str, more: str = "", profile: str = "custom") -> LeagueFormat:
    file = folder / "league.toml"
    file.write_text(f'name = "x"\nprofile = "{profile}"\n{more}\n[rules]\n{rules}\n{ENTRANTS}')
    return load_league(file)


def complaint(folder: Path, rules: str, more: str = "", profile: str = "custom") -> str:
    with pytest.raises(InputError) as refused:
        load(folder, rules, more, profile)
    return str(refused.value).removeprefix(f"{folder / 'league.toml'}: ")


def test_every_slot_can_be_filled(tmp_path: Path) -> None:
    league = load(tmp_path, EVERY_SLOT)
    assert league.profile == "custom@1"
    assert league.game.seats == 2
    assert league.game.rules_line == (
        "custom@1 colours=RYG numbers=3-18 table=- start=10|12 opener=first redeal=no"
        " opening=turn duty=yes draw=2 pass=free hand=12,0,10,0,0"
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_a_base_fills_what_is_not_given(tmp_path: Path, profile: str) -> None:
    league = load(tmp_path, f'base = "{profile}"', profile="custom@1")
    assert league.game.rules_line == f"custom@1 {print_slots(PROFILES[profile])}"
    league = load(tmp_path, f'base = "{profile.removesuffix("@1")}"\ndraw = 2')
    assert " draw=2 " in league.game.rules_line


@pytest.mark.parametrize("profile", PROFILES)
def test_a_base_and_all_its_slots_are_the_same_rules(tmp_path: Path, profile: str) -> None:
    by_base = load(tmp_path, f'base = "{profile}"')
    spelled_out = load(tmp_path, "\n".join(written(slot, profile) for slot in SLOTS))
    assert spelled_out == by_base
    assert LeagueFormat.from_canonical(by_base.canonical_json()) == by_base


def written(slot: Slot, profile: str) -> str:
    return f"{slot.name} = {json.dumps(slot.given(PROFILES[profile]))}"


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("hand = '41,20,15,12,10'", "rules.hand = '41,20,15,12,10': 41 for 2 seats is not allowed"),
        ("hand = '1,20,15,12,10'", "rules.hand = '1,20,15,12,10': 1 for 2 seats is not allowed"),
        ("hand = '20,20'", "rules.hand = '20,20': not allowed; allowed: five numbers"),
        ("hand = [20, 20, 15, 12, 10]", "rules.hand = a list: not a text; allowed: five numbers"),
        ("start = '21'", "rules.start = '21': not allowed; allowed: a number of the deck, 1 to 20"),
        ("start = 11", "rules.start = 11: not a text; allowed: -, any, or numbers such as 11 or"),
        ("start = 'eleven'", "rules.start = 'eleven': not of the allowed form; allowed: -, any"),
        ("start = '11,10'", "rules.start = '11,10': not allowed; allowed: each number once"),
        ("start = '-'", "rules.start = '-': not allowed; allowed: a start card without cards on"),
        ("numbers = '1-10'", "rules.start = '11': not allowed (from classic@1); allowed: a num"),
        ("numbers = '0-20'", "rules.numbers = '0-20': not allowed; allowed: a range within 1-20"),
        ("colours = 'BR'", "rules.colours = 'BR': not allowed; allowed: some of RYGB, in this"),
        ("colours = 'RX'", "rules.colours = 'RX': not of the allowed form; allowed: some of RYGB"),
        ("opener = 'last'", "rules.opener = 'last': not one of these; allowed: first or clockw"),
        ("opening = 'one'", "rules.duty = true: not allowed (from classic@1); allowed: no with o"),
        ("opener = 'lot'\nstart = 'any'", "rules.duty = true: not allowed (from classic@1); allo"),
        ("duty = 'yes'", "rules.duty = 'yes': not true or false; allowed: true or false: a start"),
        ("redeal = 0", "rules.redeal = 0: not true or false; allowed: true or false: without a"),
        ("draw = '3'", "rules.draw = '3': not a whole number; allowed: a number from 0 to 80"),
        ("draw = true", "rules.draw = true: not a whole number; allowed: a number from 0 to 80"),
        ("draw = -1", "rules.draw = -1: not of the allowed form; allowed: a number from 0 to 80"),
        ("draw = 81", "rules.draw = 81: not allowed; allowed: 0 to 80"),
        ("draw = 0", "rules.draw = 0: not allowed; allowed: 1 or more where a stock is left"),
        ("passing = 'free'", "rules.passing is not a known key; allowed: base, colours, numbers,"),
        ("pass = '\\u001b[2J'", "rules.pass = '\\\\u001b[2J': not one of these; allowed: stuck or"),
    ],
)
def test_rules_that_cannot_be_name_field_value_and_what_is_allowed(
    tmp_path: Path, rules: str, told: str
) -> None:
    """§2.5."""
    line = complaint(tmp_path, f'base = "classic"\n{rules}')
    assert line.startswith(told)
    assert line.count("allowed:") == 1
    assert "\n" not in line


def test_without_a_base_every_slot_is_needed(tmp_path: Path) -> None:
    lines = complaint(tmp_path, "draw = 2").split("\n")
    for name, line in zip([name for name in SLOT_NAMES if name != "draw"], lines, strict=True):
        assert f"rules.{name} is missing; allowed: " in line


@pytest.mark.parametrize("base", ["", "poker", "classic@2", "custom", "custom@1"])
def test_a_base_that_there_is_not(tmp_path: Path, base: str) -> None:
    told = f"rules.base = '{base}': there is no such profile; allowed: a named profile such as"
    assert complaint(tmp_path, f'base = "{base}"').startswith(told)


def test_rules_go_with_custom_only(tmp_path: Path) -> None:
    line = complaint(tmp_path, 'base = "classic"', profile="classic")
    assert line.startswith("rules = a table: profile is classic@1; allowed: a table, with profile")
    file = tmp_path / "league.toml"
    file.write_text(f'name = "x"\nprofile = "custom"\n{ENTRANTS}')
    with pytest.raises(InputError, match="rules is missing; allowed: a table, with profile = 'c"):
        load_league(file)


def test_a_table_size_that_the_rules_do_not_play(tmp_path: Path) -> None:
    line = complaint(tmp_path, EVERY_SLOT, "table_size = 3")
    assert line.startswith("table_size = 3: custom@1 is played by 2, 4; allowed: how many bots")


def test_a_limit_wants_rules_for_every_tie(tmp_path: Path) -> None:
    """§7.2: the tied seats alone play the tie-break game."""
    line = complaint(tmp_path, EVERY_SLOT, "table_size = 4\nseries = { limit = 200 }")
    assert line == (
        "series.limit = 200: a tie-break game can have any number of seats (§7.2), and custom@1 "
        "is played by 2, 4; allowed: only with rules for 2, 3, 4 seats"
    )
    load(tmp_path, EVERY_SLOT, "table_size = 4\nseries = { games = 5 }")
    load(tmp_path, EVERY_SLOT, "table_size = 2\nseries = { limit = 200 }")


def test_changes_are_named_by_slot(tmp_path: Path) -> None:
    old, new = (
        load(tmp_path, f'base = "classic"\n{slots}').canonical_json()
        for slots in ("duty = true", 'draw = 2\nhand = "20,20,15,12,8"\nduty = false')
    )
    assert list(map(str, changes(old, new))) == [
        "rules.draw was 1 and is 2",
        "rules.duty was true and is false",
        'rules.hand was "20,20,15,12,10" and is "20,20,15,12,8"',
    ]


def test_a_named_profile_keeps_its_form(tmp_path: Path) -> None:
    """Leagues that began before there were rules of one's own go on."""
    file = tmp_path / "league.toml"
    file.write_text(f'name = "x"\n{ENTRANTS}')
    assert "rules" not in json.loads(load_league(file).canonical_json())


def test_the_schema() -> None:
    table = schema()["$defs"]["RulesKeys"]
    assert tuple(table["properties"]) == ("base", *SLOT_NAMES)
    for slot in SLOTS:
        key = table["properties"][slot.name]
        assert key["type"] == {str: "string", int: "integer", bool: "boolean"}[slot.kind]
        assert slot.meaning in key["description"]
        values = {slot.given(rules) for rules in PROFILES.values()}
        assert values <= {*key.get("enum", key.get("examples"))}
    assert schema()["then"] == {"required": ["rules"]}
    assert schema()["else"] == {"properties": {"rules": False}}
