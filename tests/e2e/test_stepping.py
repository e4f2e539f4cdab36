"""Stepping through a match on a terminal of its own (a pty)."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from referee.cli.main import OUR_BUG
from referee.match.series import Games
from referee.rpc.codec import encode_envelope, encode_record
from tests.support.matches import honest, play, record_of, setup

if sys.platform != "win32":
    import fcntl
    import pty
    import struct
    import termios

pytestmark = pytest.mark.linux

PROGRAM: Final = Path(sys.executable).with_name("referee")
LIMIT: Final = 40.0
"""Seconds for anything to appear."""
STOPPED: Final = 130


class Terminal:
    """The command in a terminal of 100 by 30, and what it has shown there so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(100, 30)
        self.mode = self._mode()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [PROGRAM, "replay", "show", *arguments],
            cwd=folder,
            env=environment | {"TERM": "xterm-256color", "COLUMNS": "", "LINES": ""},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def _mode(self) -> list[Any]:
        return termios.tcgetattr(self._ours)

    @property
    def given_back(self) -> bool:
        """The terminal's mode is what it was, and the screen and the cursor are back."""
        return (
            self._mode() == self.mode
            and self.shown.rfind("\x1b[?1049l") > self.shown.rfind("\x1b[?1049h")
            and self.shown.rfind("\x1b[?25h") > self.shown.rfind("\x1b[?25l")
        )

    def press(self, keys: str) -> None:
        self.shown = ""
        os.write(self._ours, keys.encode())

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def until(self, pattern: str) -> None:
        """Wait until something is shown."""
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.shown):
            ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no {pattern!r} in {self.shown!r}"
            self.shown += self._read()

    def code(self) -> int:
        """Read to the end. Gives the exit code."""
        while chunk := self._read():
            self.shown += chunk
        return self.process.wait(LIMIT)

    def _read(self) -> str:
        try:
            return os.read(self._ours, 65536).decode(errors="replace")
        except OSError:
            # All of the other side is closed.
            return ""

    def hang_up(self) -> None:
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT)
        if self._ours >= 0:
            self.hang_up()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    record = record_of(play(setup(2, series=Games(2)), [honest(0), honest(1)]))
    (tmp_path / "match.pb").write_bytes(encode_envelope(encode_record(record)))
    terminal = Terminal(tmp_path, "match.pb")
    yield terminal
    terminal.close()


def test_keys_step_and_q_gives_the_terminal_back(terminal: Terminal) -> None:
    terminal.until("game 1 of 2, turn 0 of ")
    assert not terminal.given_back
    terminal.press("n\x1b[C")
    terminal.until("game 1 of 2, turn 2 of ")
    assert "\x1b[31m" in terminal.shown
    terminal.press("g2\r")
    terminal.until("game 2 of 2, turn 0 of ")
    terminal.resize(30, 5)
    terminal.press("1")
    terminal.until("as seat|game 2 of 2, turn 0 of")
    terminal.press("q")
    assert terminal.code() == 0
    assert terminal.given_back


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_gives_the_terminal_back(
    terminal: Terminal, number: signal.Signals
) -> None:
    terminal.until("game 1 of 2, turn 0 of ")
    os.kill(terminal.process.pid, number)
    assert terminal.code() == STOPPED
    assert terminal.given_back


def test_it_can_be_stopped_and_gone_on_with(terminal: Terminal) -> None:
    terminal.until("game 1 of 2, turn 0 of ")
    os.kill(terminal.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED)
    terminal.shown = ""
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.until("game 1 of 2, turn 0 of ")
    terminal.press("n")
    terminal.until("game 1 of 2, turn 1 of ")
    # Its process group is nobody's job, so that the system does not stop it; all else happens.
    terminal.shown = ""
    os.kill(terminal.process.pid, signal.SIGTSTP)
    terminal.until(r"\x1b\[\?1049l(?s:.*)\x1b\[\?1049h(?s:.*)game 1 of 2, turn 1 of ")
    terminal.press("q")
    assert terminal.code() == 0
    assert terminal.given_back


def test_a_terminal_that_goes_away_ends_it(terminal: Terminal) -> None:
    terminal.until("game 1 of 2, turn 0 of ")
    terminal.hang_up()
    assert terminal.process.wait(LIMIT) != OUR_BUG
