"""Where the database is, and what is said when it cannot be there."""

import os
import sys
from pathlib import Path

import pytest
from sqlalchemy import event, text

from referee.core.errors import InputError, RefereeError, StoreError
from referee.store.database import Database
from referee.store.engine import database_url, shown


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("league.db", "sqlite:///league.db"),
        ("a folder/100%.db", "sqlite:///a folder/100%25.db"),
        ("sqlite:///league.db", "sqlite:///league.db"),
        ("postgresql://ann@host/elfer", "postgresql+psycopg://ann@host/elfer"),
        ("postgres://ann@host/elfer", "postgresql+psycopg://ann@host/elfer"),
        ("postgresql+psycopg://host/elfer", "postgresql+psycopg://host/elfer"),
    ],
)
def test_a_file_or_a_url_is_given(given: str, url: str) -> None:
    assert database_url(given).render_as_string() == url


def test_what_is_given_goes_before_the_environment_and_that_before_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REFEREE_DB", raising=False)
    assert shown(database_url()) == "elfer.db"
    monkeypatch.setenv("REFEREE_DB", "mine.db")
    assert shown(database_url()) == "mine.db"
    assert shown(database_url("other.db")) == "other.db"


@pytest.mark.parametrize(
    "given",
    [
        "",
        "sqlite://",
        "mysql://ann:secret@host/elfer",
        "postgresql+asyncpg://ann:secret@host/elfer",
        "postgresql://ann:secret@host:port/elfer",
        "postgresql://ann:se@cret@host/elfer",
        "://secret",
    ],
)
def test_a_url_that_cannot_be_is_refused_without_showing_its_password(given: str) -> None:
    with pytest.raises(InputError) as caught:
        database_url(given)
    assert "secret" not in str(caught.value)
    assert "cret@" not in str(caught.value)


def test_a_shown_url_has_no_secret() -> None:
    url = database_url("postgresql://ann:secret@host/elfer?password=secret&sslpassword=secret")
    assert shown(url) == "postgresql://ann:***@host/elfer"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".", "a folder, not a file"),
        ("missing/league.db", "there is no folder"),
        ("x" * 300, "cannot be opened: File name too long"),
    ],
)
def test_a_place_that_cannot_be(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=reason):
        Database.open(str(tmp_path / name))


def test_to_read_only_a_file_has_to_be_there(tmp_path: Path) -> None:
    file = tmp_path / "missing.db"
    with pytest.raises(StoreError, match=r"missing\.db: there is no such file"):
        Database.open(str(file), create=False)
    assert not file.exists()


def test_an_unreachable_server_is_named_without_its_password() -> None:
    with pytest.raises(StoreError) as caught:
        Database.open("postgresql://ann:secret@127.0.0.1:1/elfer")
    assert str(caught.value).startswith("database postgresql://ann:***@127.0.0.1:1/elfer: ")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"psycopg; run: pip install 'elfer-referee\[postgres\]'"):
        Database.open("postgresql://host/elfer")


def test_sqlite_keeps_its_promises(tmp_path: Path) -> None:
    with Database.open(str(tmp_path / "league.db")) as database, database.reading() as session:
        values = [
            session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert values == ["wal", 2, 1, 10_000]


def test_only_what_writes_locks_an_sqlite_file(tmp_path: Path) -> None:
    begun = []
    with Database.open(str(tmp_path / "league.db")) as database:
        event.listen(
            database.engine,
            "before_cursor_execute",
            lambda _c, _u, statement, *_: begun.append(statement),
        )
        with database.reading() as session:
            session.execute(text("SELECT 1"))
        with database.writing() as session:
            session.execute(text("SELECT 1"))
    assert begun == ["BEGIN", "SELECT 1", "BEGIN IMMEDIATE", "SELECT 1"]


def test_errors_of_the_store_have_its_exit_code(tmp_path: Path) -> None:
    with pytest.raises(RefereeError) as caught:
        Database.open(os.fspath(tmp_path))
    assert caught.value.exit_code == 5
