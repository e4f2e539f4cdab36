"""``referee play``: what it refuses before anything starts."""

from pathlib import Path

import pytest

from referee.cli.options import read_series
from referee.match.series import Games, Limit
from tests.support.bot_folders import SAMPLES
from tests.unit.cli.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--vs"),
        (["--vs", "greddy"], "--vs 'greddy': there is no such bot; allowed: a bot's folder or a"),
        (["--vs", ""], "--vs '': there is no such bot"),
        (["--vs", "greedy,,holdback"], "--vs '': there is no such bot"),
        (["--vs", "x" * 300], "there is no such bot"),
        (["--vs", "here"], "here/bot.toml"),
        (["--vs", "no/where"], "--vs 'no/where': there is no such bot"),
        (["--vs", ",".join(["greedy"] * 6)], "--vs: 6 bots: allowed are 1 to 5"),
        (["--vs", "greedy", "--seat", "2"], "--seat 2: allowed are the seats 0 to 1"),
        (["--vs", "greedy", "--seat", "-1"], "--seat -1: allowed are the seats 0 to 1"),
        (["--vs", "greedy", "--profile", "skat"], "there is no 'skat'; allowed: ravensburger"),
        (["--vs", "greedy", "--games", "3", "--limit", "50"], "--games 3 and --limit 50"),
        (["--vs", "greedy", "--clock", "soon"], "--clock 'soon': not a duration"),
        (["--vs", "greedy", "--seed", "abc"], "--seed 'abc'"),
        (["--vs", str(SAMPLES / "greedy"), "--record", "no/where.pb"], "no/where.pb"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(
    run: Run, tmp_path: Path, arguments: list[str], told: str
) -> None:
    (tmp_path / "here").mkdir()
    outcome = run("play", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_without_an_input_nobody_can_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    outcome = run("play", "--vs", "greedy")
    assert (outcome.code, "standard input is closed" in outcome.err) == (2, True)


def test_what_makes_a_match() -> None:
    assert read_series(None, None) == Games(5)
    assert read_series(3, None) == Games(3)
    assert read_series(None, 200) == Limit(200)
