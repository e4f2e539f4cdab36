"""Files that a user names: read whole with a limit, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from typing import Final

from referee.core.errors import HostFault, InputError
from referee.core.text import sanitise

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a file that is read at all."""

_HOST_FAILS: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EMFILE, errno.ENFILE})


def read_file(path: Path) -> bytes:
    """Raises InputError where there is no such file, or it cannot be read or is too large."""
    try:
        if not path.exists():
            raise InputError(f"{shown(path)}: there is no such file")
        if not path.is_file():
            raise InputError(f"{shown(path)}: not a regular file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise _refusal(path, "read", error) from error
    if len(content) > LARGEST:
        raise InputError(f"{shown(path)}: larger than {LARGEST} bytes, which is the most allowed")
    return content


def write_file(path: Path, content: bytes) -> None:
    """Write a new file. One that holds the same bytes already is left as it is.

    Raises InputError where another file is in the way or the place cannot be written, and
    HostFault where the disk fails. Neither leaves anything behind.
    """
    if path.exists():
        if path.is_file() and read_file(path) == content:
            return
        raise InputError(f"{shown(path)}: exists already and differs; it is not overwritten")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise _refusal(path, "written", error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def refuse_taken(path: Path) -> None:
    """Before long work whose outcome goes there: raises InputError where it could not."""
    if path.exists():
        raise InputError(f"{shown(path)}: exists already; it is not overwritten")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{shown(path)}: there is no folder {shown(path.parent)}")


def make_folder(path: Path) -> None:
    """Raises InputError where it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refusal(path, "made", error) from error


def shown(path: Path) -> str:
    """A path as messages show it."""
    return sanitise(str(path))


def _refusal(path: Path, done: str, error: OSError) -> InputError | HostFault:
    text = f"{shown(path)}: cannot be {done}: {error.strerror}"
    return HostFault(text) if error.errno in _HOST_FAILS else InputError(text)
