"""Turns explained without asking a bot; ``tests/e2e/test_rerun.py`` has the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.rpc.codec import decode_record
from tests.unit.cli.conftest import Run, repository_of
from tests.unit.cli.test_docs import CLI, field_names

KEY = "demo/ann+bob/1/0"


def test_a_turn_in_which_nobody_was_asked(run: Run, ledger: Path) -> None:
    outcome = run("replay", "explain", KEY, "--game", 1, "--turn", 1, "--db", ledger)
    assert (outcome.code, outcome.err) == (0, "")
    assert "Game 1, turn 1: seat " in outcome.out
    assert "Why nobody was asked\n  open    " in outcome.out
    assert "What was done\n  open " in outcome.out
    assert "bots" not in outcome.out


def asked_turn(ledger: Path) -> tuple[int, str]:
    """The first turn with a choice, and the transcript."""
    with repository_of(ledger) as repository:
        record = decode_record(repository.get_record(KEY).record)
    return record.asks[0].turn, record.transcript


def test_a_transcript_alone(run: Run, ledger: Path, tmp_path: Path) -> None:
    turn, transcript = asked_turn(ledger)
    file = tmp_path / "match.txt"
    file.write_text(transcript)
    outcome = run("replay", "explain", file, "--game", 1, "--turn", turn)
    assert outcome.code == 0
    assert "What would be accepted" in outcome.out
    assert "a transcript alone does not have the answers" in outcome.out
    assert "a transcript alone does not say what its seats were asked" in outcome.out


def test_without_sample_bots_it_says_how_to_name_some(
    run: Run, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.app.bots.sample_bots", lambda: ())
    line = ("replay", "explain", KEY, "--game", 1, "--turn", asked_turn(ledger)[0])
    outcome = run(*line, "--db", ledger)
    assert outcome.code == 0
    assert "none was asked: name some with --bot FOLDER" in outcome.out
    found = json.loads(run(*line, "--json", "--db", ledger).out)
    assert "--bot" in found["without_bots"]
    assert found["seats"][0]["bots"] == []
    assert {name for name in field_names(found) if f"`{name}`" not in CLI} == set()


@pytest.mark.parametrize(
    ("game", "turn", "told"),
    [(1, 999, "turn 999: game 1 has the turns 1 to "), (2, 1, "game 2: the match has the games 1")],
)
def test_a_turn_that_there_is_not(run: Run, ledger: Path, game: int, turn: int, told: str) -> None:
    outcome = run("replay", "explain", KEY, "--game", game, "--turn", turn, "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


def test_a_folder_that_is_no_bot(run: Run, ledger: Path) -> None:
    line = ("replay", "explain", KEY, "--game", 1, "--turn", asked_turn(ledger)[0])
    outcome = run(*line, "--bot", "nowhere", "--db", ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "nowhere: there is no such bot folder" in outcome.err
