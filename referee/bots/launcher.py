"""Starting a bot: its command, in its folder, with an environment of our making."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.bots.plain import start_plain
from referee.bots.process import BotProcess, Start, StartFailure
from referee.bots.supervised import start_supervised
from referee.core.errors import HostFault
from referee.core.text import sanitise
from referee.files.temporary import make_temporary_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.bots.manifest import Manifest
    from referee.bots.output import BotLog

_START: Final = start_supervised if sys.platform == "linux" else start_plain

_KEPT: Final = ("SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT")
"""What Windows's programs do not run without."""


async def launch(
    manifest: Manifest, folder: Path, log: BotLog, environment: Mapping[str, str]
) -> BotProcess | StartFailure:
    """Start the bot of ``folder``; its output goes to ``log``, which stays the caller's.

    The bot runs in its folder, reads nothing from stdin and finds the variables of
    ``environment`` beside ours, nothing of the referee's but ``PATH``. There the folder of
    the referee's own Python comes first. ``HOME`` and the temporary folder are its own and
    are removed when it has ended. Has to be called from the main thread.

    Gives StartFailure where the command cannot be run; raises HostFault where the host has no
    process, memory or file left for it.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("bots end with the thread that started them: launch from the main one")
    scratch = make_temporary_folder("bot")
    try:
        started = await _START(
            Start(
                command=manifest.command,
                folder=folder,
                environment=_own_environment(scratch.path) | dict(environment),
                scratch=scratch,
                log=log,
            )
        )
    except BaseException:
        scratch.remove()
        raise
    if isinstance(started, StartFailure):
        scratch.remove()
    else:
        log.note(f"{sanitise(manifest.name)} {manifest.version} started as process {started.pid}")
    return started


def _own_environment(scratch: Path) -> dict[str, str]:
    home, temporary = scratch / "home", scratch / "tmp"
    try:
        home.mkdir()
        temporary.mkdir()
    except OSError as error:
        raise HostFault(f"cannot make a temporary folder: {error.strerror}") from error
    # The referee's Python by the path it was called by: resolved, a virtual one is lost.
    path = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | {
        "PATH": os.pathsep.join(path),
        "HOME": str(home),
        "USERPROFILE": str(home),
        "TMPDIR": str(temporary),
        "TEMP": str(temporary),
        "TMP": str(temporary),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
