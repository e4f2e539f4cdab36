"""A match printed in part, or as one seat sees it; ``test_viewer.py`` steps through one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run

KEY = "demo/ann+bob/1/0"


@pytest.fixture
def whole(run: Run, ledger: Path) -> str:
    return run("replay", "show", KEY, "--db", ledger).out


def test_all_is_what_is_printed_without_a_terminal(run: Run, ledger: Path, whole: str) -> None:
    assert run("replay", "show", KEY, "--all", "--db", ledger).out == whole


def test_it_begins_where_it_is_told_to(run: Run, ledger: Path, whole: str) -> None:
    out = run("replay", "show", KEY, "--game", 1, "--turn", 5, "--db", ledger).out
    heading, _, play = out.partition("\n\n")
    assert whole.startswith(heading)
    assert play.startswith("Game 1, turn 5: ")
    assert whole.endswith(play)
    assert run("replay", "show", KEY, "--game", 1, "--db", ledger).out == whole


def test_one_seat_s_view(run: Run, ledger: Path, whole: str) -> None:
    out = run("replay", "show", KEY, "--seat", 1, "--db", ledger).out
    hands = re.findall(r"^(?:seat|Game).*?([01] (?:ann|bob))\n(?:  .*\n)*?  hand ", out, re.M)
    assert {hand[0] for hand in hands} == {"1"}
    turns = out.split("\n\n")
    others = [turn for turn in turns if re.match(r"Game 1, turn \d+: seat 0 ", turn)]
    assert len(others) > 5
    assert not any(word in turn for turn in others for word in ("hand", "fits", "answer"))
    draws = [turn.partition("-> ")[2] for turn in others if "draw " in turn]
    assert draws
    assert all(re.fullmatch(r"no choice: draw \d( lay \w+)?\n?", draw) for draw in draws)
    own = [turn for turn in turns if re.match(r"Game 1, turn \d+: seat 1 ", turn)]
    assert all(turn.strip() in whole for turn in own)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--seat", 2], "--seat 2: allowed are the seats 0 to 1"),
        (["--seat", -1], "--seat -1: allowed are the seats 0 to 1"),
        (["--turn", 3], "--turn 3: say the game, too, with --game"),
        (["--game", 2], "game 2: the match has the games 1 to 1"),
        (["--game", 1, "--turn", 999], "turn 999: game 1 has the turns 1 to "),
    ],
)
def test_what_there_is_not(run: Run, ledger: Path, options: list[object], told: str) -> None:
    outcome = run("replay", "show", KEY, *options, "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err
