"""``rules``: the profiles of the rulebook, looked up."""

import json

import pytest

from referee.games.elfer_raus.slots import SLOT_NAMES
from referee.games.registry import PROFILE_IDS, game_for
from tests.unit.cli.conftest import Run


def test_list(run: Run) -> None:
    outcome = run("rules", "list")
    lines = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (0, "")
    assert [line.split()[0] for line in lines] == ["profile", *PROFILE_IDS]
    assert lines[1].split() == ["ravensburger@1", "80", "2", "3", "4", "5", "6"]
    assert lines[-1].endswith(
        "  numbers=1-11 table=1,11 start=- opener=left redeal=no opening=turn duty=yes draw=1"
        " hand=5,5,5,5,5"
    )
    found = json.loads(run("rules", "list", "--json").out)
    assert found["default"] == "ravensburger@1"
    assert found["profiles"][8] == {
        "profile": "three-colours@1",
        "cards": 60,
        "seats": [2, 3, 4, 5, 6],
        "changes": [{"name": "colours", "value": "RYG"}],
    }


@pytest.mark.parametrize("profile", PROFILE_IDS)
def test_show_has_every_slot_as_the_transcript_has_it(run: Run, profile: str) -> None:
    lines = run("rules", "show", profile).out.splitlines()
    found = json.loads(run("rules", "show", profile.partition("@")[0], "--json").out)
    slots = [f"{slot['name']}={slot['value']}" for slot in found["slots"]]
    assert game_for(profile, 2).rules_line == f"{found['profile']} {' '.join(slots)}"
    assert lines[0] == f"{profile}, {found['cards']} cards"
    for name, line, slot in zip(SLOT_NAMES, lines[3:], found["slots"], strict=False):
        assert line.split()[:2] == [name, slot["value"]]
        assert line.endswith(f"  {slot['section']}")
        assert slot["meaning"] in line


def test_show_has_the_figures_of_each_table(run: Run) -> None:
    outcome = run("rules", "show", "any-start")
    assert outcome.code == 0
    assert "    4    15     20         312" in outcome.out.splitlines()
    assert "one time: 80 before a card is laid, then at most 8\n" in outcome.out
    assert "one time: at most 12\n" in run("rules", "show", "three-starts").out
    found = json.loads(run("rules", "show", "junior", "--json").out)
    assert found["tables"][0] == {"seats": 2, "hand": 5, "stock": 26, "most_turns": 95}
    assert (found["most_that_fit"], found["most_that_fit_first"]) == (8, 8)


def test_diff(run: Run) -> None:
    lines = run("rules", "diff", "classic", "optional-pass").out.splitlines()
    assert lines[0].split() == ["slot", "classic@1", "optional-pass@1", "meaning", "section"]
    assert [line.split() for line in lines[1:]] == [
        ["pass", "stuck", "free", "who", "may", "pass", "§9.1"]
    ]
    found = json.loads(run("rules", "diff", "classic", "draw-three", "--json").out)
    assert (found["a"], found["b"]) == ("classic@1", "draw-three@1")
    assert [(slot["name"], slot["a"], slot["b"]) for slot in found["differences"]] == [
        ("draw", "1", "3")
    ]
    assert run("rules", "diff", "classic", "classic").out == "No differences.\n"


@pytest.mark.parametrize(
    "command", [["show", "poker"], ["diff", "classic", "poker"], ["diff", "poker", "classic"]]
)
def test_a_profile_that_there_is_not(run: Run, command: list[str]) -> None:
    outcome = run("rules", *command)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: profile: there is no 'poker'; allowed: ravensburger, ")


def test_custom_is_a_league_files(run: Run) -> None:
    outcome = run("rules", "show", "custom")
    assert (outcome.code, outcome.out) == (2, "")
    assert "'custom' is for league files, which fill the slots (§9.8); allowed: " in outcome.err
