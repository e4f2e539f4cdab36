"""What went wrong with the database, told in one line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, OperationalError

from referee.core.errors import InputError, StoreError
from referee.core.text import sanitise
from referee.store.entries import HeldLease, LeagueState

_LOCKED: Final = "locked by another process"
_SQLITE: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
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
    "40P01": "locked by another process, which waited for us",
    "55P03": _LOCKED,
    "57P01": "the server was stopped",
    "57P03": "the server is starting or stopping",
}
_PASSING_SQLITE: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PASSING_POSTGRESQL: Final = ("08", "40001", "40P01", "53300", "55P03", "57P")
"""How the codes begin of what may be over in a moment: lost connections, locks, restarts."""


class PassingError(StoreError):
    """The database did not serve just now; it may when it is tried again."""


class AlreadyCountedError(StoreError):
    """An attempt at this match counts already; another cannot."""

    def __init__(self, match_key: str) -> None:
        super().__init__(f"{match_key}: an attempt at this match counts already")


class LeagueOverError(InputError):
    """A league that is finished or cancelled is to be played."""

    def __init__(self, league: str, state: LeagueState, reason: str) -> None:
        why = f" ({reason})" if reason else ""
        super().__init__(f"league {league} is {state}{why}: nothing of it is to be played any more")


class LeaseLostError(StoreError):
    """Another process has taken the league over, so this one may not write to it any more."""

    def __init__(self, league: str, held: HeldLease | None) -> None:
        by = "" if held is None else f" by {held.lease.worker} on {held.lease.host}"
        super().__init__(
            f"league {league} was taken over{by}, as nothing was heard of this process; "
            "what was being played here is void"
        )


class NotToBePlayedError(StoreError):
    """A match of a league that was cancelled, or of a bot that left it."""

    def __init__(self, match_key: str) -> None:
        super().__init__(f"{match_key} is not to be played any more")


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
        kind = PassingError if _passes(error) else StoreError
        raise kind(f"database {place}: {_reason(error.orig)}") from error


def _passes(error: DBAPIError) -> bool:
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_kind(error.orig) in _PASSING_SQLITE
    code = getattr(error.orig, "sqlstate", None)
    # Where no connection could be made there is no code.
    lost = code is None and isinstance(error, OperationalError)
    return lost or error.connection_invalidated or (code or "").startswith(_PASSING_POSTGRESQL)


def _sqlite_kind(error: sqlite3.Error) -> int:
    # The low byte is the kind, the rest a detail of it.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: BaseException | None) -> str:
    if isinstance(error, sqlite3.Error):
        known = _SQLITE.get(_sqlite_kind(error))
    else:
        known = _POSTGRESQL.get(getattr(error, "sqlstate", None) or "")
    return known or sanitise(str(error).partition("\n")[0])
