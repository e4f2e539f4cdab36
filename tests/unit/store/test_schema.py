"""A database's schema: made, recognised, refused."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, create_engine, inspect, text

from referee.core.errors import StoreError
from referee.store import schema
from referee.store.database import Database
from referee.store.engine import database_url as url_of
from referee.store.engine import open_engine
from referee.store.schema import VERSION_TABLE, Schema
from referee.store.tables import Base


def execute(url: str, *statements: str) -> None:
    engine = create_engine(url_of(url))
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
    finally:
        engine.dispose()


def test_models_and_migrations_agree(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []


def index_text(index: Any) -> str:
    condition = {name: str(value) for name, value in index.pop("dialect_options", {}).items()}
    return f"{index} {condition}"


def names_and_checks(connection: Connection) -> dict[str, Any]:
    """What Alembic does not compare: checks, partial indexes, names of keys."""
    found = inspect(connection)
    return {
        table: {
            "checks": sorted((c["name"], c["sqltext"]) for c in found.get_check_constraints(table)),
            "indexes": sorted(map(index_text, found.get_indexes(table))),
            "unique": sorted(map(repr, found.get_unique_constraints(table))),
            "primary": found.get_pk_constraint(table),
            "foreign": sorted(map(repr, found.get_foreign_keys(table))),
        }
        for table in Base.metadata.tables
    }


def test_constraints_of_models_and_migrations_agree(database: Database) -> None:
    with database.engine.connect() as connection:
        migrated = names_and_checks(connection)
    engine = database.engine
    everything = MetaData()
    with engine.begin() as connection:
        everything.reflect(connection)
        everything.drop_all(connection)
        Base.metadata.create_all(connection)
        modelled = names_and_checks(connection)
    assert migrated == modelled
    assert modelled["attempts"]["checks"]


def test_every_constraint_has_a_name(database: Database) -> None:
    for table in Base.metadata.tables.values():
        assert all(constraint.name for constraint in table.constraints), table.name


def test_a_new_database_gets_the_schema_once(database_url: str) -> None:
    Database.open(database_url).close()
    assert schema.check(database_url) is Schema.CURRENT
    assert schema.upgrade(database_url) is Schema.CURRENT
    Database.open(database_url).close()


def test_upgrade_makes_the_schema(database_url: str) -> None:
    assert schema.upgrade(database_url) is Schema.EMPTY
    assert schema.check(database_url) is Schema.CURRENT


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    file = tmp_path / "league.db"
    file.touch()
    assert schema.check(str(file)) is Schema.EMPTY
    Database.open(str(file)).close()
    assert schema.check(str(file)) is Schema.CURRENT


def test_an_older_database_is_named_and_can_be_upgraded(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Database.open(database_url).close()
    monkeypatch.setattr(ScriptDirectory, "get_current_head", lambda _scripts: "0002")
    assert schema.check(database_url) is Schema.OLDER
    with pytest.raises(StoreError, match="older referee; run: referee db upgrade"):
        Database.open(database_url)
    assert schema.upgrade(database_url) is Schema.OLDER


@pytest.mark.parametrize("revision", ["9999", "\x1b[2J"])
def test_a_newer_database_is_refused_by_name(database_url: str, revision: str) -> None:
    Database.open(database_url).close()
    execute(database_url, f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'")
    for use in (Database.open, schema.check, schema.upgrade):
        with pytest.raises(StoreError, match="unknown here; a newer referee made it") as caught:
            use(database_url)
        assert "\x1b" not in str(caught.value)


def test_a_database_without_its_version_is_refused(database_url: str) -> None:
    Database.open(database_url).close()
    execute(database_url, f"DELETE FROM {VERSION_TABLE}")
    with pytest.raises(StoreError, match="schema none is unknown"):
        Database.open(database_url)


def test_another_programs_database_is_refused_and_left_alone(database_url: str) -> None:
    execute(
        database_url,
        "CREATE TABLE alembic_version (version_num VARCHAR(32))",
        "INSERT INTO alembic_version VALUES ('0001')",
    )
    for use in (Database.open, schema.check, schema.upgrade):
        with pytest.raises(StoreError, match="holds something else"):
            use(database_url)
    engine = create_engine(database_url)
    assert inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()


def test_another_programs_file_keeps_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "bookmarks.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE bookmarks (address TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StoreError, match="holds something else"):
        Database.open(str(file))
    assert file.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["bookmarks.db"]


def test_several_at_once_make_it_once(database_url: str) -> None:
    together = threading.Barrier(4)
    failures: list[BaseException] = []

    def open_it() -> None:
        together.wait(timeout=30)
        try:
            Database.open(database_url).close()
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert failures == []
    assert schema.check(database_url) is Schema.CURRENT


def test_a_migration_that_fails_leaves_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade

    def fail_at_the_end(*arguments: Any) -> None:
        upgrade(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "upgrade", fail_at_the_end)
    with pytest.raises(KeyboardInterrupt):
        Database.open(database_url)
    engine = open_engine(url_of(database_url), create=False)
    assert inspect(engine).get_table_names() == []
    engine.dispose()
