"""The program that stands over one bot process and takes its whole tree down (Linux).

The launcher runs this file by its path under ``python -I -S``, so it imports the standard
library alone, and little of it. It sits between the launcher and the bot::

    launcher --stdin---> supervisor    "250\\n": stop in 250 ms at the latest; end of file: at once
    launcher <--stdout-- supervisor    one line a report, see below
    launcher <--stderr-- bot           whatever the bot prints on its own two outputs

    started PID      the command runs
    refused ERRNO    the command cannot be run: the bot's fault, or the host's, by the number
    fault ERRNO      no process could be made for it: the host's fault
    exit STATUS      the bot ended by itself or was stopped
    signal NUMBER    a signal ended the bot

What holds the tree together: the supervisor is a sub-reaper, so whatever the bot leaves
behind, in sessions of its own too, becomes its child. It ends them all when the bot ends,
when it is asked to, and when the launcher dies: that closes its stdin, and the kernel sends
SIGTERM as well. When the supervisor itself is killed, the kernel kills the bot, and the rest
falls to the launcher (``supervised.py``).
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import select
import signal
import sys
import time

# Importing typing would add a fifth to the time that every bot takes to start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

KILL_LIMIT = 10.0
"""Seconds after which processes that will not die (another user's) are left behind."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_KILL_PAUSE = 0.02
_FREEZE_ROUNDS = 10
_LAUNCHER_GONE = 3
_LEFT_BEHIND = 4


def become_subreaper() -> None:
    """Make orphaned descendants children of this process, instead of the host's first one."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int, sent: int = signal.SIGTERM) -> bool:
    """Have the kernel send the signal ``sent`` when the *thread* that started us ends.

    False where ``parent``, the process id of the one that started us, is dead already.
    """
    _prctl(_PR_SET_PDEATHSIG, sent)
    return os.getppid() == parent


def parents() -> dict[int, int]:
    """Give the parent of every process, by process id, as far as ``/proc`` shows them."""
    table = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib is slow to import
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb", buffering=0) as file:  # noqa: PTH123
                    status = file.read()
            except OSError:
                continue
            # The command's name stands in brackets and may hold any byte, brackets too.
            table[int(name)] = int(status.rpartition(b")")[2].split()[1])
    return table


def with_descendants(roots: Iterable[int], table: dict[int, int]) -> set[int]:
    """Give ``roots`` and all that descends from them; ``table`` is what ``parents`` gives."""
    by_parent: dict[int, list[int]] = {}
    for pid, parent in table.items():
        by_parent.setdefault(parent, []).append(pid)
    found = set(roots)
    waiting = list(found)
    while waiting:
        new = [pid for pid in by_parent.get(waiting.pop(), ()) if pid not in found]
        found.update(new)
        waiting.extend(new)
    return found


def children(table: dict[int, int]) -> list[int]:
    """Give our own children, those that were left to us included."""
    me = os.getpid()
    return [pid for pid, parent in table.items() if parent == me]


def kill_trees(roots: Callable[[dict[int, int]], list[int]]) -> bool:
    """Try to kill what ``roots`` names and all its descendants; True if there was anything.

    ``roots`` picks from what ``parents`` gives. To be called until it says False.
    """
    # Against trees that grow, all is stopped before any is killed: what is stopped starts
    # nothing more. Against trees that move on meanwhile, not all is waited for.
    stopped: set[int] = set()
    for _ in range(_FREEZE_ROUNDS):
        table = parents()
        new = with_descendants(roots(table), table) - stopped
        if not new:
            break
        for pid in new:
            _send(pid, signal.SIGSTOP)
        stopped |= new
    for pid in stopped:
        _send(pid, signal.SIGKILL)
    return bool(stopped)


def _send(pid: int, number: int) -> None:
    # It may be gone already, or another user's.
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


class _Supervisor:
    """One bot, from its start to the end of its tree."""

    def __init__(self) -> None:
        self.bot = 0
        self.ended = False
        self.stop_at = math.inf
        # Signals become bytes on a pipe, so that one select waits for everything.
        self.signals, written = os.pipe()
        os.set_blocking(self.signals, False)
        os.set_blocking(written, False)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: None)
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)

    def start(self, command: list[str]) -> bool:
        """Start the bot; False, with the reason reported, where that is not possible."""
        me = os.getpid()
        failure, written = os.pipe()
        try:
            self.bot = os.fork()
        except OSError as error:
            _report(f"fault {error.errno}")
            return False
        if self.bot == 0:
            _become(command, me, written)
        os.close(written)
        number = os.read(failure, 16)
        os.close(failure)
        if number:
            os.waitpid(self.bot, 0)
            _report(f"refused {int(number)}")
            return False
        _report(f"started {self.bot}")
        return True

    def watch(self) -> None:
        """Wait until the bot has ended or has to: asked to, or because the launcher died."""
        while True:
            self.reap()
            if self.ended:
                return
            left = self.stop_at - time.monotonic()
            if left <= 0:
                return
            ready = select.select([sys.stdin.fileno(), self.signals], [], [], min(left, 60.0))[0]
            if self.signals in ready and signal.SIGTERM in os.read(self.signals, 512):
                return
            if sys.stdin.fileno() in ready:
                request = os.read(sys.stdin.fileno(), 64)
                if not request:
                    return
                grace = min(map(int, request.split())) / 1000
                self.stop_at = min(self.stop_at, time.monotonic() + grace)
                table = parents()
                for pid in with_descendants(children(table), table):
                    _send(pid, signal.SIGTERM)

    def kill_tree(self) -> bool:
        """End all descendants; False where some will not die."""
        give_up_at = time.monotonic() + KILL_LIMIT
        while not self.reap():
            if time.monotonic() > give_up_at:
                return False
            kill_trees(children)
            select.select([self.signals], [], [], _KILL_PAUSE)
            self.drain_signals()
        return True

    def drain_signals(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self.signals, 512)

    def reap(self) -> bool:
        """Take leave of every child that has ended, and report the bot's end.

        True when no child is left, and so, for a sub-reaper, no descendant.
        """
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self.bot:
                self.ended = True
                code = os.waitstatus_to_exitcode(status)
                _report(f"exit {code}" if code >= 0 else f"signal {-code}")


def _become(command: list[str], supervisor: int, failure: int) -> NoReturn:
    """Turn this fresh child into the bot, or write the error number to ``failure``."""
    import resource  # not there on Windows, where this file must still import

    try:
        # A core dump would land in the bot's folder.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # A session of its own: what the bot sends to its group must not reach the supervisor.
        os.setsid()
        if die_with_parent(supervisor, signal.SIGKILL):
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                # The C library keeps two or three for itself.
                with contextlib.suppress(OSError):
                    signal.signal(number, signal.SIG_DFL)
            signal.set_wakeup_fd(-1)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(2, 1)
            os.execvp(command[0], command)
    except OSError as error:
        os.write(failure, str(error.errno).encode("ascii"))
    finally:
        os._exit(127)


def _report(line: str) -> None:
    # The launcher may be gone; the tree still has to be taken down.
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), f"{line}\n".encode("ascii"))


def main(launcher: int, command: list[str]) -> int:
    """Run ``command`` as the bot of the process ``launcher``, to the end of its tree."""
    supervisor = _Supervisor()
    become_subreaper()
    if not die_with_parent(launcher):
        return _LAUNCHER_GONE
    try:
        if supervisor.start(command):
            supervisor.watch()
    finally:
        tree_gone = supervisor.kill_tree()
    return 0 if tree_gone else _LEFT_BEHIND


if __name__ == "__main__":
    # Not sys.exit: there is nothing to tidy, and someone waits for the end.
    os._exit(main(int(sys.argv[1]), sys.argv[2:]))
