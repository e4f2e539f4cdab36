"""Temporary folders: they go with whoever made them, at the latest at the next sweep."""

from __future__ import annotations

import inspect
import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.core.errors import HostFault
from referee.files import temporary
from referee.files.temporary import make_temporary_folder, remove_folder, sweep

pytestmark = pytest.mark.linux


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders go, and the only place that is swept."""
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.setenv("TMPDIR", str(root))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(temporary, "SHORT_ROOT", root)
    return root


def killed(script: str) -> None:
    """Runs a process that makes a ``folder`` and has to kill itself in the script."""
    begin = (
        "import os, shutil, signal\nfrom referee.files import temporary\n"
        "def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    child = subprocess.run([sys.executable, "-c", begin + script], timeout=30)
    assert child.returncode == -signal.SIGKILL


MADE = "folder = temporary.make_temporary_folder('bot')\n(folder.path / 'home').mkdir()\n"


def test_a_folder_is_this_users_alone_and_goes_with_what_is_in_it(root: Path) -> None:
    folder = make_temporary_folder("bot")
    assert folder.path.parent == root
    assert folder.path.name.startswith("elfer-bot-")
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    (folder.path / "home" / "deep").mkdir(parents=True)
    (folder.path / "home" / "deep" / "file").touch()
    folder.remove()
    folder.remove()
    assert list(root.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_the_hosts_fault(root: Path) -> None:
    with pytest.raises(HostFault, match="missing: cannot make a temporary folder: No such file"):
        make_temporary_folder(root=root / "missing")


def test_a_folder_that_cannot_be_locked_is_not_left(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(HostFault, match="cannot be locked: Too many open files"):
        make_temporary_folder(root=root)
    assert list(root.iterdir()) == []


def test_what_a_killed_process_leaves_is_swept(root: Path) -> None:
    killed(MADE + "die()")
    assert len(list(root.iterdir())) == 1
    sweep()
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    "script",
    [
        "temporary._create_lock = die\n" + MADE,
        MADE + "shutil.rmtree = die\nfolder.remove()",
        MADE + "temporary._take_apart = die\nfolder.remove()",
        MADE + "os.close = die\nfolder.remove()",
    ],
    ids=["before it is locked", "in the removal", "when it is empty", "when it is gone"],
)
def test_whenever_it_is_killed(root: Path, script: str) -> None:
    killed(script)
    sweep()
    assert list(root.iterdir()) == []


def test_what_a_living_process_has_is_left_alone(root: Path) -> None:
    with make_temporary_folder() as folder:
        sweep()
        assert folder.is_dir()


def test_what_may_be_somebody_elses_is_left_alone(root: Path) -> None:
    for name in ("elfer-mybot123", "elfer-0.1.0", "elfer-bot-mine", "other"):
        (root / name).mkdir()
        (root / name / "file").touch()
    (root / "elfer-file1234").touch()
    (root / "elfer-linked12").symlink_to(root / "other")
    before = sorted(root.rglob("*"))
    sweep()
    assert sorted(root.rglob("*")) == before


@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() != 0, reason="needs another user")
def test_another_users_is_left_alone(root: Path) -> None:
    killed(MADE + "os.chown(folder.path, 12345, -1)\ndie()")
    sweep()
    assert len(list(root.iterdir())) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: folder.chmod(0),
        lambda folder: (folder / "home").chmod(0),
        lambda folder: (folder / "home" / temporary._LOCK).touch(),
        lambda folder: (folder / "home").rename(folder / "elfer-home1234"),
    ],
    ids=["closed", "closed within", "a lock of its own", "a folder like ours"],
)
def test_what_a_bot_did_to_it_is_no_hindrance(root: Path, spoil: Callable[[Path], object]) -> None:
    killed(MADE + "die()")
    (folder,) = root.iterdir()
    spoil(folder)
    sweep()
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("late", [0, 1, 2], ids=["before", "in between", "after"])
def test_a_sweep_meanwhile_takes_no_folder_away(
    root: Path, monkeypatch: pytest.MonkeyPatch, late: int
) -> None:
    """Another process sweeps before the lock is made, before it is locked, or while it is tried."""
    create_lock, try_lock = temporary._create_lock, temporary._try_lock

    def swept_before(folder: Path) -> int | None:
        monkeypatch.setattr(temporary, "_create_lock", create_lock)
        sweep()
        return create_lock(folder)

    def swept_between(lock: int) -> bool:
        monkeypatch.setattr(temporary, "_try_lock", try_lock)
        sweep()
        return try_lock(lock)

    def swept_meanwhile(lock: int) -> bool:
        monkeypatch.setattr(temporary, "_try_lock", try_lock)
        (folder,) = root.iterdir()
        sweeper = os.open(folder / temporary._LOCK, os.O_RDWR)
        assert try_lock(sweeper)
        taken = try_lock(lock)
        remove_folder(folder)
        os.close(sweeper)
        return taken

    if late == 0:
        monkeypatch.setattr(temporary, "_create_lock", swept_before)
    else:
        monkeypatch.setattr(temporary, "_try_lock", swept_between if late == 1 else swept_meanwhile)
    with make_temporary_folder() as folder:
        sweep()
        assert list(root.iterdir()) == [folder]


@pytest.fixture
def low_recursion_limit() -> Iterator[None]:
    """So that no test has to make a thousand folders."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    yield
    sys.setrecursionlimit(before)


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "scratch"
    # Should a test fail: pytest's own cleaning knows no such depths.
    subprocess.run(["rm", "-rf", tmp_path], check=True)


@pytest.mark.usefixtures("low_recursion_limit")
def test_a_folder_goes_however_deep_or_locked(tmp_path: Path, root: Path, scratch: Path) -> None:
    root.rmdir()
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


def test_a_folder_that_became_a_link_leads_nowhere(tmp_path: Path, root: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (root / "folder").symlink_to(tmp_path / "precious")
    remove_folder(root / "folder")
    assert list(root.iterdir()) == []
    assert (tmp_path / "precious" / "file").exists()


def test_a_folder_that_is_not_there_is_no_trouble(root: Path) -> None:
    remove_folder(root / "none")
