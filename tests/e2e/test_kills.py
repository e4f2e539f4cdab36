"""Some of ``make kills``, and that it would tell."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from referee.store.database import Database
from referee.store.entries import AttemptEntry, AttemptStatus
from referee.store.repository import Repository
from tests.support import kills, played
from tests.support.kills import BrokenError, Campaign
from tests.support.outcomes import assert_each_counts_once
from tests.support.pages import ROOT

pytestmark = pytest.mark.linux

KILLS: Final = 3


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("league", [0, 1], ids=["tables of 2", "tables of 4"])
def test_a_league_that_is_killed_ends_as_if_nothing_had_been(league: int) -> None:
    # CI draws the same kills every time; timing differs anyway.
    seed = "ci" if os.environ.get("CI") == "true" else secrets.token_hex(4)
    done = subprocess.run(
        [sys.executable, "-m", "tests.kills"]
        + ["--seed", seed, "--kills", str(KILLS), "--league", str(league)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"kills: seed {seed}, ")


def test_what_breaks_is_told_with_how_to_see_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise AssertionError("lost")

    monkeypatch.setattr(kills, "KilledLeague", break_down)
    with pytest.raises(BrokenError) as broken:
        Campaign(tmp_path, "x").play(1, KILLS)
    text = str(broken.value)
    assert text.startswith("league 1, tables of 4, ")
    assert "AssertionError: lost" in text
    assert text.endswith("again: python -m tests.kills --seed x --league 1")


@pytest.fixture
def attempts(tmp_path: Path) -> list[AttemptEntry]:
    """At the four matches of a league, each of which counts."""
    played.make_ledger(tmp_path / "demo.db")
    with Database.open(str(tmp_path / "demo.db")) as database:
        return list(Repository(database).attempts("demo"))


def test_a_ledger_in_which_each_match_counts_once(attempts: list[AttemptEntry]) -> None:
    keys = {attempt.match_key for attempt in attempts}
    again = replace(attempts[-1], number=2)
    void = replace(attempts[-1], status=AttemptStatus.VOID)
    assert_each_counts_once(attempts, keys)
    assert_each_counts_once([*attempts[:-1], void, again], keys)
    for broken in (
        attempts[:-1],
        [*attempts, again],
        [*attempts, replace(again, status=AttemptStatus.VOID)],
        [*attempts, replace(again, status=AttemptStatus.RUNNING)],
        [*attempts[:-1], again],
        [*attempts[:-1], void],
        [*attempts, replace(again, match_key="demo/ann+bob/3/0", number=1)],
    ):
        with pytest.raises(AssertionError):
            assert_each_counts_once(broken, keys)
