"""Reading a file whole, up to a limit."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.core.errors import HostFault, InputError
from referee.core.text import sanitise

MIB: Final = 1024 * 1024

_HOST_FAILS: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EMFILE, errno.ENFILE})


def read_file(path: Path, most_mib: int) -> bytes:
    """Raises InputError where there is no such file, or it cannot be read or is too large.

    HostFault where the machine fails.
    """
    with refusing(path, "read"):
        if not path.exists():
            raise InputError(f"{shown(path)}: there is no such file")
        if not path.is_file():
            raise InputError(f"{shown(path)}: not a regular file")
        with path.open("rb") as file:
            content = file.read(most_mib * MIB + 1)
    if len(content) > most_mib * MIB:
        raise InputError(f"{shown(path)}: larger than {most_mib} MiB, which is the most allowed")
    return content


def shown(path: Path) -> str:
    """A path as messages show it."""
    return sanitise(str(path))


@contextmanager
def refusing(path: Path, done: str) -> Iterator[None]:
    """Say what the system refuses: that the path cannot be ``done``.

    Looking whether a path is there may be refused too: its name is too long, or a folder on
    its way is closed to us. Raises HostFault where the machine fails, else InputError.
    """
    try:
        yield
    except OSError as error:
        text = f"{shown(path)}: cannot be {done}: {error.strerror}"
        raise (HostFault if error.errno in _HOST_FAILS else InputError)(text) from error
