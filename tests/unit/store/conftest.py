"""Ledgers to test on: each test on every kind of database there is."""

from collections.abc import Iterator

import pytest

from referee.store.database import Database
from referee.store.repository import Repository


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    with Database.open(database_url) as database:
        yield database


@pytest.fixture
def repository(database: Database) -> Repository:
    return Repository(database)
