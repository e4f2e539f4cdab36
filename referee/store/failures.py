"""What went wrong with the database, told in one line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError

from referee.core.errors import StoreError
from referee.core.text import sanitise

_SQLITE: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_BUSY: "locked by another process",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: no access to the file or its folder",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this step was written",
    sqlite3.SQLITE_IOERR: "the disk failed to read or write",
    sqlite3.SQLITE_NOTADB: "not a database",
    sqlite3.SQLITE_PERM: "no access",
    sqlite3.SQLITE_READONLY: "read-only",
}
_POSTGRESQL: Final[Mapping[str, str]] = {
    "25006": "read-only",
    "42501": "this user may not do that",
    "53100": "the server's disk is full; nothing of this step was written",
    "55P03": "locked by another process",
}


class AlreadyCountedError(StoreError):
    """An attempt at this match counts already; another cannot."""

    def __init__(self, match_key: str) -> None:
        super().__init__(f"{match_key}: an attempt at this match counts already")


class NotRunningError(StoreError):
    """This attempt was closed by somebody else, so it can be neither counted nor voided."""

    def __init__(self, match_key: str, number: int) -> None:
        super().__init__(
            f"{match_key}: attempt {number} is not running any more; "
            "does another referee play the same league?"
        )


@contextmanager
def told(place: str) -> Iterator[None]:
    """Raise what a database driver raises as a ``StoreError`` that names ``place``."""
    try:
        yield
    except DBAPIError as error:
        raise StoreError(f"database {place}: {_reason(error.orig)}") from error


def _reason(error: BaseException | None) -> str:
    if isinstance(error, sqlite3.Error):
        # The low byte is the kind, the rest a detail of it.
        known = _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    else:
        known = _POSTGRESQL.get(getattr(error, "sqlstate", None) or "")
    return known or sanitise(str(error).partition("\n")[0])
