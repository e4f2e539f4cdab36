"""``referee league rejudge``: what changes, what cannot be judged, and that nothing is written."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Fault
from tests.support import ledgers, played
from tests.support.matches import QUICK, ScriptedPlayer, honest
from tests.unit.cli.conftest import Outcome, Run, repository_of
from tests.unit.cli.test_docs import CLI, DATA, field_names

LATE = Fault(Infraction.LATE, Evidence(2_000_001), "")
CRASH = Fault(Infraction.CRASHED, QUICK, "exit status 1")


def errs(*faults: Fault) -> ScriptedPlayer:
    """Has these faults at its first questions, and then answers as it should."""
    legal, left = honest(1), list(faults)
    return ScriptedPlayer(lambda ask: left.pop(0) if left else legal.answer(ask))


@pytest.fixture
def faulty_ledger(tmp_path: Path) -> Path:
    """A league of four matches: in the first seat 0 is late, in the second it crashes."""
    file = tmp_path / "faulty.db"
    players = [[errs(LATE), honest(2)], [errs(CRASH), honest(2)], None, None]
    with repository_of(file) as repository:
        league = played.league_format()
        played.open_league(repository, league)
        for plan, seated in zip(played.plans(league), players, strict=True):
            played.count(repository, plan, played.record_of(plan, players=seated))
        ledgers.finish(repository)
    return file


@pytest.fixture
def rejudge(run: Run, faulty_ledger: Path, tmp_path: Path) -> Any:
    """Judges the league again under the conduct of this text."""

    def judged(conduct: str, *options: str) -> Outcome:
        file = tmp_path / "conduct.toml"
        file.write_text(conduct, encoding="utf-8")
        before = hashlib.sha256(faulty_ledger.read_bytes()).digest()
        line = ("league", "rejudge", "demo", "--conduct", file, *options, "--db", faulty_ledger)
        outcome = run(*line)
        assert hashlib.sha256(faulty_ledger.read_bytes()).digest() == before
        return outcome

    return judged


def test_the_leagues_own_conduct_changes_nothing(rejudge: Any) -> None:
    outcome = rejudge("")
    assert outcome.code == 0
    assert outcome.err == "this is the conduct of the league\n"
    assert outcome.out.splitlines()[-1] == (
        "demo: 4 of 4 matches judged again, 0 with other penalties or totals, 0 with other places"
    )
    found = json.loads(rejudge("", "--json").out)
    assert found["conduct"] == []
    assert found["standings"] == found["standings_before"]


def test_other_prices(rejudge: Any) -> None:
    conduct = "[penalties]\nlate = 1000\ncrashed = 0\n"
    outcome = rejudge(conduct)
    assert outcome.code == 0
    assert outcome.out.splitlines()[:2] == [
        "conduct.penalties.crashed was 50 and is 0",
        "conduct.penalties.late was 20 and is 1000",
    ]
    found = json.loads(rejudge(conduct, "--json").out)
    assert (found["league"], found["matches"], found["judged"]) == ("demo", 4, 4)
    assert found["repriced"] == 2
    assert found["unjudged"] == []
    before, after = (
        sum(row["penalties"] for row in found[name]) for name in ("standings_before", "standings")
    )
    assert (before, after) == (70, 1000)
    assert "demo/ann+bob/1/0" in outcome.out or found["changed"] == []
    for match in found["changed"]:
        assert match["places"] != match["places_before"]


def test_what_would_need_play_is_named_and_left_out(rejudge: Any) -> None:
    outcome = rejudge("restarts = 0")
    assert outcome.code == 0
    line = next(line for line in outcome.out.splitlines() if line.startswith("demo/ann+bob"))
    assert line.split()[-3:] == ["crashed", "restart", "forfeit"]
    assert outcome.out.splitlines()[-1].startswith("1 would need play that did not happen")
    found = json.loads(rejudge("restarts = 0", "--json").out)
    assert found["judged"] == 3
    [match] = found["unjudged"]
    assert match["infraction"]["kind"] == "crashed"
    assert match["infraction"]["consequence"] == "restart"
    assert match["would_follow"] == "forfeit"
    assert [row["matches"] for row in found["standings_before"]] == [3, 3]


@pytest.mark.parametrize("conduct", ["restarts = 0", "[penalties]\nlate = 1000"])
def test_every_field_is_documented(rejudge: Any, conduct: str) -> None:
    found = set(field_names(json.loads(rejudge(conduct, "--json").out))) - DATA
    assert {key for key in found if f"`{key}`" not in CLI} == set()


def test_a_shorter_grace_is_told_to_be_beyond_records(rejudge: Any) -> None:
    outcome = rejudge('grace = "1s"')
    assert outcome.code == 0
    assert outcome.err.startswith("warning: a shorter grace is not judged: records do not tell")
    assert rejudge('grace = "3s"').err == ""


def test_a_league_files_table_is_taken(rejudge: Any) -> None:
    league = 'name = "other"\ntable_size = 3\n[conduct]\nretries = 3\n[conduct.penalties]\nlate = 1'
    assert rejudge(league).out.splitlines()[:2] == [
        "conduct.penalties.late was 20 and is 1",
        "conduct.retries was 1 and is 3",
    ]


@pytest.mark.parametrize(
    ("conduct", "complaint"),
    [
        ("lists_only = true", "lists_only is not a known key; allowed: retries,"),
        ("[penalties]\nlate = -1", "penalties.late = -1: too small; allowed: points from 0"),
        ("conduct = 5", "conduct is not a known key"),
        ("retries = 0\n[conduct]\nrestarts = 0", "conduct is not a known key; allowed: retries,"),
        ("[conduct]\ngrace = 5", "grace = 5: "),
        ("=", "not valid TOML"),
        ("a = " + "[" * 10_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_conduct_is_refused(rejudge: Any, conduct: str, complaint: str) -> None:
    outcome = rejudge(conduct)
    assert (outcome.code, outcome.out) == (2, "")
    assert complaint in outcome.err


def test_an_unknown_league_or_file(run: Run, ledger: Path, tmp_path: Path) -> None:
    line = ("league", "rejudge", "nobodys", "--conduct", tmp_path / "conduct.toml", "--db", ledger)
    assert run(*line).code == 2
    (tmp_path / "conduct.toml").touch()
    assert run(*line) == (3, "", "error: there is no league 'nobodys' in this database\n")


def test_an_altered_record_is_refused(run: Run, open_ledger: Path, tmp_path: Path) -> None:
    # Its records are of bytes that nobody can decode.
    (tmp_path / "conduct.toml").touch()
    conduct = ("--conduct", tmp_path / "conduct.toml")
    outcome = run("league", "rejudge", "demo", *conduct, "--db", open_ledger)
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.startswith("error: demo/ann+bob/1/0: this is no record")
