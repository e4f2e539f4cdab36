"""A disk or database that fails in the middle of a league: nothing is half written, and when it
works again the same command completes the league."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.app import league as app_league
from referee.app.events import Event, MatchDone
from referee.app.league import open_league
from referee.app.logs import log_path
from referee.app.replay import check, load_match
from referee.core.errors import HostFault, StoreError
from referee.league.format import load_league
from referee.store import database as database_module
from referee.store.database import Database
from referee.store.entries import AttemptStatus, VoidCause
from referee.store.failures import PassingError
from referee.store.repository import Repository
from tests.support.bot_folders import make_bot, make_league
from tests.support.inline_pool import InlinePool
from tests.support.outcomes import Outcome, outcome

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

MATCHES = 4
SEED = bytes(range(32))


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return league_in(tmp_path)


def league_in(folder: Path) -> Path:
    bots = [make_bot(folder / name) for name in ("ann", "bob")]
    return make_league(folder, bots, deals=MATCHES // 2)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What the league comes to where nothing fails."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with Database.open(url(folder)) as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_league, "Pool", InlinePool)
        run(league_in(folder), database, lambda _: None)
        return outcome(Repository(database), "cup")


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_league, "Pool", InlinePool)


def url(tmp_path: Path) -> str:
    """Of a database that is not waited for when it is locked."""
    return f"sqlite:///{tmp_path / 'cup.db'}?timeout=0"


def run(league: Path, database: Database, on_event: Callable[[Event], None]) -> None:
    """Play the league, or go on with it."""
    opened = open_league(load_league(league), league.parent, Repository(database), SEED)
    logs = league.parent / "logs"
    opened.run(jobs=1, logs=logs, on_event=on_event, stop=threading.Event())


def fill_the_disk(database: Database) -> None:
    pragma(database, f"max_page_count = {pragma(database, 'page_count')}")
    # What is free within the file would be filled first.
    assert pragma(database, "freelist_count") == 0


def make_read_only(database: Database) -> None:
    pragma(database, "query_only = ON")


def pragma(database: Database, text: str) -> object:
    # One connection serves all transactions of a thread, so it holds for those that come.
    with database.engine.connect() as connection:
        result = connection.exec_driver_sql(f"PRAGMA {text}")
        return result.scalar() if result.returns_rows else None


@pytest.mark.parametrize(
    ("damage", "told"),
    [(fill_the_disk, "the disk is full"), (make_read_only, "read-only")],
)
def test_the_database_takes_no_more(
    tmp_path: Path,
    league: Path,
    undisturbed: Outcome,
    damage: Callable[[Database], None],
    told: str,
) -> None:
    with Database.open(url(tmp_path)) as database:
        with pytest.raises(StoreError, match=told) as caught:
            run(league, database, once(lambda: damage(database)))
        assert caught.value.exit_code == 5
    assert_whole(tmp_path, league, undisturbed)


def test_somebody_else_keeps_the_database_locked(
    tmp_path: Path, league: Path, undisturbed: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PAUSES", (0.0,))
    other = sqlite3.connect(tmp_path / "cup.db", isolation_level=None)
    locked = pytest.raises(StoreError, match="locked by another process")
    with Database.open(url(tmp_path)) as database, locked:
        run(league, database, once(lambda: other.execute("BEGIN IMMEDIATE")))
    other.close()
    assert_whole(tmp_path, league, undisturbed)


def test_somebody_else_locks_the_database_for_a_while(
    tmp_path: Path, league: Path, undisturbed: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PAUSES", (0.0, 0.0))
    other = sqlite3.connect(tmp_path / "cup.db", isolation_level=None)
    told: list[str] = []

    def unlock(error: PassingError) -> None:
        told.append(str(error))
        if len(told) == 2:
            other.execute("ROLLBACK")

    with Database.open(url(tmp_path), on_pause=unlock) as database:
        run(league, database, once(lambda: other.execute("BEGIN IMMEDIATE")))
        assert outcome(Repository(database), "cup") == undisturbed
        assert statuses(Repository(database)) == {AttemptStatus.COUNTED: MATCHES}
    assert [text.endswith("locked by another process") for text in told] == [True, True]
    other.close()


def test_no_room_for_temporary_files(
    tmp_path: Path, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Database.open(url(tmp_path)) as database:
        repository = Repository(database)
        with monkeypatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
            with pytest.raises(HostFault, match="was void 3 times, and") as caught:
                run(league, database, lambda _: None)
        assert caught.value.exit_code == 6
        attempts = list(repository.attempts("cup"))
        assert len(attempts) == 3 * MATCHES
        assert {attempt.cause for attempt in attempts} == {VoidCause.HOST}
        run(league, database, lambda _: None)
        assert len(repository.counted_keys("cup")) == MATCHES


def test_no_room_for_logs_is_no_harm(tmp_path: Path, league: Path) -> None:
    for rotation in range(2):
        log = log_path(tmp_path / "logs", "ann", f"cup/ann+bob/1/{rotation}#1")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.symlink_to("/dev/full")
    with Database.open(url(tmp_path)) as database:
        run(league, database, lambda _: None)
        assert len(Repository(database).counted_keys("cup")) == MATCHES
    assert all(log.is_symlink() for log in (tmp_path / "logs" / "ann").iterdir())


def once(damage: Callable[[], object]) -> Callable[[Event], None]:
    """Does the damage when the first match counts."""
    waiting = iter([damage])

    def on_event(event: Event) -> None:
        if isinstance(event, MatchDone):
            next(waiting, lambda: None)()

    return on_event


def assert_whole(tmp_path: Path, league: Path, undisturbed: Outcome) -> None:
    """One match counts, whole; then the league goes on to the end that it would have had."""
    with Database.open(url(tmp_path)) as database:
        repository = Repository(database)
        [key] = repository.counted_keys("cup")
        assert check(load_match(repository, key)) is None
        assert statuses(repository) == {AttemptStatus.COUNTED: 1, AttemptStatus.RUNNING: 1}
        run(league, database, lambda _: None)
        assert outcome(repository, "cup") == undisturbed
        assert statuses(repository) == {AttemptStatus.COUNTED: MATCHES, AttemptStatus.VOID: 1}


def statuses(repository: Repository) -> Counter[AttemptStatus]:
    return Counter(attempt.status for attempt in repository.attempts("cup"))
