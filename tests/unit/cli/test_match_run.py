"""``match run``: what it refuses, and one real match."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli.match import MOST_TOLD
from tests.support.bot_folders import make_bot
from tests.unit.cli.conftest import Run

SAMPLES = Path(__file__).parents[3] / "sample_bots" / "python"
RANDOM, GREEDY = SAMPLES / "random", SAMPLES / "greedy"
PAIR = [RANDOM, GREEDY]
LONG = "x" * 300
PASSES = """
from elfer import Bot, run


class Passes(Bot):
    def answer(self, turn):
        return []


run(Passes)
"""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([RANDOM], "1 bot: allowed are 2 to 6"),
        ([RANDOM] * 7, "7 bots: allowed are 2 to 6"),
        ([*PAIR, "--profile", "skat"], "there is no 'skat'; allowed: ravensburger"),
        ([*PAIR, "--profile", "custom"], "'custom' is for league files, which fill the slots"),
        ([*PAIR, "--profile", "ravensburger@9"], "there is no version '9'"),
        ([*PAIR, "--seed", "abc"], "--seed 'abc': allowed are exactly 64 hex digits"),
        ([*PAIR, "--seed", "z" * 64], "64 hex digits"),
        ([*PAIR, "--clock", "2"], "--clock '2': not a duration"),
        ([*PAIR, "--clock", "0s"], "--clock '0s': allowed is more than nothing"),
        ([*PAIR, "--bank", "1"], "--bank '1': not a duration"),
        ([*PAIR, "--bank", "1s", "--clock", "off"], "--bank '1s': allowed only with a --clock"),
        ([*PAIR, "--increment", "1s"], "--increment '1s': allowed only with a --bank"),
        ([*PAIR, "--match-clock", "0s"], "--match-clock '0s': allowed is more than nothing"),
        ([*PAIR, "--wait-for", "2"], "--wait-for 2: allowed are the seats 0 to 1"),
        ([*PAIR, "--wait-for", "-1"], "--wait-for -1: allowed are the seats 0 to 1"),
        ([RANDOM, "nowhere"], "nowhere: there is no such bot folder"),
        ([*PAIR, "--record", "no/where.pb"], "no/where.pb: there is no folder no"),
        ([*PAIR, "--record", LONG], f"{LONG}: cannot be written: File name too long"),
        ([RANDOM, LONG], f"{LONG}: cannot be read: File name too long"),
        ([*PAIR, "--games", "1001"], "--games"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(
    run: Run, tmp_path: Path, arguments: list[object], told: str
) -> None:
    outcome = run("match", "run", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.pb").write_text("mine")
    outcome = run("match", "run", *PAIR, "--record", "mine.pb")
    assert outcome.code == 2
    assert "mine.pb: exists already" in outcome.err


def test_a_folder_without_a_manifest(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    outcome = run("match", "run", RANDOM, "empty")
    assert outcome.code == 2
    assert "bot.toml" in outcome.err


def _folder(tmp_path: Path) -> str:
    return str(tmp_path)


def _text_file(tmp_path: Path) -> str:
    file = tmp_path / "text.db"
    file.write_text("not a database, whatever its name says\n" * 100)
    return str(file)


@pytest.mark.parametrize(
    ("database", "code", "told"),
    [
        (_folder, 5, "a folder, not a file"),
        (_text_file, 5, "not a database"),
        (lambda tmp_path: str(tmp_path / "no" / "where.db"), 5, "there is no folder"),
        (lambda _: "mysql://x", 2, "no database is known as mysql"),
        (lambda _: "", 2, "the database's name is empty"),
    ],
)
def test_a_database_that_cannot_be(
    run: Run, tmp_path: Path, database: Callable[[Path], str], code: int, told: str
) -> None:
    outcome = run("match", "run", *PAIR, "--db", database(tmp_path))
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.linux
def test_a_match(run: Run, tmp_path: Path) -> None:
    seed = "0f" * 32
    line = ("match", "run", RANDOM, RANDOM, "--games", "1", "--seed", seed, "--record", "m.pb")
    clocks = ("--clock", "5s", "--bank", "1m", "--increment", "50ms", "--match-clock", "1h")
    outcome = run(*line, *clocks)
    assert outcome.code == 0, outcome.err
    assert "random-2" in outcome.out
    assert outcome.err == "database: elfer.db in this folder\n"
    key = outcome.out.splitlines()[-1].split()[-1]
    shown = run("replay", "show", key)
    assert f"seed {seed}" in shown.out
    verified = run("replay", "verify", key, "m.pb").out.splitlines()
    assert verified == [f"{key}: holds", "m.pb: holds", "2 of 2 matches hold"]
    exported = json.loads(run("replay", "export", key, "--format", "json").out)
    control = exported["time_control"]
    assert [control[name] for name in ("move_limit_us", "bank_us", "increment_us")] == [
        "5000000",
        "60000000",
        "50000",
    ]
    assert control["match_limit_us"] == "3600000000"
    log = run("bot", "log", "random-2", "--match", key)
    assert log.code == 0
    assert all(text.startswith(f"{key} game ") for text in log.out.splitlines())
    assert (tmp_path / "elfer-logs" / "random").is_dir()


@pytest.mark.linux
def test_what_is_told_leads_on(run: Run, tmp_path: Path) -> None:
    """To the logs of bots that forfeited, in the database that was named; of many slips to some."""
    bots = [make_bot(tmp_path / name) for name in ("silent", "passes")]
    (bots[0] / "bot.py").write_text("raise SystemExit")
    (bots[1] / "bot.py").write_text(PASSES)
    outcome = run("match", "run", *bots, "--games", "1", "--db", "my db")
    lines = outcome.out.splitlines()
    told = [line for line in lines if ": illegal, penalty 10" in line]
    assert len(told) == MOST_TOLD - 1
    more, kept, *hints = lines[-5:]
    key = kept.removeprefix("kept as ")
    assert more == "and 1 more infraction"
    assert hints == [
        "see: referee bot log silent --db 'my db'",
        "see: referee bot log passes --db 'my db'",
        f"see: referee replay show {key} --db 'my db'",
    ]
