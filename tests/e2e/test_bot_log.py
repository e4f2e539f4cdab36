"""``bot log`` of a bot that fails: what its author needs to see why."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.e2e.conftest import Referee
from tests.e2e.test_bot_rerun import write_bot
from tests.e2e.test_rerun import RANDOM

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]


def played(referee: Referee, bot: Path, *options: object) -> tuple[object, ...]:
    """Play a match against ``random``. Gives the command that tells the bot's log of it."""
    code, _, err = referee("match", "run", bot, RANDOM, "--games", 1, *options)
    assert code == 0, err
    [match] = json.loads(referee("match", "list", "--json").out)["matches"]
    return ("bot", "log", bot.name, "--match", match["match_key"])


def test_a_crash_has_exit_status_last_words_and_what_was_asked(
    referee: Referee, tmp_path: Path
) -> None:
    bot = write_bot(tmp_path / "mine", 'print("\\x1b[2Jso far"); raise SystemExit(7)')
    log = played(referee, bot)
    first, again = referee(*log, "--trouble").out.split("\n\n")
    for shown, follows in ((first, "restart"), (again, "forfeit")):
        cost = f"penalty 50, then: {follows}"
        assert f"!! crashed (the bot's process exited with status 7), {cost}" in shown
        assert r"| \x1b[2Jso far" in shown
        assert re.search(r"# process [0-9]+ exited with status 7$", shown, re.MULTILINE)
        assert re.search(r"#   hand    .*\n.*#   fits    ", shown)
        assert "\x1b" not in shown
    rows = referee(*log, "--times").out.splitlines()[1:]
    assert all("crashed (§7.4)" in row for row in rows)
    assert len(rows) == 2


def test_a_lateness_has_its_figures(referee: Referee, tmp_path: Path) -> None:
    answer = "import time; time.sleep(0 if self.answers > 1 else 3600)"
    log = played(referee, write_bot(tmp_path / "mine", answer), "--clock", "100ms")
    late = referee(*log, "--trouble").out.split("\n\n")[0]
    assert "!! late, penalty 20, then: house" in late
    figures = re.search(r"in ms: limit 100, elapsed ([0-9.]+), .*counted ([0-9.]+)", late)
    assert figures is not None
    elapsed, counted = map(float, figures.groups())
    assert elapsed >= counted > 100
