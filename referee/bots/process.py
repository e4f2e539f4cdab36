"""One running bot, as the rest of the referee sees it."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.core.errors import HostFault
from referee.core.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from referee.bots.output import BotLog
    from referee.files.temporary import TemporaryFolder

GRACE_US: Final = 1_000_000
"""How long a bot that was asked to stop may take before it is killed."""

_REFUSALS: Final = frozenset(
    {errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR}
    | {errno.ELOOP, errno.ENAMETOOLONG, errno.E2BIG, errno.EINVAL, errno.ETXTBSY}
)
"""Error numbers that say something of the command; any other says something of the host."""


@dataclass(frozen=True)
class Exit:
    """How a bot's own process ended: by an exit status or by a signal, the other is None."""

    status: int | None = None
    signal: int | None = None
    supervisor_lost: bool = False
    """The supervisor was killed, and the bot with it. Few but the bot itself would do that."""

    def __str__(self) -> str:
        if self.signal is None:
            return f"exited with status {self.status}"
        lost = ", its supervisor having been killed" if self.supervisor_lost else ""
        return f"was killed by {_signal_name(self.signal)}{lost}"


@dataclass(frozen=True)
class StartFailure:
    """A bot whose command could not be run; ``reason`` is one line, safe to show."""

    reason: str


@dataclass(frozen=True)
class Start:
    """All that the start of a process needs."""

    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    scratch: TemporaryFolder
    """A folder for this process alone, removed when it has ended."""

    log: BotLog


class BotProcess(ABC):
    """A bot's process and all that it starts.

    ``pid`` is the bot's own, and ``root`` that of the process from which all of them descend.
    ``exited`` is done as soon as the bot's own process has ended, whatever is left of its tree,
    which is then ended as well.
    """

    def __init__(self, start: Start) -> None:
        self.pid = 0
        self.root = 0
        self.exited: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        self._start = start

    @abstractmethod
    async def stop(self, grace_us: int = GRACE_US) -> None:
        """End the bot and everything it started; return when nothing of it is left.

        Asks with SIGTERM and kills after ``grace_us`` microseconds. May be called at any time
        and any number of times, and has to be called or awaited before the loop is closed.
        """

    def _set_exit(self, ended: Exit) -> None:
        if self.pid and not self.exited.done():
            self.exited.set_result(ended)
            self._start.log.note(f"process {self.pid} {ended}")


def refusal(command: Sequence[str], number: int) -> StartFailure:
    """Tell why ``command`` could not be run; raises HostFault where the host is at fault."""
    reason = sanitise(f"cannot run {command[0]!r}: {os.strerror(number)}")
    if number not in _REFUSALS:
        raise HostFault(reason)
    return StartFailure(reason)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
