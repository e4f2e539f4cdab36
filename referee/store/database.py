"""A database that is open: its schema is right, its transactions are whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Self, TypeVar

from sqlalchemy import Engine, text
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
from referee.store.failures import PassingError, told
from referee.store.schema import prepare

PAUSES: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between the tries of a transaction that a lock or a lost server is in the way of."""

OnPause = Callable[[PassingError], object]
"""Is told why a transaction is tried again in a moment."""

T = TypeVar("T")


def _say_nothing(_: PassingError) -> None:
    """Wait without a word."""


class Database:
    """Hands out transactions. What a driver raises in one comes out as ``StoreError``."""

    def __init__(self, engine: Engine, on_pause: OnPause = _say_nothing) -> None:
        self.engine = engine
        self._on_pause = on_pause
        self.place = shown(engine.url)
        """The database's name for people."""
        self._file = file_of(engine.url)
        self._writer = engine.execution_options(**{WRITES: True})

    @classmethod
    def open(
        cls,
        database: str | None = None,
        *,
        create: bool = True,
        on_pause: OnPause = _say_nothing,
    ) -> Self:
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
        return cls(engine, on_pause)

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

    def write(self, work: Callable[[Session], T]) -> T:
        """Do ``work`` in one transaction, again where it met with what passes.

        What it does outside of its session it may do several times.
        """
        return self._again(lambda: self._write_once(work))

    def _again(self, step: Callable[[], T]) -> T:
        for pause in PAUSES:
            try:
                return step()
            except PassingError as error:
                self._on_pause(error)
                time.sleep(pause)
        return step()

    def _write_once(self, work: Callable[[Session], T]) -> T:
        transaction: str | None = None
        done: T
        try:
            with self.writing() as session:
                done = work(session)
                session.flush()
                transaction = self._transaction(session)
        except PassingError:
            # The server may have committed it and not have come to say so.
            if transaction is None or not self._settled(transaction):
                raise
        return done

    def _settled(self, transaction: str) -> bool:
        """Whether a transaction was committed. Raises ``StoreError`` where nobody can tell."""
        try:
            return self._again(lambda: self._committed(transaction))
        except PassingError as error:
            raise StoreError(
                f"database {self.place}: whether the last step was written is unknown: {error}"
            ) from error

    def _transaction(self, session: Session) -> str | None:
        """What a server knows the session's transaction by; a file needs nothing of the kind."""
        if self.engine.dialect.name != "postgresql":
            return None
        return str(session.scalar(text("SELECT pg_current_xact_id()::text")))

    def _committed(self, transaction: str) -> bool:
        with self.reading() as session:
            status = session.scalar(
                text("SELECT pg_xact_status(CAST(:xid AS xid8))"), {"xid": transaction}
            )
        if status == "in progress":
            raise PassingError(f"database {self.place}: a transaction is not over yet")
        return bool(status == "committed")
