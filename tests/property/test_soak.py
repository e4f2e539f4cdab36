"""``make soak`` plays very many of these; here some are, and what it says of a broken promise."""

import subprocess
import sys

import pytest

from tests import soak as command
from tests.support import soak
from tests.support.pages import ROOT


@pytest.mark.parametrize("number", range(len(soak.TABLES)))
def test_a_match_at_every_table(number: int) -> None:
    figures = soak.soak(number)
    assert figures.games == soak.TABLES[number][1]
    assert figures.acts >= figures.turns > figures.games


def test_a_broken_promise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "most_turns", lambda rules, seats: 9)
    with pytest.raises(command.BrokenError) as broken:
        command.play_round(3)
    text = str(broken.value)
    assert text.startswith("match 180 (ravensburger@1, 2 seats)\n")
    assert "assert len(lines) <= most" in text
    assert text.endswith("again: python -m tests.soak --match 180")


def test_a_match_can_be_played_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--match", "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{soak.soak(7)}\n"
