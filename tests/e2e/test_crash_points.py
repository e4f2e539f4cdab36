"""A league that breaks off at any statement to its database holds all of a step or nothing of it,
and is then gone on with as if nothing had been.

``make kills`` tries every statement; here some are.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Engine, event

from tests.support.crash_points import QuickLeague, fail_at, sweep
from tests.support.pages import ROOT

pytestmark = [
    pytest.mark.linux,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.usefixtures("temporary"),
]

STEP: Final = 12


@pytest.fixture
def first() -> int:
    """CI tries the same points every time, elsewhere each run tries others."""
    return 1 if os.environ.get("CI") == "true" else random.randint(1, STEP)


def test_a_kill(tmp_path: Path, database_url: str, first: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.crash_points"]
        + [str(tmp_path), database_url, str(first), str(STEP)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10


@pytest.mark.parametrize("redraw", [False, True], ids=["", "deals are replaced"])
def test_a_database_that_fails(tmp_path: Path, database_url: str, first: int, redraw: bool) -> None:
    league = QuickLeague(tmp_path, database_url, redraw=redraw)
    assert sweep(league, fail_at, first=first, step=STEP) > 5


def test_a_disk_that_is_full_at_any_page(tmp_path: Path) -> None:
    file = tmp_path / "cup.db"
    league = QuickLeague(tmp_path, f"sqlite:///{file}")
    league.forget()
    begun = compact(file)
    assert league.run()[0] == 0
    undisturbed, whole = league.outcome(), pages(file)
    assert begun + 5 < whole
    for most in range(begun, whole):
        league.forget()
        compact(file)

        def limit(connection: sqlite3.Connection, _entry: object, most: int = most) -> None:
            connection.execute(f"PRAGMA max_page_count = {most}")

        event.listen(Engine, "connect", limit)
        try:
            code, said = league.run()
        finally:
            event.remove(Engine, "connect", limit)
        assert code == 5, said
        assert "the disk is full; nothing of this step was written" in said
        assert league.run()[0] == 0
        assert league.outcome() == undisturbed


def test_what_a_killed_run_has_left_goes_when_there_is_nothing_more_to_play(
    tmp_path: Path, temporary: Path
) -> None:
    league = QuickLeague(tmp_path, f"sqlite:///{tmp_path / 'cup.db'}")
    assert league.run()[0] == 0
    (temporary / "elfer-12345678").mkdir()
    code, said = league.run()
    assert (code, "all 2 matches count already" in said) == (0, True)
    assert list(temporary.iterdir()) == []


def pages(file: Path) -> int:
    with sqlite3.connect(file) as connection:
        [(count,)] = connection.execute("PRAGMA page_count")
    connection.close()
    assert isinstance(count, int)
    return count


def compact(file: Path) -> int:
    """Make its pages few and small, and none of them free, which would be filled first."""
    with sqlite3.connect(file, isolation_level=None) as connection:
        for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 1024", "VACUUM"):
            connection.execute(statement).fetchall()
    connection.close()
    return pages(file)
