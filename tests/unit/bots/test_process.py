from __future__ import annotations

import errno
import inspect
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.bots.process import Exit, StartFailure, refusal, remove_folder
from referee.bots.supervisor import with_descendants
from referee.core.errors import HostFault


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        (Exit(status=0), "exited with status 0"),
        (Exit(signal=signal.SIGTERM), "was killed by SIGTERM"),
        (Exit(signal=99), "was killed by signal 99"),
        (
            Exit(signal=signal.SIGTERM, supervisor_lost=True),
            "was killed by SIGTERM, its supervisor having been killed",
        ),
    ],
)
def test_an_exit_reads_as_a_sentence(ended: Exit, text: str) -> None:
    assert str(ended) == text


def test_what_the_command_is_to_blame_for_is_told_and_the_rest_is_the_hosts_fault() -> None:
    failure = refusal(["a\x1b"], errno.ENOENT)
    assert failure == StartFailure(r"cannot run 'a\x1b': No such file or directory")
    for number in (errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO):
        with pytest.raises(HostFault, match="cannot run 'python'"):
            refusal(["python"], number)


def test_descendants_are_found_through_all_generations() -> None:
    parents = {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 7}
    assert with_descendants([2], parents) == {2, 3, 4}
    assert with_descendants([], parents) == set()


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "scratch"
    # Should a test fail: pytest's own cleaning knows no such depths.
    subprocess.run(["rm", "-rf", tmp_path], check=True)


@pytest.fixture
def low_recursion_limit() -> Iterator[None]:
    """So that no test has to make a thousand folders."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.linux
@pytest.mark.usefixtures("low_recursion_limit")
def test_a_scratch_folder_goes_however_deep_or_locked(tmp_path: Path, scratch: Path) -> None:
    deepest = os.open(tmp_path, os.O_RDONLY)
    for name in ("scratch", *["d" * 50] * 200):
        os.mkdir(name, dir_fd=deepest)
        deeper = os.open(name, os.O_RDONLY, dir_fd=deepest)
        os.close(deepest)
        deepest = deeper
    os.close(deepest)
    (scratch / "file").touch()
    (tmp_path / "precious").mkdir()
    (scratch / "link").symlink_to(tmp_path / "precious")
    (scratch / "locked" / "within").mkdir(parents=True)
    (scratch / "locked").chmod(0)
    remove_folder(scratch)
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_a_scratch_folder_that_became_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (tmp_path / "scratch").symlink_to(tmp_path / "precious")
    remove_folder(tmp_path / "scratch")
    assert [path.name for path in tmp_path.rglob("*")] == ["precious", "file"]


def test_a_scratch_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    remove_folder(tmp_path / "none")
