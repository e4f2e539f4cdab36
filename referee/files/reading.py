"""Reading a file whole, up to a limit."""

from __future__ import annotations

import errno
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
    try:
        if not path.exists():
            raise InputError(f"{shown(path)}: there is no such file")
        if not path.is_file():
            raise InputError(f"{shown(path)}: not a regular file")
        with path.open("rb") as file:
            content = file.read(most_mib * MIB + 1)
    except OSError as error:
        raise refusal(path, "read", error) from error
    if len(content) > most_mib * MIB:
        raise InputError(f"{shown(path)}: larger than {most_mib} MiB, which is the most allowed")
    return content


def shown(path: Path) -> str:
    """A path as messages show it."""
    return sanitise(str(path))


def refusal(path: Path, done: str, error: OSError) -> InputError | HostFault:
    """What a user is told when the system refuses: that the path cannot be ``done``."""
    text = f"{shown(path)}: cannot be {done}: {error.strerror}"
    return HostFault(text) if error.errno in _HOST_FAILS else InputError(text)
