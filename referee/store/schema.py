"""Which schema a database has, and how it gets the one that this referee works with."""

from __future__ import annotations

from enum import Enum
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect

from referee.core.errors import StoreError
from referee.core.text import sanitise
from referee.store.engine import WRITES, database_url, open_engine, shown
from referee.store.failures import told

VERSION_TABLE: Final = "referee_version"
"""Not Alembic's own name: another project's database must not look like one of ours."""

_LOCK: Final = 0x656C666572
"""PostgreSQL's advisory lock for one upgrade at a time: 'elfer'."""


class Schema(Enum):
    """How a database's schema stands to this referee's."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"


def prepare(engine: Engine) -> None:
    """Make sure that the schema is this referee's own; an empty database gets it.

    Raises ``StoreError`` and changes nothing when the database is older, newer or not ours.
    """
    with told(shown(engine.url)), engine.connect() as connection:
        found = _schema(connection)
    match found:
        case Schema.EMPTY:
            _migrate(engine)
        case Schema.OLDER:
            raise StoreError(
                f"database {shown(engine.url)}: made by an older referee; run: referee db upgrade"
            )


def check(database: str | None = None) -> Schema:
    """How the schema of a database stands. Changes nothing.

    Raises ``StoreError`` when it is newer or not ours.
    """
    engine = open_engine(database_url(database), create=False)
    try:
        with told(shown(engine.url)), engine.connect() as connection:
            return _schema(connection)
    finally:
        engine.dispose()


def upgrade(database: str | None = None) -> Schema:
    """Bring a database to this referee's schema. Returns how it stood before.

    Raises ``StoreError`` when it is newer or not ours.
    """
    engine = open_engine(database_url(database), create=True)
    try:
        return _migrate(engine)
    finally:
        engine.dispose()


def migration_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, with the scripts in this package."""
    config = Config()
    config.set_main_option("script_location", "referee.store:migrations")
    config.attributes["connection"] = connection
    return config


def _migrate(engine: Engine) -> Schema:
    with told(shown(engine.url)), engine.execution_options(**{WRITES: True}).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # Another process may have done it since.
        found = _schema(connection)
        if found is not Schema.CURRENT:
            command.upgrade(migration_config(connection), "head")
    return found


def _schema(connection: Connection) -> Schema:
    """Raises ``StoreError`` when it is none that this referee knows."""
    place = shown(connection.engine.url)
    tables = inspect(connection).get_table_names()
    if not tables:
        return Schema.EMPTY
    if VERSION_TABLE not in tables:
        raise StoreError(f"database {place}: holds something else, not a referee's data")
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    revision = context.get_current_revision() or "none"
    scripts = ScriptDirectory.from_config(migration_config())
    if revision == scripts.get_current_head():
        return Schema.CURRENT
    if revision in {script.revision for script in scripts.walk_revisions()}:
        return Schema.OLDER
    raise StoreError(
        f"database {place}: its schema {sanitise(revision)} is unknown here; "
        "a newer referee made it, so use that one"
    )
