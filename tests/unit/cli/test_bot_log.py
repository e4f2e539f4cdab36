"""``bot log``: what bots printed, found again."""

import json
import os
from pathlib import Path

import pytest

from referee.app.logs import log_path
from tests.unit.cli.conftest import Run

LINES = [
    "- # process 1 started",
    "demo/ann+bob/1/0 game 1 turn 2 | thinking",
    "demo/ann+bob/1/0 game 1 turn 3 | [red]hm[/red]",
    "demo/ann+bob/1/01 game 1 turn 3 | another",
]


@pytest.fixture
def logs(ledger: Path) -> Path:
    """Two sittings of ann's: the older has no lines of a match."""
    folder = ledger.with_name("ledger-logs")
    for age, (sitting, lines) in enumerate((("new", LINES), ("old", ["- # old"]))):
        file = log_path(folder, "ann", sitting)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in lines))
        os.utime(file, (1000 - age, 1000 - age))
    return folder


@pytest.mark.usefixtures("logs")
def test_all_of_a_bot(run: Run, ledger: Path) -> None:
    assert run("bot", "log", "ann", "--db", ledger).out.splitlines() == ["- # old", *LINES]


@pytest.mark.usefixtures("logs")
def test_one_match(run: Run, ledger: Path) -> None:
    line = ("bot", "log", "ann", "--match", "demo/ann+bob/1/0", "--db", ledger)
    assert run(*line).out.splitlines() == LINES[1:3]
    assert json.loads(run(*line, "--json").out) == {
        "bot": "ann",
        "match": "demo/ann+bob/1/0",
        "lines": LINES[1:3],
    }


@pytest.mark.parametrize("name", ["bob", "", ".", "..", "../ledger-logs/ann", "ann/", "\x1b[2J"])
@pytest.mark.usefixtures("logs")
def test_a_bot_without_logs(run: Run, ledger: Path, name: str) -> None:
    outcome = run("bot", "log", name, "--db", ledger)
    assert (outcome.code, outcome.out) == (3, "")
    assert "no log of a bot" in outcome.err
    assert "\x1b" not in outcome.err


def test_an_unknown_match(run: Run, ledger: Path) -> None:
    outcome = run("bot", "log", "ann", "--match", "match/1", "--db", ledger)
    assert outcome.code == 3
