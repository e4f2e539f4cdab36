"""Disks that fill, files that lock, processes that are killed: old state or new, never half."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest
from sqlalchemy import Connection, create_engine, event, text, update
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from referee.core.errors import StoreError
from referee.store import database as database_module
from referee.store import engine
from referee.store.database import Database
from referee.store.entries import AttemptStatus, LeagueState
from referee.store.failures import PassingError, told
from referee.store.repository import Repository
from referee.store.tables import LeagueRow
from tests.support.databases import SERVERS
from tests.support.ledgers import make_league, make_plan, open_one, play_one
from tests.support.records import make_infraction, make_record, make_stored

ROOT = Path(__file__).parents[3]
RECORD = make_record("demo/ann+bob/1/0", infractions=[make_infraction(1)])


class Killed(BaseException):
    """What a test raises in the place of a kill."""


@pytest.fixture
def repository(repository: Repository) -> Repository:
    repository.create_league(make_league())
    return repository


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An SQLite ledger with one league."""
    file = tmp_path / "league.db"
    with Database.open(str(file)) as database:
        Repository(database).create_league(make_league())
    return file


def nothing_counts(repository: Repository) -> bool:
    (entry,) = repository.list_matches("demo")
    return (
        entry.running
        and entry.counted is None
        and not list(repository.infractions("demo"))
        and not list(repository.records("demo"))
    )


def test_a_kill_between_any_two_statements_leaves_the_old_state(
    repository: Repository, database: Database
) -> None:
    attempt = open_one(repository, make_plan())
    statements = 0
    kill_at = 0

    def count_down(*_: Any) -> None:
        nonlocal statements
        statements += 1
        if statements == kill_at:
            raise Killed

    event.listen(database.engine, "before_cursor_execute", count_down)
    repository.count(attempt, RECORD, make_stored(RECORD))
    whole = statements
    assert whole >= 6
    other = open_one(repository, make_plan(2))
    record = make_record(other.match_key, infractions=[make_infraction(1)])
    for statement in range(1, whole + 1):
        statements, kill_at = 0, statement
        with pytest.raises(Killed):
            repository.count(other, record, make_stored(record))
        kill_at = 0
        assert repository.counted_keys("demo") == {RECORD.match_key}
        assert [key for key, _ in repository.records("demo")] == [RECORD.match_key]
    statements = kill_at = 0
    repository.count(other, record, make_stored(record))
    assert len(repository.counted_keys("demo")) == 2


def test_a_commit_that_fails_leaves_the_old_state(
    repository: Repository, database: Database
) -> None:
    attempt = open_one(repository, make_plan())

    def fail(*_: Any) -> None:
        raise Killed

    event.listen(database.engine, "commit", fail)
    with pytest.raises(Killed):
        repository.count(attempt, RECORD, make_stored(RECORD))
    event.remove(database.engine, "commit", fail)
    assert nothing_counts(repository)
    repository.count(attempt, RECORD, make_stored(RECORD))
    assert repository.counted_keys("demo") == {RECORD.match_key}


def test_a_full_disk_leaves_the_old_state(file: Path) -> None:
    with Database.open(str(file)) as database:
        repository = Repository(database)
        attempt = open_one(repository, make_plan())
        record = make_record(attempt.match_key, answer_us=range(1000))

        def fill_disk(connection: Any, *_: Any) -> None:
            connection.execute("PRAGMA max_page_count = 1")

        event.listen(database.engine, "checkout", fill_disk)
        with pytest.raises(StoreError, match="the disk is full; nothing of this step was written"):
            repository.count(attempt, record, make_stored(record))
        assert nothing_counts(repository)


@pytest.mark.parametrize("replaced", [False, True])
def test_what_goes_to_a_file_without_a_name_is_not_called_written(
    file: Path, replaced: bool
) -> None:
    with Database.open(str(file)) as database:
        repository = Repository(database)
        open_one(repository, make_plan())
        file.rename(file.with_name("moved.db"))
        if replaced:
            Database.open(str(file)).close()
        with pytest.raises(
            StoreError, match=r"league\.db: the file was moved, removed or replaced"
        ):
            open_one(repository, make_plan(2))


