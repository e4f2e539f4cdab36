"""A database that is open: its schema is right, its transactions are whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from referee.core.errors import StoreError
from referee.store.engine import (
    WRITES,
    database_url,
    file_of,
    keep_write_ahead_log,
    open_engine,
    shown,
)
from referee.store.failures import told
from referee.store.schema import prepare


class Database:
    """Hands out transactions. What a driver raises in one comes out as ``StoreError``."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.place = shown(engine.url)
        """The database's name for people."""
        self._file = file_of(engine.url)
        self._writer = engine.execution_options(**{WRITES: True})

    @classmethod
    def open(cls, database: str | None = None, *, create: bool = True) -> Self:
        """Open a database, see ``database_url``. An empty one gets its tables.

        Without ``create`` an SQLite file has to be there. Raises ``InputError`` and
        ``StoreError``.
        """
        engine = open_engine(database_url(database), create=create)
        try:
            prepare(engine)
            keep_write_ahead_log(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine)

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One consistent sight of the data (of each statement, on PostgreSQL)."""
        with told(self.place), Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it is written when the block ends, or nothing."""
        with told(self.place), Session(self._writer) as session, session.begin():
            yield session
        # SQLite goes on in a file that has lost its name, which then nobody will ever read.
        if file_of(self.engine.url) != self._file:
            raise StoreError(
                f"database {self.place}: the file was moved, removed or replaced while it was open"
            )
