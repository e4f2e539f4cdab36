"""Where bots of this machine come to: a Unix socket, or TCP on loopback."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Final

from referee.core.errors import HostFault

LOOPBACK: Final = "127.0.0.1"
MOST_PATH_BYTES: Final = 103 if sys.platform == "darwin" else 107
"""What the system's socket addresses have room for."""

_SHORT_ROOT: Final = Path("/tmp")


def unix_sockets_serve() -> bool:
    return hasattr(socket, "AF_UNIX") and sys.platform != "win32"


def make_socket_path() -> Path:
    """A path for a socket in a fresh folder that nobody else may enter.

    Nothing can be at that path: gRPC would take over a live socket without a word. Raises
    ``HostFault`` where there is no folder for it.
    """
    room = MOST_PATH_BYTES - len("/elfer-12345678/socket")
    roots = [Path(tempfile.gettempdir()), _SHORT_ROOT]
    root = next((root for root in roots if len(os.fsencode(root)) <= room), _SHORT_ROOT)
    try:
        return Path(tempfile.mkdtemp(prefix="elfer-", dir=root)) / "socket"
    except OSError as error:
        raise HostFault(f"{root}: cannot make a folder for a socket: {error.strerror}") from error


def remove_socket(path: Path) -> None:
    """Remove a socket, where it is still there, and its folder."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()
