"""Standings, crosstable, infractions, leagues and matches, as tables and as data."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee.match.conduct import Infraction
from tests.support import played
from tests.unit.cli.conftest import Outcome, Run, repository_of


def data(outcome: Outcome) -> Any:
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def test_standings(run: Run, ledger: Path) -> None:
    lines = run("standings", "demo", "--db", ledger).out.splitlines()
    assert lines[0].split() == [
        "bot", "matches", "score", "+/-", "wins", "points", "total", "penalties", "forfeits",
    ]  # fmt: skip
    assert {line.split()[1] for line in lines[1:3]} == {"ann", "bob"}
    assert lines[-1] == "demo: 4 of 4 matches, finished"
    assert max(map(len, lines)) <= 80


def test_standings_as_json(run: Run, ledger: Path) -> None:
    found = data(run("standings", "demo", "--json", "--db", ledger))
    assert {key: found[key] for key in ("league", "state", "matches", "planned")} == {
        "league": "demo",
        "state": "finished",
        "matches": 4,
        "planned": 4,
    }
    first, second = found["standings"]
    assert list(first) == [
        "place", "bot", "matches", "score", "score_error", "wins", "points_per_game",
        "total_per_game", "penalties", "infractions", "forfeits", "mean_answer_us",
        "p99_answer_us",
    ]  # fmt: skip
    assert first["score"] >= second["score"]
    assert first["mean_answer_us"] == 100.0
    assert first["matches"] == 4


def test_standings_as_csv(run: Run, open_ledger: Path) -> None:
    outcome = run("standings", "demo", "--csv", "--db", open_ledger)
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    kinds = [f"infractions_{kind}" for kind in Infraction]
    assert [name for name in rows[0] if name.startswith("infractions")] == kinds
    counts = [
        (row["infractions_late"], row["infractions_illegal"], row["forfeits"]) for row in rows
    ]
    assert counts == [("1", "1", "0"), ("0", "0", "1")]
    assert {row["score_error"] for row in rows} == {""}


def test_standings_show_kinds_of_infractions(run: Run, open_ledger: Path) -> None:
    out = run("standings", "demo", "--db", open_ledger).out
    assert "late 1, illegal 1" in out
    assert "demo: 1 of 4 matches, open" in out


def test_standings_take_one_form(run: Run, ledger: Path) -> None:
    outcome = run("standings", "demo", "--csv", "--json", "--db", ledger)
    assert (outcome.code, outcome.err) == (2, "error: --csv and --json: allowed is one of them\n")


def test_standings_before_the_first_match(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "new.db"
    with repository_of(file) as repository:
        played.open_league(repository, played.league_format())
    out = run("standings", "demo", "--db", file).out
    assert out == "No match counts yet.\ndemo: 0 of 4 matches, open\n"
    assert data(run("crosstable", "demo", "--json", "--db", file))["scores"] == {}


def test_crosstable(run: Run, ledger: Path) -> None:
    lines = run("crosstable", "demo", "--db", ledger).out.splitlines()
    bots = lines[0].split()
    assert [line.split()[0] for line in lines[1:]] == bots
    found = data(run("crosstable", "demo", "--json", "--db", ledger))
    assert found["bots"] == bots
    assert found["scores"][bots[0]][bots[1]] + found["scores"][bots[1]][bots[0]] == 1


def test_infractions(run: Run, open_ledger: Path) -> None:
    out = run("infractions", "demo", "--held-back", "--db", open_ledger).out
    assert r"2.1 s\x1b[2J" in out
    entries = data(run("infractions", "demo", "--json", "--db", open_ledger))["infractions"]
    assert [(entry["kind"], entry["penalty"]) for entry in entries] == [
        ("late", 20),
        ("illegal", 10),
    ]


def test_no_infractions(run: Run, ledger: Path) -> None:
    assert run("infractions", "demo", "--db", ledger).out == "No infractions.\n"


def test_leagues(run: Run, ledger: Path, open_ledger: Path) -> None:
    assert "4/4" in run("league", "list", "--db", ledger).out
    (finished,) = data(run("league", "list", "--json", "--db", ledger))["leagues"]
    (unfinished,) = data(run("league", "list", "--json", "--db", open_ledger))["leagues"]
    assert finished["seed"] == played.SEED.hex()
    assert unfinished["seed"] is None
    assert unfinished["seed_commitment"] == finished["seed_commitment"]


def test_an_open_leagues_seed_is_nowhere(run: Run, open_ledger: Path) -> None:
    for command in (["league", "list"], ["standings", "demo"], ["attempts", "demo"]):
        for form in ([], ["--json"]):
            out = run(*command, *form, "--db", open_ledger).out
            assert played.SEED.hex() not in out


def test_matches(run: Run, ledger: Path, open_ledger: Path) -> None:
    assert run("match", "list", "--db", ledger).out.count("counted") == 4
    found = data(run("match", "list", "--json", "--db", open_ledger))["matches"]
    assert sorted(match["state"] for match in found) == ["counted", "void"]
    assert data(run("match", "list", "--bot", "nobody", "--json", "--db", ledger)) == {
        "matches": []
    }
    league = data(run("match", "list", "--league", "demo", "--json", "--db", ledger))["matches"]
    assert len(league) == 4


def test_a_match(run: Run, open_ledger: Path) -> None:
    key = "demo/ann+bob/1/0"
    out = run("match", "show", key, "--db", open_ledger).out
    assert "forfeit" in out
    assert "late" in out
    found = data(run("match", "show", key, "--json", "--db", open_ledger))
    assert found["match_key"] == key
    assert found["result"]["forfeits"] == [False, True]
    assert [game["number"] for game in found["games"]] == [1, 2]
    assert len(found["infractions"]) == 2
    assert len(found["attempts"]) == 1


@pytest.mark.parametrize("command", ["standings", "crosstable", "infractions", "attempts"])
def test_an_unknown_league(run: Run, ledger: Path, command: str) -> None:
    outcome = run(command, "nobodys", "--db", ledger)
    assert outcome == (3, "", "error: there is no league 'nobodys' in this database\n")


def test_the_default_database_is_named(run: Run, ledger: Path, tmp_path: Path) -> None:
    ledger.rename(tmp_path / "elfer.db")
    outcome = run("league", "list")
    assert outcome.code == 0
    assert outcome.err == "database: elfer.db in this folder\n"


def test_the_environment_names_the_database(
    run: Run, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DB", f"sqlite:///{ledger}")
    outcome = run("league", "list")
    assert (outcome.code, outcome.err) == (0, "")
