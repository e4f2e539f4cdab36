"""A league whose deals are replaced, as its operator runs it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from tests.e2e.conftest import Referee
from tests.support.commands import finish, play, start

pytestmark = [pytest.mark.linux, pytest.mark.timeout(300)]

TABLE: Final = "ann+cleo"
DEAL: Final = f"cup/{TABLE}/2"
"""In whose first rotation the league breaks off."""


@pytest.fixture
def redrawn(cup: Path) -> Path:
    """The league of ``cup``, with its deals replaced, each in two rotations."""
    text = cup.read_text(encoding="utf-8").replace('rotations = "none"', 'rotations = "all"')
    cup.write_text(f"redraw = true\n{text}", encoding="utf-8")
    return cup


def listed(referee: Referee, *command: str) -> Any:
    found = referee(*command, "--json", "--db", "cup.db")
    assert found.code == 0, found.err
    return json.loads(found.out)


def void(referee: Referee) -> tuple[str, str, int]:
    """The one attempt that is."""
    [attempt] = listed(referee, "attempts", "cup", "--status", "void")["attempts"]
    # It is known that the match was under way.
    assert attempt["standing"] == {"ann": 0, "cleo": 0}
    return attempt["match_key"], attempt["cause"], attempt["replaced_by"]


def assert_whole(referee: Referee) -> None:
    """The league is finished, with a further deal for ``DEAL``, and all of it holds."""
    league = listed(referee, "league", "show", "cup")
    assert (league["state"], league["matches"], league["planned"]) == ("finished", 12, 12)
    assert [(one["deal_key"], one["replaced_by"]) for one in league["redraws"]] == [(DEAL, 3)]
    matches = listed(referee, "match", "list", "--league", "cup")["matches"]
    assert {
        (match["deal_key"].removeprefix(f"cup/{TABLE}/"), match["state"])
        for match in matches
        if TABLE in match["deal_key"]
    } == {("1", "counted"), ("2", "replaced"), ("3", "counted")}
    assert "replaced by deal 3" in referee("match", "show", f"{DEAL}/0", "--db", "cup.db").out
    verified = listed(referee, "replay", "verify", "--league", "cup")
    assert (verified["hold"], verified["differ"]) == (12, 0)
    assert referee("league", "archive", "cup", "--out", "cup.tar", "--db", "cup.db").code == 0
    archive = referee("league", "verify", "cup.tar")
    assert archive.code == 0, archive.out
    assert "12 matches" in archive.out


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_worker_that_is_killed_in_a_match(
    tmp_path: Path, redrawn: Path, meet: Callable[[], int], referee: Referee
) -> None:
    process = start(tmp_path, "league", "run", redrawn, "--jobs", 1, "--db", "cup.db")
    bot = psutil.Process(meet())
    (tmp_path / "met").unlink()
    _supervisor, worker, command = bot.parents()[:3]
    assert command.pid == process.pid
    worker.kill()
    code, out, err = finish(process)
    assert code == 0, out + err
    assert f"{DEAL}: deal 3 replaces it" in err
    assert void(referee) == (f"{DEAL}/0", "host", 3)
    assert_whole(referee)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_ctrl_c_in_a_match(
    tmp_path: Path, redrawn: Path, meet: Callable[[], int], referee: Referee
) -> None:
    run = ("league", "run", redrawn, "--jobs", 1, "--db", "cup.db")
    process = start(tmp_path, *run)
    meet()
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130, out + err
    assert void(referee) == (f"{DEAL}/0", "interrupted", 3)
    (tmp_path / "met").unlink()
    play(tmp_path, *run)
    assert_whole(referee)
