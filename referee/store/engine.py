"""Where the database is, and a SQLAlchemy engine that keeps the ledger's promises on it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from referee.core.errors import InputError, StoreError
from referee.core.text import sanitise

VARIABLE: Final = "REFEREE_DB"
DEFAULT: Final = "sqlite:///elfer.db"
WAIT_SECONDS: Final = 10
"""How long to wait for another process's lock, or for a server to answer."""

WRITES: Final = "referee_writes"
"""The execution option of connections whose transactions write."""

_POSTGRESQL: Final = "postgresql+psycopg"
_DRIVERS: Final = {
    "sqlite": "sqlite",
    "postgres": _POSTGRESQL,
    "postgresql": _POSTGRESQL,
    _POSTGRESQL: _POSTGRESQL,
}
_FORMS: Final = "a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"


def database_url(given: str | None = None) -> URL:
    """The database to use: ``given``, else ``REFEREE_DB``, else ``elfer.db`` in this folder.

    A text without ``://`` is a file's path. Raises ``InputError``, which never shows the text:
    it may hold a password.
    """
    text = given if given is not None else os.environ.get(VARIABLE) or DEFAULT
    if not text:
        raise InputError(f"the database's name is empty; allowed: {_FORMS}")
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise InputError(f"the database's URL cannot be read; allowed: {_FORMS}") from None
    driver = _DRIVERS.get(url.drivername)
    if driver is None:
        raise InputError(f"no database is known as {sanitise(url.drivername)}; allowed: {_FORMS}")
    if "@" in (url.host or ""):
        raise InputError("the database's URL has more than one @; within a password write %40")
    if driver == "sqlite" and not url.database:
        raise InputError(f"the database's URL names no file; allowed: {_FORMS}")
    return url.set(drivername=driver)


def shown(url: URL) -> str:
    """The database's name for people: no password, and no options, which may hold one."""
    if url.drivername == "sqlite":
        return sanitise(url.database or "")
    return sanitise(url.set(drivername="postgresql", query={}).render_as_string())


def open_engine(url: URL, *, create: bool) -> Engine:
    """An engine for ``url``. Without ``create`` an SQLite file has to be there.

    Raises ``StoreError`` when it cannot be.
    """
    if url.drivername == "sqlite":
        _check_file(url, create=create)
        return _sqlite_engine(url)
    return _postgresql_engine(url)


def _check_file(url: URL, *, create: bool) -> None:
    if "uri" in url.query:
        return
    file = Path(url.database or "")
    try:
        if file.is_dir():
            raise StoreError(f"database {shown(url)}: a folder, not a file")
        if not file.parent.is_dir():
            folder = sanitise(str(file.parent))
            raise StoreError(f"database {shown(url)}: there is no folder {folder}")
        if not create and not file.exists():
            raise StoreError(f"database {shown(url)}: there is no such file")
    except OSError as error:
        raise StoreError(f"database {shown(url)}: cannot be opened: {error.strerror}") from error


def file_of(url: URL) -> tuple[int, int] | None:
    """Which file an SQLite database is, so that it is noticed when that is gone."""
    if url.drivername != "sqlite" or "uri" in url.query:
        return None
    try:
        status = Path(url.database or "").stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _sqlite_engine(url: URL) -> Engine:
    # The URL may say another timeout.
    options = {} if "timeout" in url.query else {"timeout": WAIT_SECONDS}
    engine = create_engine(url, connect_args=options, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    # The driver's own BEGIN would come late and leave out schema changes: _begin_sqlite says it.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and locks later can fail in the middle: lock at once.
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def keep_write_ahead_log(engine: Engine) -> None:
    """Let readers go on while somebody writes, where the database is an SQLite file.

    The file remembers it. While another process reads it cannot be changed; that is no harm,
    since nothing depends on it and the next to open the file tries again.
    """
    if engine.dialect.name != "sqlite":
        return
    connection = engine.raw_connection()
    try:
        with suppress(sqlite3.OperationalError):
            connection.cursor().execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _postgresql_engine(url: URL) -> Engine:
    options = {} if "connect_timeout" in url.query else {"connect_timeout": WAIT_SECONDS}
    try:
        # A server may have been started anew since the last transaction.
        engine = create_engine(url, connect_args=options, hide_parameters=True, pool_pre_ping=True)
    except ImportError:
        raise StoreError(
            f"database {shown(url)}: PostgreSQL needs psycopg; "
            "run: pip install 'elfer-referee[postgres]'"
        ) from None
    event.listen(engine, "begin", _begin_postgresql)
    return engine


def _begin_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{WAIT_SECONDS}s'")
