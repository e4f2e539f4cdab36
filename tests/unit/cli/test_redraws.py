"""A league with a deal that was replaced: what is told of it, and its archive."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.app.archive.form import FORMAT, LEAGUE, MANIFEST, MATCHES, STANDINGS, record_file
from referee.league.redraws import Redraw, Redraws
from referee.league.schedule import remaining, sittings
from referee.store.entries import VoidCause
from referee.store.repository import Repository
from tests.support import ledgers, played
from tests.support.archives import Parts, write_archive
from tests.unit.cli.conftest import Run, repository_of

LEAGUE_FORMAT = played.league_format().model_copy(update={"redraw": True})
REDRAW = Redraw("ann+bob", 3, 1, 1, 1)
COUNT = [f"demo/ann+bob/{deal}/{rotation}" for deal in (2, 3) for rotation in (0, 1)]
REPLACED = ["demo/ann+bob/1/0", "demo/ann+bob/1/1"]


def play(repository: Repository, redraws: Redraws) -> None:
    counted = repository.counted_keys("demo")
    planned = sittings(LEAGUE_FORMAT, played.SEED, redraws)
    for sitting in remaining(planned, counted):
        for plan in sitting.matches:
            played.count(repository, plan)


@pytest.fixture
def redrawn(tmp_path: Path) -> Path:
    """Of four matches two count; the second rotation of the first deal was void."""
    file = tmp_path / "redrawn.db"
    with repository_of(file) as repository:
        played.open_league(repository, LEAGUE_FORMAT)
        first, second, third, fourth = played.plans(LEAGUE_FORMAT)
        for plan in (first, second, fourth):
            played.count(repository, plan)
        void = repository.void(
            ledgers.open_one(repository, third), VoidCause.HOST, "no memory", redraw_above=2
        )
        assert void == REDRAW
    return file


@pytest.fixture
def finished(redrawn: Path) -> Path:
    with repository_of(redrawn) as repository:
        play(repository, Redraws([REDRAW]))
        ledgers.finish(repository)
    return redrawn


def test_the_league_tells_which_deal_and_why(run: Run, redrawn: Path) -> None:
    shown = run("league", "show", "demo", "--db", redrawn).out
    assert "2 of 4 count" in shown
    assert "demo/ann+bob/1  replaced by deal 3  demo/ann+bob/1/1        1" in shown
    found = json.loads(run("league", "show", "demo", "--json", "--db", redrawn).out)
    assert found["redraws"] == [
        {
            "deal_key": "demo/ann+bob/1",
            "replaced_by": 3,
            "match_key": "demo/ann+bob/1/1",
            "attempt": 1,
        }
    ]


def test_matches_and_attempts_tell_it(run: Run, redrawn: Path) -> None:
    attempts = run("attempts", "demo", "--db", redrawn).out.splitlines()
    assert [" replaced by deal 3 " in line for line in attempts[1:5]] == [True] * 2 + [False] * 2
    assert "counted, replaced by deal 3" in attempts[1]
    assert "void, replaced by deal 3" in attempts[2]
    for key, state in (("1/0", "replaced by deal 3"), ("2/0", "counted")):
        shown = run("match", "show", f"demo/ann+bob/{key}", "--db", redrawn).out
        assert shown.startswith(f"demo/ann+bob/{key}: {state}\n")
        assert f"demo/ann+bob/{key}  {state} " in run("match", "list", "--db", redrawn).out
    listed = json.loads(run("match", "list", "--json", "--db", redrawn).out)["matches"]
    assert [(match["state"], match["replaced_by"]) for match in listed] == [
        ("replaced", 3),
        ("counted", None),
        ("counted", None),
        ("replaced", 3),
    ]


def test_what_is_replaced_may_be_seen_and_is_in_no_standings(run: Run, redrawn: Path) -> None:
    assert run("replay", "show", REPLACED[0], "--db", redrawn).code == 0
    report = json.loads(run("standings", "demo", "--json", "--db", redrawn).out)
    assert (report["matches"], report["planned"]) == (2, 4)
    assert {row["matches"] for row in report["standings"]} == {2}


def test_an_archive_has_what_was_replaced_and_does_not_count_it(run: Run, finished: Path) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    assert json.loads(parts[MANIFEST])["matches"] == 4
    assert json.loads(parts[LEAGUE])["redraws"] == [REDRAW._asdict()]
    assert [json.loads(text)["match_key"] for text in parts[MATCHES].splitlines()] == [
        *REPLACED,
        *COUNT,
    ]
    assert record_file(REPLACED[0]) in parts
    verified = run("league", "verify", "demo.tar")
    assert verified.code == 0, verified.out
    assert "4 matches" in verified.out


def test_it_is_the_same_elsewhere(run: Run, finished: Path) -> None:
    write_archive(finished, Path("demo.tar"))
    brought = run("league", "import", "demo.tar", "--json", "--db", "other.db")
    assert brought.code == 0, brought.err
    name = json.loads(brought.out)["league"]
    with repository_of(finished) as here, repository_of(Path("other.db")) as there:
        assert there.get_league(name).redraws == here.get_league("demo").redraws
        assert [result.result for result in there.results(name)] == [
            result.result for result in here.results("demo")
        ]
        assert len(there.counted_keys(name)) == 4


def test_a_partial_archive_has_it_at_once(run: Run, redrawn: Path) -> None:
    with repository_of(redrawn) as repository:
        played.count(repository, next(sittings(LEAGUE_FORMAT, played.SEED, REDRAWS)).matches[0])
    parts = Parts.of(write_archive(redrawn, Path("demo.tar"), partial=True))
    assert [json.loads(text)["match_key"] for text in parts[MATCHES].splitlines()] == [
        *REPLACED,
        *COUNT[:2],
    ]
    verified = run("league", "verify", "demo.tar")
    assert verified.code == 0, verified.out
    assert "2 matches" in verified.out


REDRAWS = Redraws([REDRAW])
ALTERED: list[tuple[Callable[[Any], object], str]] = [
    (lambda head: head.update(redraws=[]), "expected a match of the league, found demo/ann+bob/3"),
    (lambda head: head["redraws"][0].update(replaced_by=4), "further deals of ann+bob"),
    (lambda head: head["redraws"][0].update(deal=3), "expected a deal that there was"),
    (lambda head: head["redraws"][0].update(rotation=2), "expected a deal that there was"),
    (lambda head: head["redraws"][0].update(table="ann+cid"), "expected a deal that there was"),
    (lambda head: head["redraws"][0].update(rotation=0), "cause of a redraw: expected void"),
    (lambda head: head["redraws"][0].update(attempt=2), "cause of a redraw: expected void"),
    (lambda head: head["redraws"][0].update(deal=2), "cause of a redraw: expected void"),
    (
        lambda head: head["redraws"].append(head["redraws"][0] | {"replaced_by": 4}),
        "expected each deal once, found deal 1 of ann+bob twice",
    ),
    (
        lambda head: head["redraws"].insert(0, head["redraws"][0] | {"replaced_by": 4}),
        "order of the redraws of league.json",
    ),
]


@pytest.mark.parametrize(("change", "told"), ALTERED, ids=[told for _, told in ALTERED])
def test_redraws_that_are_altered(
    run: Run, finished: Path, change: Callable[[Any], object], told: str
) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    parts.change(LEAGUE, change)
    assert told in verify(run, parts)


def test_a_cause_that_is_left_out(run: Run, finished: Path) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    lines = [json.loads(text) for text in parts[MATCHES].splitlines()]
    parts.set_matches([lines[0], *lines[2:]])
    assert f"expected {REPLACED[1]}, with the cause of a redraw, found none" in verify(run, parts)


def test_a_league_whose_deals_are_not_replaced(run: Run, finished: Path) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    parts.change(FORMAT, lambda league: league.update(redraw=False))
    assert "redraws of league.json: expected none, by the league's file" in verify(run, parts)


def test_a_replaced_match_that_does_not_hold(run: Run, finished: Path) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    parts[record_file(REPLACED[0])] = parts[record_file(COUNT[0])]
    assert f"{REPLACED[0]}: match_key: " in verify(run, parts)


def test_one_that_is_counted_all_the_same(run: Run, finished: Path) -> None:
    parts = Parts.of(write_archive(finished, Path("demo.tar")))
    parts.change(MANIFEST, lambda manifest: manifest.update(matches=5))
    assert "number of matches that count: expected 5, found 4" in verify(run, parts)
    parts.change(MANIFEST, lambda manifest: manifest.update(matches=4))
    parts.change(STANDINGS, lambda rows: rows[0].update(matches=5))
    assert "standings.json, row 1: matches" in verify(run, parts)


def verify(run: Run, parts: Parts) -> str:
    Path("forged.tar").write_bytes(parts.forged())
    outcome = run("league", "verify", "forged.tar")
    assert outcome.code == 4, outcome
    return outcome.out
