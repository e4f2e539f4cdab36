"""One league as its operator runs it: killed, given the same command again, and looked at."""

from __future__ import annotations

import math
import shutil
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

import psutil

from referee.bots import supervisor
from referee.store.database import Database
from referee.store.repository import Repository
from tests.support.bot_folders import make_league
from tests.support.commands import finish, start
from tests.support.host import await_end, processes_in
from tests.support.outcomes import Outcome, outcome

NAME: Final = "cup"
SEED: Final = "5a" * 32
_LOOK_SECONDS: Final = 0.001
_LIMIT_SECONDS: Final = 100.0
"""For one command; a few seconds are usual."""


class Victim(StrEnum):
    REFEREE = "referee"
    WORKER = "worker"
    SUPERVISOR = "supervisor"
    """Of a bot: by the conduct that is a crash of the bot."""
    ALL = "all"


_MARKS: Final = {Victim.WORKER: "spawn_main", Victim.SUPERVISOR: supervisor.__file__}
"""What stands in their command lines."""
_COUNTED: Final = """
    SELECT match_key, sha256 FROM attempts
    JOIN matches ON matches.id = match_id JOIN records ON records.id = record_id
"""


@dataclass(frozen=True, slots=True)
class Kill:
    """Whom to kill, and when: from the start of the command, or from the last kill in it."""

    victim: Victim
    writes: int
    """After so many writes to the ledger,"""
    seconds: float
    """and then so many seconds."""
    which: int
    """Of several workers or supervisors."""
    at_once: bool
    """The command is given again though processes of the last one may still be there."""

    def __str__(self) -> str:
        when = f"{self.writes} writes" if self.writes else f"{self.seconds:.3f} s"
        return f"{self.victim} after {when}{', and again at once' if self.at_once else ''}"


class KilledLeague:
    """A league in a folder and a database of its own, whose command has been given."""

    def __init__(
        self, folder: Path, bots: Sequence[Path], *, table_size: int, deals: int, jobs: int
    ) -> None:
        """``folder`` is made; its path has to be short enough for sockets."""
        self.writes = 0
        """To the ledger, as far as they were seen."""
        self._folder: Final = folder
        self._temporary: Final = folder / "t"
        self._temporary.mkdir(parents=True)
        self._database: Final = folder / f"{NAME}.db"
        file = make_league(folder, bots, name=NAME, table_size=table_size, deals=deals)
        self._command: Final = (
            *("league", "run", file, "--db", self._database),
            *("--seed", SEED, "--jobs", jobs, "--yes"),
        )
        self._counted: set[tuple[str, bytes]] = set()
        """What has been seen to count, with the digest of its record."""
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever was found, nothing goes on."""
        for process in processes_in(self._folder):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        finish(self._process)

    def kill(self, kill: Kill) -> bool:
        """Wait for the moment and the victim and kill; where the command ends by that, give it
        again. ``False``: it had come to its end.
        """
        if not self._await(kill.writes, kill.seconds):
            return False
        while not (victims := self._find(kill)):
            if not self._await(0, _LOOK_SECONDS):
                return False
        for process in victims:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if kill.victim in (Victim.REFEREE, Victim.ALL):
            if self._process.wait() == 0:
                return False
            self._bury(at_once=kill.at_once)
            self._begin()
        return True

    def end(self) -> Outcome:
        """Let the command come to its end, and look at all that is left then."""
        self._await(0, math.inf)
        code, out, err = finish(self._process)
        assert code == 0, out + err
        assert processes_in(self._folder) == []
        assert list(self._temporary.iterdir()) == []
        self._assert_nothing_lost()
        with Database.open(str(self._database)) as database:
            return outcome(Repository(database), NAME)

    def _begin(self) -> None:
        self._process = start(self._folder, *self._command, TMPDIR=str(self._temporary))

    def _await(self, writes: int, seconds: float) -> bool:
        """``False``: the command ended before that."""
        began = moment = time.monotonic()
        seen = self._last_write()
        while self._process.poll() is None:
            now = time.monotonic()
            if writes <= 0 and now - moment >= seconds:
                return True
            assert now - began < _LIMIT_SECONDS, "the command goes on for ever"
            if (last := self._last_write()) != seen:
                seen = last
                self.writes += 1
                if writes > 0:
                    writes, moment = writes - 1, now
            time.sleep(_LOOK_SECONDS)
        return False

    def _last_write(self) -> tuple[int, int] | None:
        try:
            status = self._database.with_name(f"{self._database.name}-wal").stat()
        except FileNotFoundError:
            return None
        return status.st_size, status.st_mtime_ns

    def _find(self, kill: Kill) -> list[psutil.Process]:
        """The referee first: what it sees of the others' end it could still write down."""
        referee = psutil.Process(self._process.pid)
        if kill.victim is Victim.REFEREE:
            return [referee]
        there = [one for one in processes_in(self._folder) if one != referee]
        if kill.victim is Victim.ALL:
            return [referee, *there]
        found = [one for one in there if _MARKS[kill.victim] in _command_of(one)]
        return [found[kill.which % len(found)]] if found else []

    def _bury(self, *, at_once: bool) -> None:
        if at_once and self._process.returncode == -signal.SIGKILL:
            for pipe in (self._process.stdout, self._process.stderr):
                assert pipe is not None
                pipe.close()
        else:
            code, out, err = finish(self._process)
            assert code == -signal.SIGKILL, f"exit code {code}\n{out}{err}"
            await_end(processes_in(self._folder))
        self._assert_nothing_lost()

    def _assert_nothing_lost(self) -> None:
        """Look at a copy of the database: to put it in order is the next command's part."""
        copy = self._folder / "copy.db"
        for suffix in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{self._database}{suffix}", f"{copy}{suffix}")
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
            counted = set(connection.execute(_COUNTED)) if ("records",) in tables else set()
        for suffix in ("", "-wal"):
            Path(f"{copy}{suffix}").unlink(missing_ok=True)
        assert counted >= self._counted
        self._counted = counted


def _command_of(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""
