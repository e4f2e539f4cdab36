"""What all tests share: options, platform marks, databases."""

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import sqlalchemy

from tests.support.databases import KINDS

# Machines differ in speed, so a test's time limit is pytest's. CI looks at the same examples
# every time; elsewhere each run looks at new ones. A failure prints what reproduces it.
hypothesis.settings.register_profile(
    "referee",
    deadline=None,
    database=None,
    derandomize=os.environ.get("CI") == "true",
    print_blob=True,
)
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


@pytest.fixture(autouse=True, scope="session")
def _no_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is signed with a key of who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "no-config"))
        yield


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """URL of an empty PostgreSQL schema that is this test's own.

    Made in the database that ``REFEREE_TEST_POSTGRES`` names: a database takes a second to make.
    """
    server = os.environ.get("REFEREE_TEST_POSTGRES")
    if not server:
        pytest.fail("REFEREE_TEST_POSTGRES is not set")
    name = f"referee_{uuid.uuid4().hex}"
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(f"CREATE SCHEMA {name}"))
        options = {"options": f"-c search_path={name}"}
        url = sqlalchemy.make_url(server).update_query_dict(options)
        yield url.render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text(f"DROP SCHEMA {name} CASCADE"))
    finally:
        engine.dispose()


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of this test alone; the test runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'referee.sqlite3'}"
    url: str = request.getfixturevalue("postgres_url")
    return url
