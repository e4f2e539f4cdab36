"""What all tests share: options, platform marks, databases."""

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import sqlalchemy

# Machines differ in speed; a test's time limit is pytest's.
hypothesis.settings.register_profile("referee", deadline=None)
hypothesis.settings.load_profile("referee")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew instead of comparing with them",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("linux") and sys.platform != "linux":
        pytest.skip("needs Linux")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew (``make golden``)."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """URL of an empty PostgreSQL database that is this test's own.

    Made in the server that ``REFEREE_TEST_POSTGRES`` names; skipped without it, failed in CI.
    """
    server = os.environ.get("REFEREE_TEST_POSTGRES")
    if not server:
        if os.environ.get("CI") == "true":
            pytest.fail("REFEREE_TEST_POSTGRES is not set")
        pytest.skip("REFEREE_TEST_POSTGRES is not set")
    name = f"referee_{uuid.uuid4().hex}"
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
        url = sqlalchemy.make_url(server).set(database=name)
        yield url.render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of this test alone; the test runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'referee.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    return url