KILLED_BEFORE_THE_COMMIT = """
import os, signal, sys
from sqlalchemy import event
from referee.store.database import Database
from referee.store.repository import Repository
from tests.support.ledgers import make_plan, open_one
from tests.support.records import make_record, make_stored

database = Database.open(sys.argv[1])
repository = Repository(database)
attempt = open_one(repository, make_plan())
record = make_record(attempt.match_key)
event.listen(database.engine, "commit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
repository.count(attempt, record, make_stored(record))
"""


@pytest.mark.linux
def test_a_referee_that_is_killed_before_the_commit_leaves_the_old_state(file: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", KILLED_BEFORE_THE_COMMIT, file], cwd=ROOT, timeout=30
    )
    assert child.returncode == -signal.SIGKILL
    with Database.open(str(file)) as database:
        repository = Repository(database)
        assert nothing_counts(repository)
        repository.take_lease("demo", lambda _: True, host="here", worker="2")
        (left,) = repository.attempts("demo")
        assert left.status is AttemptStatus.VOID
        play_one(repository, make_plan())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits, neither for a lock nor between two tries, of which there are three."""
    monkeypatch.setattr(engine, "WAIT_SECONDS", 0.1)
    monkeypatch.setattr(database_module, "PAUSES", (0.0, 0.0))


@pytest.mark.usefixtures("quick")
def test_a_lock_that_another_holds_too_long_is_named(database_url: str) -> None:
    told: list[str] = []
    with (
        Database.open(database_url, on_pause=lambda error: told.append(str(error))) as ours,
        Database.open(database_url) as theirs,
    ):
        repository = Repository(ours)
        repository.create_league(make_league())
        with theirs.writing() as session:
            session.execute(update(LeagueRow).values(state=LeagueState.FINISHED))
            with pytest.raises(StoreError, match="locked by another process"):
                repository.set_league("demo", LeagueState.PAUSED)
            assert len(told) == 2
            assert all("locked by another process" in text for text in told)
            # To read goes on.
            assert repository.get_league("demo").state is LeagueState.OPEN
            session.rollback()
        repository.set_league("demo", LeagueState.PAUSED)


@pytest.mark.usefixtures("quick")
def test_a_lock_that_passes_is_waited_for(database_url: str) -> None:
    lock = ExitStack()
    with (
        Database.open(database_url) as theirs,
        Database.open(database_url, on_pause=lambda _: lock.close()) as ours,
    ):
        repository = Repository(ours)
        repository.create_league(make_league())
        session = lock.enter_context(theirs.writing())
        session.execute(update(LeagueRow).values(reason="none"))
        assert open_one(repository, make_plan()).number == 1
        assert len(list(repository.attempts("demo"))) == 1


class Server:
    """What befalls connections to a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)

    def lose(self, process: int | None) -> None:
        """As when the server is stopped."""
        with self._engine.begin() as connection:
            connection.execute(text(f"SELECT pg_terminate_backend({process})"))

    def close(self) -> None:
        self._engine.dispose()


def served_by(connection: Connection | Session) -> int | None:
    """The server's process at the other end."""
    process: int | None = connection.scalar(text("SELECT pg_backend_pid()"))
    return process


@pytest.fixture
def server(database_url: str) -> Iterator[Server]:
    server = Server(database_url)
    yield server
    server.close()


