"""Which database a command works with; and ``referee db``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from referee.cli.options import Database
from referee.cli.output import remark, say, warn

if TYPE_CHECKING:
    from referee.store.repository import Repository

app = typer.Typer(help="Look after the database.", no_args_is_help=True)


@app.command()
def upgrade(db: Database = None) -> None:
    """Bring the database to the schema of this referee; an empty one gets it."""
    from referee.store.engine import database_url, shown
    from referee.store.schema import Schema
    from referee.store.schema import upgrade as upgrade_schema

    before = upgrade_schema(db)
    done = {
        Schema.EMPTY: "has its tables now",
        Schema.OLDER: "is up to date now",
        Schema.CURRENT: "was up to date already",
    }
    say(f"database {shown(database_url(db))} {done[before]}")


@contextmanager
def opened(db: str | None, *, create: bool = False) -> Iterator[Repository]:
    """The ledger of ``--db``, ``REFEREE_DB`` or the default file; the last one is named.

    Without ``create`` it has to be there. Raises InputError and StoreError.
    """
    from referee.store.database import Database as Store
    from referee.store.engine import VARIABLE
    from referee.store.repository import Repository

    with Store.open(
        db, create=create, on_pause=lambda error: warn(f"{error}; trying again")
    ) as store:
        if db is None and not os.environ.get(VARIABLE):
            remark(f"database: {store.place} in this folder")
        yield Repository(store)


def again(db: str | None) -> str:
    """How a later command names the same database: its option, without a password."""
    from referee.store.engine import database_url, shown

    return "" if db is None else f" --db {shlex.quote(shown(database_url(db)))}"


def logs_of(db: str | None) -> Path:
    """Where the output of bots goes: a folder beside the database's file, else in this one."""
    from referee.store.engine import database_url

    url = database_url(db)
    file = Path(url.database or "") if url.drivername == "sqlite" else Path("referee")
    return file.with_name(f"{file.stem}-logs")
