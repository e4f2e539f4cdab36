"""Operators and other processes have a say in a league while it is being run."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.app.lease import LEASE_SECONDS
from tests.e2e.conftest import Referee
from tests.support.commands import finish, play, start
from tests.support.host import await_end, processes_in

pytestmark = [pytest.mark.linux, pytest.mark.timeout(300), pytest.mark.usefixtures("nothing_left")]

Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(tmp_path: Path, cup: Path, meet: Callable[[], int]) -> Begin:
    """Runs the league until cleo plays her second match, which she does not go on with."""

    def begin() -> subprocess.Popen[str]:
        process = start(tmp_path, "league", "run", cup, "--jobs", 1, "--db", "cup.db")
        meet()
        (tmp_path / "met").unlink()
        return process

    return begin


def data(referee: Referee, *command: object) -> Any:
    outcome = referee(*command, "--json", "--db", "cup.db")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def statuses(referee: Referee) -> Counter[str]:
    return Counter(attempt["status"] for attempt in data(referee, "attempts", "cup")["attempts"])


def test_a_cancelled_league_breaks_off(
    tmp_path: Path, cup: Path, begin: Begin, referee: Referee
) -> None:
    process = begin()
    assert data(referee, "league", "show", "cup")["runner"]["worker"] == f"process {process.pid}"
    assert referee("league", "cancel", "cup", "--yes", "--db", "cup.db").code == 0
    # All is settled before whoever runs it has noticed.
    before = statuses(referee)
    assert set(before) == {"counted", "void"}
    assert data(referee, "league", "show", "cup")["seed"]
    code, out, err = finish(process)
    assert code == 130, out + err
    assert f"cancelled: {before['counted']} of 6 matches of cup count" in err
    await_end(processes_in(tmp_path))
    assert statuses(referee) == before
    assert data(referee, "league", "show", "cup")["runner"] is None
    assert referee("league", "run", cup, "--db", "cup.db").code == 2


def test_a_bot_that_is_withdrawn_leaves_its_table(tmp_path: Path, begin: Begin) -> None:
    process = begin()
    play(tmp_path, "league", "withdraw", "cup", "cleo", "--yes", "--db", "cup.db")
    code, out, err = finish(process)
    assert code == 0, out + err
    assert "cleo was withdrawn; planned matches now: " in err
    await_end(processes_in(tmp_path))


def test_a_paused_league_is_gone_on_with(
    tmp_path: Path, cup: Path, begin: Begin, referee: Referee
) -> None:
    process = begin()
    play(tmp_path, "league", "pause", "cup", "--reason", "lunch", "--db", "cup.db")
    # Else its sitting would not end.
    play(tmp_path, "league", "withdraw", "cup", "cleo", "--yes", "--db", "cup.db")
    code, out, err = finish(process)
    found = data(referee, "league", "show", "cup")
    if found["matches"] < found["planned"]:
        assert (code, found["state"], found["reason"]) == (130, "paused", "lunch"), out + err
        play(tmp_path, "league", "run", cup, "--db", "cup.db")
    assert data(referee, "league", "show", "cup")["state"] == "finished"


def stop_and_age(process: subprocess.Popen[str], file: Path) -> None:
    """Stop whoever runs the league, as on another machine and long ago."""
    while True:
        process.send_signal(signal.SIGSTOP)
        database = sqlite3.connect(file, timeout=0.5)
        try:
            with database:
                database.execute(
                    "UPDATE leases SET host = 'away', beat = datetime(beat, ?)",
                    [f"-{LEASE_SECONDS + 1} seconds"],
                )
            return
        except sqlite3.OperationalError:
            # Just then it was writing, and so nobody else can.
            process.send_signal(signal.SIGCONT)
        finally:
            database.close()


@pytest.mark.slow
def test_a_referee_that_stood_still_counts_nothing_twice(
    tmp_path: Path, cup: Path, begin: Begin, referee: Referee
) -> None:
    process = begin()
    stop_and_age(process, tmp_path / "cup.db")
    try:
        play(tmp_path, "league", "run", cup, "--jobs", 1, "--db", "cup.db")
    finally:
        process.send_signal(signal.SIGCONT)
    code, out, err = finish(process)
    assert code == 5, out + err
    assert "league cup was taken over, as nothing was heard of this process" in err
    await_end(processes_in(tmp_path))
    found = data(referee, "league", "show", "cup")
    assert (found["state"], found["matches"], found["planned"]) == ("finished", 6, 6)
    assert statuses(referee)["counted"] == 6
    assert referee("replay", "verify", "--league", "cup", "--db", "cup.db").code == 0