@pytest.mark.parametrize("database_url", SERVERS, indirect=True)
@pytest.mark.usefixtures("quick")
def test_a_connection_that_is_lost_is_made_again(
    repository: Repository, database: Database, server: Server
) -> None:
    attempt = open_one(repository, make_plan())
    lost = iter([True, False])

    def lose(connection: Connection, *_: Any) -> None:
        if next(lost, False):
            server.lose(served_by(connection))

    event.listen(database.engine, "before_cursor_execute", lose)
    repository.count(attempt, RECORD, make_stored(RECORD))
    event.remove(database.engine, "before_cursor_execute", lose)
    assert repository.counted_keys("demo") == {RECORD.match_key}
    # Between two transactions nobody notices at all.
    with database.reading() as session:
        process = served_by(session)
    server.lose(process)
    open_one(repository, make_plan(2))


@pytest.mark.parametrize("database_url", SERVERS, indirect=True)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("committed", [True, False])
def test_a_commit_of_which_nothing_is_heard_counts_once(
    repository: Repository, database: Database, server: Server, committed: bool
) -> None:
    attempt = open_one(repository, make_plan())
    commits = 0

    def lose(connection: Connection) -> None:
        nonlocal commits
        commits += 1
        if commits > 1:
            return
        if committed:
            connection.connection.commit()
        else:
            server.lose(served_by(connection))
        raise OperationalError("COMMIT", None, psycopg.OperationalError("no answer"))

    event.listen(database.engine, "commit", lose)
    repository.count(attempt, RECORD, make_stored(RECORD))
    assert commits == (1 if committed else 2)
    (entry,) = repository.attempts("demo")
    assert entry.status is AttemptStatus.COUNTED
    assert len(list(repository.records("demo"))) == 1


@pytest.mark.parametrize("database_url", SERVERS, indirect=True)
@pytest.mark.usefixtures("quick")
def test_a_commit_that_nobody_can_tell_of_is_not_tried_again(
    repository: Repository, database: Database, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = open_one(repository, make_plan())

    def lose(connection: Connection) -> None:
        connection.connection.commit()
        raise OperationalError("COMMIT", None, psycopg.OperationalError("no answer"))

    def stay_away(_: object) -> NoReturn:
        raise PassingError("no server")

    event.listen(database.engine, "commit", lose)
    with monkeypatch.context() as patch:
        patch.setattr(database, "_committed", stay_away)
        with pytest.raises(StoreError, match="whether the last step was written is unknown") as no:
            repository.count(attempt, RECORD, make_stored(RECORD))
    assert not isinstance(no.value, PassingError)
    assert repository.counted_keys("demo") == {RECORD.match_key}


def read_only(url: str) -> str:
    if url.startswith("sqlite"):
        return f"sqlite:///file:{url.removeprefix('sqlite:///')}?mode=ro&uri=true"
    return url.replace("options=", "options=-c default_transaction_read_only%3Don ")


def test_a_read_only_database_can_be_read(repository: Repository, database_url: str) -> None:
    play_one(repository, make_plan())
    with Database.open(read_only(database_url)) as database:
        unwritable = Repository(database)
        assert len(list(unwritable.results("demo"))) == 1
        with pytest.raises(StoreError, match=r": read-only$"):
            open_one(unwritable, make_plan(2))


@pytest.mark.parametrize("content", [b"name = 'demo'\n" * 100, bytes(4096), b"SQLite format 3\0"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "league.toml"
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"league\.toml: not a database"):
        Database.open(str(file))
    assert file.read_bytes() == content


def test_a_truncated_database_is_damaged(file: Path) -> None:
    with file.open("r+b") as handle:
        handle.truncate(8192)
    with pytest.raises(StoreError, match="the file is damaged"), Database.open(str(file)) as cut:
        list(Repository(cut).list_matches())


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (sqlite3.OperationalError("odd\x1b thing\nand more"), r"odd\\x1b thing"),
        (sqlite3.OperationalError(""), ""),
    ],
)
def test_what_is_not_known_is_told_in_the_drivers_words(cause: sqlite3.Error, reason: str) -> None:
    with pytest.raises(StoreError, match=f"^database here: {reason}$"), told("here"):
        raise DBAPIError("SELECT", None, cause)


def test_what_is_no_database_error_passes() -> None:
    with pytest.raises(Killed), told("here"):
        raise Killed
