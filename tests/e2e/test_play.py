"""A person plays bots: over a pipe, and at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import pytest

from tests.e2e.conftest import Outcome, Referee
from tests.support.commands import finish

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

PROGRAM: Final = Path(sys.executable).with_name("referee")
PLAY: Final = ("play", "--vs", "greedy", "--games", "1", "--db", "here.db")
SEED: Final = "0123456789abcdef" * 4
PROMPT: Final = "you>"
INTERRUPTED: Final = 130
PATIENCE: Final = 50
"""Seconds."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that a test starts; none outlives it."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def sit_down(
    table: list[subprocess.Popen[str]], folder: Path, *options: object
) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [PROGRAM, *PLAY, *map(str, options)],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    table.append(process)
    return process


def read_to_prompt(stream: IO[str]) -> str:
    """What is printed up to the next prompt, or the end."""
    lines = []
    for line in stream:
        lines.append(line)
        if line == f"{PROMPT}\n":
            break
    return "".join(lines)


def play_on(process: subprocess.Popen[str]) -> str:
    """Type what the hint says that the house would lay, to the end. Gives what was printed."""
    assert process.stdin is not None
    assert process.stdout is not None
    printed = ""
    while (page := read_to_prompt(process.stdout)).endswith(f"{PROMPT}\n"):
        printed += page
        process.stdin.write(page.split("would lay ")[1].splitlines()[0] + "\n")
        process.stdin.flush()
    return printed + page


def only_match(referee: Referee) -> dict[str, object]:
    outcome = referee("match", "list", "--json", "--db", "here.db")
    [match] = json.loads(outcome.out)["matches"]
    found: dict[str, object] = match
    return found


def test_a_whole_game_over_a_pipe(
    tmp_path: Path, referee: Referee, table: list[subprocess.Popen[str]]
) -> None:
    process = sit_down(table, tmp_path, "--hints", "--seat", 1, "--seed", SEED, "--record", "m.pb")
    printed = play_on(process)
    code, _, err = finish(process)
    assert (code, err) == (0, "")
    assert "\x1b" not in printed
    assert "By seat: greedy, you." in printed
    key = printed.split("kept as ")[1].split()[0]
    verified = referee("replay", "verify", key, "m.pb", "--db", "here.db")
    assert (verified.code, "2 of 2 matches hold" in verified.out) == (0, True)
    shown = referee("match", "show", key, "--json", "--db", "here.db").out
    assert json.loads(shown)["infractions"] == []
    record = json.loads(referee("replay", "export", key, "--format", "json", "--db", "here.db").out)
    seat = record["seats"][1]
    assert (seat["bot"], seat["language"], seat["bundle_sha256"]) == ("you", "human", "")
    assert "move_limit_us" not in record["time_control"]
    assert f"seed {SEED}" in record["transcript"]


def test_an_input_that_ends_gives_the_match_up(
    tmp_path: Path, referee: Referee, table: list[subprocess.Popen[str]]
) -> None:
    process = sit_down(table, tmp_path)
    out, err = process.communicate("hello\n", timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert "'HELLO' is no card" in out
    assert "resigned, penalty 0" in out
    key = out.split("kept as ")[1].split()[0]
    assert referee("replay", "verify", key, "--db", "here.db").code == 0


def test_ctrl_c_leaves_at_once_and_the_match_does_not_count(
    tmp_path: Path, referee: Referee, table: list[subprocess.Popen[str]]
) -> None:
    process = sit_down(table, tmp_path)
    assert process.stdout is not None
    assert read_to_prompt(process.stdout).endswith(f"{PROMPT}\n")
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert (code, err) == (INTERRUPTED, "stopped; the match does not count\n")
    assert only_match(referee)["state"] == "void"


class Terminal:
    """A terminal with a command at it, as a person has."""

    def __init__(self, folder: Path, *command: object) -> None:
        self._end, self._theirs = pty.openpty()
        name = os.ttyname(self._theirs)
        # The first terminal that a session's leader opens is the session's: Ctrl-C is for it.
        shell = f'exec "$@" < {name} > {name} 2>&1'
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", shell, "sh", *map(str, command)],
            cwd=folder,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "40"},
            start_new_session=True,
            text=True,
        )
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def wait_for(self, text: str) -> None:
        """Read until ``text`` is shown after what was waited for last."""
        seen = len(self.shown)
        while text not in self.shown[seen:]:
            assert self._more(), f"{text!r} never came: {self.shown}"

    def finish(self) -> Outcome:
        # From here on nobody but the command has that end open.
        os.close(self._theirs)
        while self._more():
            pass
        code = self.process.wait(timeout=PATIENCE)
        os.close(self._end)
        return Outcome(code, self.shown, "")

    def _more(self) -> bool:
        ready, _, _ = select.select([self._end], [], [], PATIENCE)
        assert ready, f"nothing came: {self.shown}"
        try:
            more = os.read(self._end, 65_536)
        except OSError:  # what Linux says when nobody has the other end open
            return False
        self.shown += more.decode()
        return bool(more)


def test_at_a_terminal(
    tmp_path: Path, referee: Referee, table: list[subprocess.Popen[str]]
) -> None:
    terminal = Terminal(tmp_path, PROGRAM, *PLAY)
    table.append(terminal.process)
    terminal.wait_for(PROMPT)
    assert re.search(r"\x1b\[1;\d+m[RYGB]\d+\x1b\[0m\]", terminal.shown), "what fits stands out"
    terminal.type("?\n")
    terminal.wait_for(PROMPT)
    assert "would lay" in terminal.shown
    terminal.type("1\n")
    terminal.wait_for(PROMPT)
    terminal.type("R1\x7f12 gone astray\x15q\n")
    terminal.wait_for("[y/N]")
    terminal.type("n\n")
    terminal.wait_for(PROMPT)
    terminal.type("\x03")
    outcome = terminal.finish()
    assert outcome.code == INTERRUPTED
    assert "stopped; the match does not count" in outcome.out
    assert only_match(referee)["state"] == "void"
