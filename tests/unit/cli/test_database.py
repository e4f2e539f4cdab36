"""Databases that cannot be used, and ``db upgrade``."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.store import database, engine
from tests.unit.cli.conftest import Run


def _make_too_new(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE referee_version SET version_num = 'tomorrow'")
    connection.close()


def _make_foreign(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()


def _cut(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:1000] + b"\xff" * 20_000)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (_make_too_new, "a newer referee made it"),
        (_make_foreign, "holds something else"),
        (_cut, "damaged"),
        (Path.unlink, "there is no such file"),
    ],
)
@pytest.mark.parametrize(
    "command", [["standings", "demo"], ["replay", "verify", "--league", "demo"]]
)
def test_what_is_wrong_is_one_line(
    run: Run, ledger: Path, command: list[str], spoil: Callable[[Path], None], told: str
) -> None:
    spoil(ledger)
    outcome = run(*command, "--db", ledger)
    assert (outcome.code, outcome.out) == (5, "")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err


def test_a_locked_database(run: Run, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "WAIT_SECONDS", 0)
    monkeypatch.setattr(database, "PAUSES", (0.0,))
    writer = sqlite3.connect(ledger, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    try:
        outcome = run("match", "run", *_samples(), "--db", ledger)
    finally:
        writer.close()
    assert (outcome.code, outcome.out) == (5, "")
    locked = f"database {ledger}: locked by another process"
    assert outcome.err == f"warning: {locked}; trying again\nerror: {locked}\n"


def test_a_database_that_is_opened_read_only(run: Run, ledger: Path) -> None:
    url = f"sqlite:///file:{ledger}?mode=ro&uri=true"
    assert run("standings", "demo", "--db", url).code == 0
    outcome = run("match", "run", *_samples(), "--db", url)
    assert (outcome.code, outcome.out) == (5, "")
    assert "read-only" in outcome.err


def _samples() -> list[Path]:
    folder = Path(__file__).parents[3] / "sample_bots" / "python" / "random"
    return [folder, folder]


def test_upgrade(run: Run, ledger: Path) -> None:
    assert run("db", "upgrade", "--db", "new.db").out == "database new.db has its tables now\n"
    outcome = run("db", "upgrade", "--db", ledger)
    assert outcome.out == f"database {ledger} was up to date already\n"
    assert run("league", "list", "--db", "new.db").out == "No leagues.\n"


def test_a_password_is_never_shown(run: Run) -> None:
    outcome = run("league", "list", "--db", "postgresql://me:s3cret@127.0.0.1:1/none")
    assert outcome.code == 5
    assert "s3cret" not in outcome.err
    assert "127.0.0.1" in outcome.err
