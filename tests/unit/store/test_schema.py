"""A database's schema: made, recognised, refused."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import (
    Connection,
    MetaData,
    create_engine,
    insert,
    inspect,
    select,
    text,
    update,
)

from referee.core.errors import StoreError
from referee.match.conduct import Consequence, Infraction
from referee.store import schema
from referee.store.database import Database
from referee.store.engine import WRITES, open_engine
from referee.store.engine import database_url as url_of
from referee.store.entries import OpenAttempt, VoidCause
from referee.store.repository import Repository
from referee.store.schema import VERSION_TABLE, Schema
from referee.store.tables import AttemptRow, Base, InfractionRow
from tests.support.ledgers import make_league, make_plan, open_one, play_one
from tests.support.records import make_infraction


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


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Database]:
    """A match that counts, with infractions; one that is void; one that is being played."""
    with Database.open(str(tmp_path / "begun.db")) as database:
        repository = Repository(database)
        repository.create_league(make_league())
        infractions = [make_infraction(1), make_infraction(0, Infraction.FLOOD, strikes=2)]
        play_one(repository, make_plan(1), infractions=infractions, forfeits=[0])
        repository.void(open_one(repository, make_plan(2)), VoidCause.HOST, "no memory")
        open_one(repository, make_plan(2))
        yield database


@pytest.fixture
def older(database_url: str, begun: Database) -> str:
    """URL of a database of the first schema that holds what ``begun`` does."""
    engine = open_engine(url_of(database_url), create=True)
    with (
        begun.reading() as source,
        engine.execution_options(**{WRITES: True}).begin() as old,
    ):
        command.upgrade(schema.migration_config(old), "0001")
        there = inspect(old)
        for table in Base.metadata.sorted_tables:
            if not there.has_table(table.name):
                continue
            known = {column["name"] for column in there.get_columns(table.name)}
            for row in source.execute(table.select()).mappings():
                old.execute(insert(table), {key: row[key] for key in known})
    engine.dispose()
    return database_url


def test_an_older_database_is_named_and_can_be_upgraded(older: str) -> None:
    assert schema.check(older) is Schema.OLDER
    with pytest.raises(StoreError, match="older referee; run: referee db upgrade"):
        Database.open(older)
    assert schema.upgrade(older) is Schema.OLDER
    assert schema.check(older) is Schema.CURRENT


def test_an_upgrade_keeps_what_is_there(older: str, begun: Database) -> None:
    schema.upgrade(older)
    with Database.open(older) as database:
        upgraded, before = Repository(database), Repository(begun)
        assert upgraded.list_leagues() == before.list_leagues()
        assert list(upgraded.list_matches()) == list(before.list_matches())
        assert list(upgraded.infractions("demo")) == list(before.infractions("demo"))
        assert list(upgraded.attempts("demo")) == list(before.attempts("demo"))
        assert list(upgraded.records("demo")) == list(before.records("demo"))
        assert len(list(upgraded.infractions("demo"))) == 2


def test_an_upgraded_database_takes_what_is_new(older: str) -> None:
    schema.upgrade(older)
    with Database.open(older) as database:
        repository = Repository(database)
        with database.writing() as session:
            session.execute(update(InfractionRow).values(consequence=Consequence.RESTART))
            number = session.scalar(select(AttemptRow.id).where(AttemptRow.number == 2))
        assert {found.consequence for found in repository.infractions("demo")} == {
            Consequence.RESTART
        }
        assert number is not None
        running = OpenAttempt(number, make_plan(2).match_key, 2)
        repository.void(running, VoidCause.HOST, "", bot="ann", standing={"ann": 3, "bob": 0})
        assert repository.host_voids("demo") == {"ann": 1}
        with pytest.raises(StoreError), database.writing() as session:
            session.execute(text("UPDATE infractions SET consequence = 'rude'"))


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
