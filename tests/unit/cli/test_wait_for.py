"""``match run --wait-for``: a bot that its author starts."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_waiting_ends_with_ctrl_c(
    waiting: tuple["subprocess.Popen[str]", dict[str, str]],
) -> None:
    referee, _ = waiting
    referee.send_signal(signal.SIGINT)
    _, err = referee.communicate(timeout=50)
    assert referee.returncode == 130
    assert err == "database: elfer.db in this folder\n"
