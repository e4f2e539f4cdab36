"""Single matches whose referee was killed: they are void when the next one is played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.app.ledger import this_host, this_worker, void_abandoned
from referee.store.database import Database
from referee.store.entries import AttemptStatus, VoidCause
from referee.store.repository import Repository
from tests.support.ledgers import make_league, make_plan, open_one

KEY = "match/a"
AGES_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(str(tmp_path / "single.db")) as database:
        yield database


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid


def status(repository: Repository) -> AttemptStatus:
    [attempt] = repository.get_match(KEY).attempts
    return attempt.status


def test_the_match_of_a_referee_that_is_gone_is_void(database: Database, dead: int) -> None:
    repository = Repository(database)
    repository.open_single(KEY, host=this_host(), worker=f"process {dead}")
    void_abandoned(repository)
    [attempt] = repository.get_match(KEY).attempts
    assert attempt.cause is VoidCause.INTERRUPTED


def test_another_process_that_has_its_number_now_does_not_play_it(database: Database) -> None:
    repository = Repository(database, now=lambda: AGES_AGO)
    repository.open_single(KEY, host=this_host(), worker=f"process {os.getppid()}")
    void_abandoned(repository)
    assert status(repository) is AttemptStatus.VOID


def test_what_is_being_played_goes_on(database: Database) -> None:
    repository = Repository(database)
    repository.open_single(KEY, host=this_host(), worker=this_worker())
    void_abandoned(repository)
    assert status(repository) is AttemptStatus.RUNNING


def test_of_other_hosts_nothing_is_known(database: Database, dead: int) -> None:
    repository = Repository(database)
    repository.open_single(KEY, host=f"not-{this_host()}", worker=f"process {dead}")
    void_abandoned(repository)
    assert status(repository) is AttemptStatus.RUNNING


def test_a_leagues_matches_are_the_leagues(database: Database, dead: int) -> None:
    repository = Repository(database)
    repository.create_league(make_league())
    open_one(repository, make_plan(), host=this_host(), worker=f"process {dead}")
    void_abandoned(repository)
    [attempt] = repository.attempts("demo")
    assert attempt.status is AttemptStatus.RUNNING
