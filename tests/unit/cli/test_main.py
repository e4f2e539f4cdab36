"""The command line as a whole: help, version, and what becomes of errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.app.logs import log_path
from referee.cli import league
from referee.core.errors import (
    HostFault,
    InputError,
    NotFoundError,
    RefereeError,
    StoreError,
    VerificationError,
)
from tests.unit.cli.conftest import Run

REFEREE = [
    sys.executable,
    "-c",
    "import sys; from referee.cli.main import main; sys.exit(main())",
]
COMMANDS = ["play", "match", "league", "standings", "crosstable", "infractions", "attempts"]
GROUPS = {
    "match": ["run", "list", "show"],
    "league": ["run", "plan", "list", "schema"],
    "bot": ["log", "rerun"],
    "replay": ["show", "explain", "verify", "export", "import"],
    "db": ["upgrade"],
}


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"referee {referee.__version__}\n", "")


def test_help_lists_every_command(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    assert [name for name in [*COMMANDS, *GROUPS] if name not in outcome.out] == []


@pytest.mark.parametrize(
    "command",
    [[name] for name in COMMANDS] + [[group, name] for group in GROUPS for name in GROUPS[group]],
    ids=" ".join,
)
def test_every_command_has_help(run: Run, command: list[str]) -> None:
    outcome = run(*command, "--help")
    assert outcome.code == 0
    assert "Usage: referee" in outcome.out


@pytest.mark.parametrize("command", [[], ["bot"], ["bot", "log"]])
def test_a_flag_has_no_type(run: Run, command: list[str]) -> None:
    for name in ("-h", "--help"):
        outcome = run(*command, name)
        assert outcome.code == 0
        assert "bool" not in outcome.out


def test_no_command_shows_the_help(run: Run) -> None:
    outcome = run()
    assert outcome.code == 2
    assert "standings" in outcome.out
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["standing"], "Did you mean 'standings'?"),
        (["standings", "demo", "--cvs"], "--cvs"),
        (["standings"], "LEAGUE"),
        (["match", "run", "a", "b", "--games", "0"], "--games"),
        (["replay", "export", "x", "--format", "xml"], "json"),
    ],
)
def test_a_wrong_command_line_is_one_line(run: Run, arguments: list[str], told: str) -> None:
    outcome = run(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RefereeError("so it is"), 1),
        (InputError("so it is"), 2),
        (NotFoundError("so it is"), 3),
        (VerificationError("so it is"), 4),
        (StoreError("so it is"), 5),
        (HostFault("so it is"), 6),
    ],
)
def test_an_error_is_a_line_and_a_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: RefereeError, code: int
) -> None:
    _fail_with(monkeypatch, error)
    assert run("league", "list") == (code, "", "error: so it is\n")


def test_every_complaint_has_its_own_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _fail_with(monkeypatch, InputError("one\ntwo"))
    assert run("league", "list").err == "error: one\nerror: two\n"


def test_verbose_shows_the_traceback_wherever_it_stands(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail_with(monkeypatch, InputError("so it is"))
    for line in (["--verbose", "league", "list"], ["league", "list", "--verbose"]):
        outcome = run(*line)
        assert outcome.code == 2
        assert "Traceback" in outcome.err
        assert outcome.err.endswith("error: so it is\n")


def test_an_unexpected_error_is_said_to_be_our_bug(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail_with(monkeypatch, KeyError("seat\x1b[2J"))
    outcome = run("league", "list")
    assert outcome.code == 70
    assert outcome.err.count("\n") == 1
    assert "a fault of the referee itself" in outcome.err
    assert "--verbose" in outcome.err
    assert "\x1b" not in outcome.err
    assert "Traceback" in run("league", "list", "--verbose").err


def test_ctrl_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _fail_with(monkeypatch, KeyboardInterrupt())
    assert run("league", "list").code == 130


def _fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(league, "opened", fail)


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nowhere:
        outcome = subprocess.run(
            [*REFEREE, "league", "schema"], stdout=nowhere, stderr=subprocess.PIPE, timeout=50
        )
    assert (outcome.returncode, outcome.stderr) == (1, b"")


def test_a_terminal_of_a_small_alphabet_shows_escapes(ledger: Path, tmp_path: Path) -> None:
    log = log_path(tmp_path / "ledger-logs", "ann", "sitting")
    log.parent.mkdir(parents=True)
    log.write_text("- | gr\u00fc\u00dfe\n", encoding="utf-8")
    outcome = subprocess.run(
        [*REFEREE, "bot", "log", "ann", "--db", str(ledger)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=50,
    )
    assert (outcome.returncode, outcome.stdout) == (0, b"- | gr\\xfc\\xdfe\n")
