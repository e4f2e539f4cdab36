"""Writing a file whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from referee.core.errors import InputError
from referee.files.reading import refusing, shown


def write_file(path: Path, content: bytes) -> None:
    """Write a new file. One that holds the same bytes already is left as it is.

    Raises InputError where another file is in the way or the place cannot be written, and
    HostFault where the disk fails. Neither leaves anything behind.
    """
    with refusing(path, "read"):
        if path.exists():
            if _holds(path, content):
                return
            raise InputError(f"{shown(path)}: exists already and differs; it is not overwritten")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with refusing(path, "written"):
            with draft.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def refuse_taken(path: Path) -> None:
    """Before long work whose outcome goes there: raises InputError where it could not."""
    with refusing(path, "written"):
        if path.exists():
            raise InputError(f"{shown(path)}: exists already; it is not overwritten")
        if not path.absolute().parent.is_dir():
            raise InputError(f"{shown(path)}: there is no folder {shown(path.parent)}")


def make_folder(path: Path) -> None:
    """Raises InputError where it cannot be made."""
    with refusing(path, "made"):
        path.mkdir(parents=True, exist_ok=True)


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
