"""``match run --wait-for``: a bot that its author starts."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from referee.app import sitting as app_sitting
from referee.app.bots import load_bots
from referee.app.sitting import Awaited, play_sitting
from referee.core.errors import HostFault
from tests.support.sittings import sitting_of
from tests.unit.cli.test_main import REFEREE
from tests.unit.cli.test_match_run import GREEDY, RANDOM

pytestmark = pytest.mark.linux


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", dict[str, str]]]:
    """A referee that waits for seat 1, and what it wants in that bot's environment."""
    line = [*REFEREE, "match", "run", str(RANDOM), str(GREEDY), "--games", "1", "--wait-for", "1"]
    with subprocess.Popen(
        line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as referee:
        try:
            assert referee.stdout is not None
            told: dict[str, str] = {}
            while "ELFER_TOKEN" not in told:
                name, _, value = referee.stdout.readline().strip().partition("=")
                told[name] = value
            yield referee, {name: told[name] for name in ("ELFER_ADDRESS", "ELFER_TOKEN")}
        finally:
            referee.kill()


def test_it_is_told_where_to_come_and_is_waited_for(
    tmp_path: Path,
    waiting: tuple["subprocess.Popen[str]", dict[str, str]],
) -> None:
    referee, environment = waiting
    bot = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=GREEDY,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=50,
    )
    assert bot.returncode == 0, bot.stderr
    out, err = referee.communicate(timeout=50)
    assert referee.returncode == 0, err
    assert "kept as match/" in out
    record = exported(tmp_path)
    assert "move_limit_us" not in record["time_control"]
    # Whoever started the bot knows its files, nobody else does.
    assert [bool(seat["bundle_sha256"]) for seat in record["seats"]] == [True, False]


def exported(folder: Path) -> dict[str, Any]:
    """The record of the one match in the folder's database."""
    line = [*REFEREE, "replay", "export", "match/", "--format", "json"]
    record = subprocess.run(line, cwd=folder, capture_output=True, timeout=50, check=True).stdout
    found: dict[str, Any] = json.loads(record)
    return found


@pytest.mark.parametrize("name", [None, "greedy"])
def test_a_bot_in_a_debugger_is_not_pinged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    asked: list[bool] = []

    def server(*, keepalive: bool, **_: object) -> NoReturn:
        asked.append(keepalive)
        raise HostFault("enough")

    monkeypatch.setattr(app_sitting, "PlayServer", server)
    order = sitting_of(load_bots([RANDOM, GREEDY]), tmp_path / "logs")
    awaited = None if name is None else Awaited(name, lambda *_: None)
    with pytest.raises(HostFault, match="enough"):
        asyncio.run(play_sitting(order, lambda _: None, awaited=awaited))
    assert asked == [name is None]


def test_waiting_ends_with_ctrl_c(
    waiting: tuple["subprocess.Popen[str]", dict[str, str]],
) -> None:
    referee, _ = waiting
    referee.send_signal(signal.SIGINT)
    _, err = referee.communicate(timeout=50)
    assert referee.returncode == 130
    assert err == "database: elfer.db in this folder\n"
