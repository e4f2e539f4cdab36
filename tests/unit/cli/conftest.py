"""What the tests of commands share: a command line without a process, and a ledger."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.app.ed25519 import SigningKey
from referee.app.signing import new_key
from referee.cli.main import main
from referee.match.conduct import Infraction
from referee.store.database import Database
from referee.store.entries import VoidCause
from referee.store.repository import Repository
from tests.support import ledgers, played
from tests.support.records import make_infraction


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command line in an empty folder, with no database named around it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_DB", raising=False)

    def run_line(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run_line


@pytest.fixture(scope="session")
def _ledger_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ledger") / "ledger.db"
    played.make_ledger(file)
    return file


@pytest.fixture
def ledger(_ledger_template: Path, tmp_path: Path) -> Path:
    """A database of this test's own with the finished league ``demo`` of four matches."""
    file = tmp_path / "ledger.db"
    shutil.copy(_ledger_template, file)
    return file


@pytest.fixture
def open_ledger(tmp_path: Path) -> Path:
    """A league that goes on: one match with infractions counts, one attempt was void."""
    file = tmp_path / "open.db"
    with repository_of(file) as repository:
        league = played.league_format()
        played.open_league(repository, league)
        first, second, *_ = played.plans(league)
        ledgers.play_one(
            repository,
            first,
            infractions=[
                make_infraction(0, Infraction.LATE, detail="2.1 s\x1b[2J"),
                make_infraction(0, Infraction.ILLEGAL, strikes=2, detail=""),
            ],
            forfeits=[1],
        )
        repository.void(ledgers.open_one(repository, second), VoidCause.HOST, "no memory")
    return file


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    """The operator's key, in a folder of this test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return new_key()


@contextmanager
def repository_of(file: Path) -> Iterator[Repository]:
    with Database.open(str(file)) as database:
        yield Repository(database)
