"""``bot rerun`` where no bot is started; ``tests/e2e/test_bot_rerun.py`` has the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rpc.codec import decode_record
from tests.support import played
from tests.support.bot_folders import SAMPLES, make_bot
from tests.unit.cli.conftest import Run, repository_of

KEY = "demo/ann+bob/1/0"
GREEDY = str(SAMPLES / "greedy")


@pytest.fixture
def turn(ledger: Path) -> int:
    """The first with a question; seat 0 has it, or seat 1."""
    with repository_of(ledger) as repository:
        return decode_record(repository.get_record(KEY).record).asks[0].turn


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--game", "1", "--turn", "1"], "game 1, turn 1: nobody was asked"),
        (["--game", "2", "--turn", "1"], "game 2: the match has the games 1"),
        (["--game", "1", "--turn", "999"], "turn 999: game 1 has the turns 1 to "),
        (["--game", "1", "--turn", "{turn}", "--seat", "7"], "--seat 7: it was not asked in game"),
        (["--game", "1", "--turn", "{turn}", "nowhere"], "nowhere: there is no such bot folder"),
        (["--game", "1", "--turn", "{turn}", GREEDY, "--save", "t.py"], "--save: 2 bots"),
        (["--game", "1", "--turn", "{turn}", "--save", "t"], "--save t: allowed is a name that"),
        (["--game", "1", "--turn", "{turn}", "--save", "a/t.py"], "a/t.py: there is no folder a"),
    ],
)
def test_what_is_wrong_is_told(
    run: Run, ledger: Path, tmp_path: Path, turn: int, options: list[str], told: str
) -> None:
    given = [option.format(turn=turn) for option in options]
    outcome = run("bot", "rerun", KEY, GREEDY, *given, "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err
    assert list(tmp_path.glob("*.py")) == []


def test_a_test_is_of_a_bot_with_the_sdk(run: Run, ledger: Path, tmp_path: Path, turn: int) -> None:
    folder = make_bot(tmp_path / "unruly")
    line = ("bot", "rerun", KEY, folder, "--game", 1, "--turn", turn, "--save", "t.py")
    outcome = run(*line, "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "unruly" in outcome.err
    assert not (tmp_path / "t.py").exists()


def test_nothing_is_overwritten(run: Run, ledger: Path, tmp_path: Path, turn: int) -> None:
    (tmp_path / "t.py").write_text("mine")
    line = ("bot", "rerun", KEY, GREEDY, "--game", 1, "--turn", turn, "--save", "t.py")
    outcome = run(*line, "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "t.py: exists already; it is not overwritten" in outcome.err
    assert (tmp_path / "t.py").read_text() == "mine"


def test_a_transcript_alone_does_not_do(run: Run, ledger: Path, tmp_path: Path) -> None:
    with repository_of(ledger) as repository:
        transcript = decode_record(repository.get_record(KEY).record).transcript
    (tmp_path / "match.txt").write_text(transcript)
    outcome = run("bot", "rerun", "match.txt", GREEDY, "--game", 1, "--turn", 1)
    assert (outcome.code, outcome.out) == (2, "")
    assert "match.txt: a transcript alone does not say" in outcome.err


def test_a_deal_that_is_not_over_stays_secret(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    league = played.league_format(deals=1)
    first, _ = played.plans(league)
    with repository_of(file) as repository:
        played.open_league(repository, league)
        played.count(repository, first)
    line = ("bot", "rerun", first.match_key, GREEDY, "--game", 1, "--turn", 1, "--db", file)
    outcome = run(*line)
    assert (outcome.code, outcome.out) == (2, "")
    assert "§10.4" in outcome.err
