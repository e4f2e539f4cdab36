"""Worker processes of the referee: none of them outlives the one that started it."""

from __future__ import annotations

import os
import signal
import sys

from referee.bots.supervisor import die_with_parent


def tie_to_parent(parent: int) -> None:
    """Have this process killed when the thread that started it ends; call it first thing.

    ``parent`` is the process id of the starter. Its bots then end with it, by their
    supervisors. Where the system has no such means (macOS, Windows) nothing happens.
    """
    if sys.platform == "linux" and not die_with_parent(parent, signal.SIGKILL):
        os._exit(1)
