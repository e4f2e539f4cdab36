"""Temporary folders, of which a killed process leaves none for long.

A folder is in use for as long as its lock is held, and a lock ends with the process that holds
it, whatever ends that. So ``sweep`` has nothing to guess. Windows has no such locks: there what
a killed process leaves stays.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from referee.core.errors import HostFault

if sys.platform != "win32":
    import fcntl

SHORT_ROOT: Final = Path("/tmp")
"""For what the usual folder's path is too long for."""

_LOCK: Final = ".elfer-temporary"
_NAME: Final = re.compile(r"elfer-(?:[a-z]+-)?[a-z0-9_]{8}")


class TemporaryFolder:
    """A folder that nobody else may enter, until it is removed."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path: Final = path
        self._lock: int | None = lock

    def remove(self) -> None:
        """Remove it with all that is in it, as far as the system lets us. May be called twice."""
        if self._lock is not None:
            remove_folder(self.path)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()


def make_temporary_folder(kind: str = "", root: Path | None = None) -> TemporaryFolder:
    """A fresh folder in ``root``, or where temporary files go; ``kind`` stands in its name.

    Raises ``HostFault`` where there can be none.
    """
    prefix = f"elfer-{kind}-" if kind else "elfer-"
    while True:
        try:
            path = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
        except OSError as error:
            where = "" if root is None else f"{root}: "
            raise HostFault(f"{where}cannot make a temporary folder: {error.strerror}") from error
        lock = _create_lock(path)
        if lock is not None:
            return TemporaryFolder(path, lock)


def sweep() -> None:
    """Remove the temporary folders of processes that have ended, where they are this user's."""
    if sys.platform == "win32":
        return
    for root in {Path(tempfile.gettempdir()), SHORT_ROOT}:
        with contextlib.suppress(OSError), os.scandir(root) as entries:
            for entry in entries:
                if _NAME.fullmatch(entry.name) and _is_own_folder(entry):
                    _remove_unused(Path(entry.path))


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that a bot has left there, as far as the system lets us.

    Its lock is what goes last: a sweep finishes what was cut short.
    """
    if folder.is_symlink():
        # A bot may have put it there; what it leads to is not ours to remove.
        folder.unlink()
        return
    for path in _content(folder):
        with contextlib.suppress(RecursionError):
            shutil.rmtree(path, ignore_errors=True)
    _take_apart(folder)
    with contextlib.suppress(OSError):
        (folder / _LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _create_lock(folder: Path) -> int | None:
    """``None`` where a sweep took the folder for one that is left over."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    try:
        lock = os.open(folder / _LOCK, flags, 0o600)
    except FileNotFoundError:
        return None
    except OSError as error:
        remove_folder(folder)
        raise HostFault(f"{folder}: cannot be locked: {error.strerror}") from error
    if _try_lock(lock) and os.fstat(lock).st_nlink:
        return lock
    os.close(lock)
    return None


def _try_lock(lock: int) -> bool:
    if sys.platform != "win32":
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _is_own_folder(entry: os.DirEntry[str]) -> bool:
    with contextlib.suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        return entry.is_dir(follow_symlinks=False) and status.st_uid == os.geteuid()
    return False


def _remove_unused(folder: Path) -> None:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        try:
            lock = os.open(folder / _LOCK, flags)
        except PermissionError:
            # A bot may have closed its own.
            folder.chmod(0o700)
            lock = os.open(folder / _LOCK, flags)
    except FileNotFoundError:
        # Killed before it was locked, or just after it was emptied; else it is none of ours.
        with contextlib.suppress(OSError):
            folder.rmdir()
    except OSError:
        return
    else:
        if _try_lock(lock):
            remove_folder(folder)
        os.close(lock)


def _content(folder: Path) -> list[Path]:
    """All that is in it but its lock."""
    with contextlib.suppress(OSError):
        return [path for path in folder.iterdir() if path.name != _LOCK or path.is_dir()]
    return []


def _take_apart(folder: Path) -> None:
    """Empty a folder in which others are nested beyond any path's length, or locked.

    Each of them is unlocked and moved up into ``folder``, so that no path grows long.
    """
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    names = (f"{secrets.token_hex(8)}.{number}" for number in itertools.count())
    waiting: list[Path] = []

    def clear(paths: list[Path]) -> None:
        for path in paths:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
                waiting.append(path.rename(folder / next(names)))
            else:
                path.unlink()

    with contextlib.suppress(OSError):
        clear(_content(folder))
    while waiting:
        current = waiting.pop()
        with contextlib.suppress(OSError):
            clear(list(current.iterdir()))
            current.rmdir()
