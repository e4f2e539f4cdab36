"""Writing a file whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from referee.core.errors import InputError
from referee.files.reading import refusing, shown

ANYBODY: Final = 0o666
OWNER_ONLY: Final = 0o600


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
    with new_file(path) as file:
        file.write(content)


@contextlib.contextmanager
def new_file(path: Path, *, mode: int = ANYBODY) -> Iterator[BinaryIO]:
    """A file to write to, that is at ``path`` when the block ends well, whole.

    Look before with ``refuse_taken``. Raises InputError where the place cannot be written, and
    HostFault where the disk fails. Whatever ends the block otherwise, nothing is left.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with refusing(path, "written"):
            with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                yield file
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
