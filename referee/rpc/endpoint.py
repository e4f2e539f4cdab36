"""Where bots of this machine come to: a Unix socket, or TCP on loopback."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Final

from referee.files.temporary import SHORT_ROOT, TemporaryFolder, make_temporary_folder

LOOPBACK: Final = "127.0.0.1"
MOST_PATH_BYTES: Final = 103 if sys.platform == "darwin" else 107
"""What the system's socket addresses have room for."""

SOCKET: Final = "socket"
"""What it is called in its folder."""


def unix_sockets_serve() -> bool:
    return hasattr(socket, "AF_UNIX") and sys.platform != "win32"


def make_socket_folder() -> TemporaryFolder:
    """A fresh folder for a socket, under a path that is short enough for one.

    Nothing can be in it: gRPC would take over a live socket without a word. Raises
    ``HostFault`` where there is no folder for it.
    """
    room = MOST_PATH_BYTES - len(f"/elfer-12345678/{SOCKET}")
    roots = [Path(tempfile.gettempdir()), SHORT_ROOT]
    root = next((root for root in roots if len(os.fsencode(root)) <= room), SHORT_ROOT)
    return make_temporary_folder(root=root)
