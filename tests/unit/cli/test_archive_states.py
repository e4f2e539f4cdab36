"""Archives of leagues that were cancelled, paused or left by a bot."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.app.archive import LeagueArchive
from referee.app.archive.form import LEAGUE, MANIFEST, MATCHES, record_file
from referee.core.errors import StoreError
from referee.league.format import LeagueFormat
from referee.league.schedule import MatchPlan
from referee.store.entries import EntrantState, LeagueState, VoidCause
from referee.store.repository import Repository
from tests.support import ledgers, played
from tests.support.archives import Parts, uncounted, write_archive
from tests.unit.cli.conftest import Run, repository_of

NAMES = ("ann", "bob", "cleo")
LEAGUE_OF_THREE = LeagueFormat.model_validate(
    {
        "name": "demo",
        "series": {"games": 1},
        "deals": 1,
        "entrants": [{"name": bot, "path": f"bots/{bot}"} for bot in NAMES],
    }
)
PLANS = sorted(played.plans(LEAGUE_OF_THREE), key=lambda plan: (plan.table, plan.rotation))
"""Three tables of two, each with two rotations of one deal."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "three.db"


def begin(repository: Repository, plans: Sequence[MatchPlan]) -> None:
    text = LEAGUE_OF_THREE.canonical_json()
    repository.create_league(ledgers.make_league("demo", NAMES, text))
    for plan in plans:
        played.count(repository, plan)


def archived(run: Run, database: Path, told: str) -> Path:
    file = write_archive(database, Path("demo.tar"))
    verified = run("league", "verify", file)
    assert verified.code == 0, verified.out
    assert told in verified.out
    return file


def assert_the_same_elsewhere(run: Run, file: Path, database: Path) -> None:
    brought = run("league", "import", file, "--json", "--db", "other.db")
    assert brought.code == 0, brought.err
    name = json.loads(brought.out)["league"]
    theirs = json.loads(run("standings", "demo", "--json", "--db", database).out)
    here = json.loads(run("standings", name, "--json", "--db", "other.db").out)
    assert here["standings"] == theirs["standings"]
    assert here["matches"] == theirs["matches"]


def test_a_league_that_was_cancelled(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS[:3])
        attempt = ledgers.open_one(repository, PLANS[4])
        repository.void(attempt, VoidCause.HOST, "no memory")
        ledgers.open_one(repository, PLANS[5])
        repository.set_league("demo", LeagueState.CANCELLED, "the hall burnt down")
    file = archived(run, database, "league demo, cancelled, 3 matches")
    parts = Parts.of(file)
    head = json.loads(parts[LEAGUE])
    assert (head["state"], head["reason"]) == ("cancelled", "the hall burnt down")
    assert head["seed"] == played.SEED.hex()
    matches = [json.loads(text) for text in parts[MATCHES].splitlines()]
    assert [match["match_key"] for match in matches] == [
        plan.match_key for plan in (*PLANS[:3], *PLANS[4:])
    ]
    assert [match["record"] is None for match in matches] == [False] * 3 + [True] * 2
    assert_the_same_elsewhere(run, file, database)


def test_a_league_that_is_paused_is_not_over(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS[:3])
        repository.set_league("demo", LeagueState.PAUSED)
    refused = run("league", "archive", "demo", "--out", "demo.tar", "--db", database)
    assert refused.code == 2
    assert "not over" in refused.err
    partial = run("league", "archive", "demo", "--out", "p.tar", "--partial", "--db", database)
    assert partial.code == 0
    assert "league demo, paused, 2 matches" in run("league", "verify", "p.tar").out


def test_a_bot_that_withdrew(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS[:3])
        repository.set_entrant("demo", "cleo", EntrantState.WITHDRAWN, "ill")
        ledgers.finish(repository)
    file = archived(run, database, "league demo, finished, 3 matches")
    entrants = json.loads(Parts.of(file)[LEAGUE])["entrants"]
    assert [one["state"] for one in entrants] == ["in", "in", "withdrawn"]
    assert entrants[2]["reason"] == "ill"
    rows = json.loads(Parts.of(file)["standings.json"])
    assert {row["bot"] for row in rows} == set(NAMES)
    assert_the_same_elsewhere(run, file, database)


def test_a_bot_that_was_disqualified(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS)
        ledgers.finish(repository)
        repository.set_entrant("demo", "cleo", EntrantState.DISQUALIFIED, "it looked")
    file = archived(run, database, "league demo, finished, 6 matches")
    parts = Parts.of(file)
    assert {row["bot"] for row in json.loads(parts["standings.json"])} == {"ann", "bob"}
    assert all(record_file(plan.match_key) in parts for plan in PLANS)
    assert_the_same_elsewhere(run, file, database)


def verify(run: Run, parts: Parts) -> str:
    Path("forged.tar").write_bytes(parts.forged())
    outcome = run("league", "verify", "forged.tar")
    assert outcome.code == 4
    return outcome.out


def test_who_was_in_cannot_be_altered(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS[:3])
        repository.set_entrant("demo", "cleo", EntrantState.WITHDRAWN)
        ledgers.finish(repository)
    whole = Parts.of(write_archive(database, Path("demo.tar")))

    stayed = Parts(whole)
    stayed.change(LEAGUE, lambda head: head["entrants"][2].update(state="in"))
    assert "matches of manifest.json: expected 6 or more, found 3" in verify(run, stayed)

    out = Parts(whole)
    out.change(LEAGUE, lambda head: head["entrants"][2].update(state="disqualified"))
    assert "standings.json, row 1: " in verify(run, out)

    fewer = Parts(whole)
    lines = [json.loads(text) for text in whole[MATCHES].splitlines()]
    fewer.set_matches(lines[:1] + lines[2:])
    del fewer[record_file(lines[1]["match_key"])]
    fewer.change(MANIFEST, lambda manifest: manifest.update(matches=2))
    assert "matches between those who stayed: expected 2, found 1" in verify(run, fewer)


def test_what_begins_meanwhile_stays_out(run: Run, database: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS[:2])
        archive = LeagueArchive(repository, "demo", partial=True)
        played.count(repository, PLANS[2])
        ledgers.open_one(repository, PLANS[4])
        archive.write(Path("demo.tar"), None, uncounted)
    assert "league demo, open, 2 matches" in run("league", "verify", "demo.tar").out
    assert PLANS[2].match_key not in Parts.of(Path("demo.tar"))[MATCHES].decode()


def test_a_league_that_is_changed_meanwhile(run: Run, database: Path, tmp_path: Path) -> None:
    with repository_of(database) as repository:
        begin(repository, PLANS)
        ledgers.finish(repository)
        archive = LeagueArchive(repository, "demo")
        repository.set_entrant("demo", "cleo", EntrantState.DISQUALIFIED)
        with pytest.raises(StoreError, match="was changed while it was archived"):
            archive.write(Path("demo.tar"), None, uncounted)
    assert [file.name for file in tmp_path.iterdir() if "tar" in file.name] == []
