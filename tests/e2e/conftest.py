"""What end-to-end tests share: a machine that is left as it was, and the command line."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.cli.main import main
from tests.support.bot_folders import make_bot, make_league
from tests.support.host import processes_in


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of the test's own, under a path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="e2e-", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def nothing_left(tmp_path: Path, temporary: Path) -> Iterator[None]:
    """After the test no process runs in its folder, and no temporary file is left."""
    yield
    left = processes_in(tmp_path)
    for process in left:
        process.kill()
    assert left == []
    assert list(temporary.iterdir()) == []


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Referee = Callable[..., Outcome]


@pytest.fixture
def referee(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Referee:
    """Runs a command line in the test's folder, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_DB", raising=False)

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A league in which ``met`` says at ``tmp_path / "met"`` that its second match is on."""
    bots = [make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob")]
    bots.append(make_bot(tmp_path / "cleo", "waits"))
    return make_league(tmp_path, bots, deals=2, rotations="none")


@pytest.fixture
def meet(tmp_path: Path) -> Callable[[], int]:
    """Waits until a bot plays its second match; it then plays no more. Gives its process id."""
    os.mkfifo(tmp_path / "met")

    def wait() -> int:
        with (tmp_path / "met").open() as pipe:
            return int(pipe.readline())

    return wait
