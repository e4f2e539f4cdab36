"""When whoever runs a league is taken over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from referee.app.lease import LEASE_SECONDS, leased, may_take
from referee.app.ledger import this_host, this_worker
from referee.core.errors import InputError
from referee.store.database import Database
from referee.store.entries import HeldLease, Lease
from referee.store.repository import Repository
from tests.support.ledgers import make_league


def held(
    worker: str, *, host: str | None = None, silent: float = 0.0, since: datetime | None = None
) -> HeldLease:
    lease = Lease("demo", "token", host or this_host(), worker, since or datetime.now(UTC))
    return HeldLease(lease, silent)


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs until its input ends."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_a_process_of_this_host_that_lives_is_left_at_it(other: subprocess.Popen[bytes]) -> None:
    assert not may_take(held(f"process {other.pid}"))
    assert not may_take(held(f"process {other.pid}", silent=LEASE_SECONDS))


@pytest.mark.linux
def test_one_that_stands_still_is_taken_over_in_the_end(other: subprocess.Popen[bytes]) -> None:
    other.send_signal(signal.SIGSTOP)
    assert not may_take(held(f"process {other.pid}", silent=LEASE_SECONDS))
    assert may_take(held(f"process {other.pid}", silent=LEASE_SECONDS + 1))


def test_one_that_ended_is_taken_over_at_once(other: subprocess.Popen[bytes]) -> None:
    other.kill()
    other.wait()
    assert may_take(held(f"process {other.pid}"))


@pytest.mark.linux
def test_one_that_ended_and_that_nobody_waited_for(other: subprocess.Popen[bytes]) -> None:
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert psutil.Process(other.pid).status() == psutil.STATUS_ZOMBIE
    assert may_take(held(f"process {other.pid}"))


def test_a_process_with_the_number_of_one_that_ended(other: subprocess.Popen[bytes]) -> None:
    assert may_take(held(f"process {other.pid}", since=datetime.now(UTC) - timedelta(hours=1)))


def test_who_asks_is_not_at_it() -> None:
    assert may_take(held(this_worker()))


@pytest.mark.parametrize("worker", ["process 1", "process 999999999", "somebody"])
def test_of_another_host_silence_alone_tells(worker: str) -> None:
    assert not may_take(held(worker, host=f"not-{this_host()}", silent=LEASE_SECONDS))
    assert may_take(held(worker, host=f"not-{this_host()}", silent=LEASE_SECONDS + 1))


def test_a_lease_is_given_back_whatever_ends_its_use(tmp_path: Path) -> None:
    with Database.open(str(tmp_path / "demo.db")) as database:
        repository = Repository(database)
        repository.create_league(make_league())
        with suppress(KeyboardInterrupt), leased(repository, "demo"):
            assert repository.lease("demo") is not None
            raise KeyboardInterrupt
        assert repository.lease("demo") is None


def test_what_another_holds_is_left_to_it(tmp_path: Path) -> None:
    with Database.open(str(tmp_path / "demo.db")) as database:
        repository = Repository(database)
        repository.create_league(make_league())
        theirs = repository.take_lease("demo", may_take, host="elsewhere", worker="process 7")
        with pytest.raises(InputError, match="run by process 7 on elsewhere already"):
            leased(repository, "demo").__enter__()
        repository.beat(theirs)
