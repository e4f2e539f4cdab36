"""What an operator decides: a pause, the end of a league, bots that leave it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.app.ledger import this_host, this_worker
from tests.support import ledgers, played
from tests.unit.cli.conftest import Outcome, Run, repository_of

DECISIONS = {
    "pause": (),
    "cancel": ("--yes",),
    "withdraw": ("ann", "--yes"),
    "disqualify": ("ann", "--yes"),
}


def shown(run: Run, file: Path) -> Any:
    outcome = run("league", "show", "demo", "--json", "--db", file)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def decide(run: Run, file: Path, what: str, *more: object) -> Outcome:
    return run("league", what, "demo", *DECISIONS[what], *more, "--db", file)


def test_a_league_is_shown(run: Run, open_ledger: Path) -> None:
    found = shown(run, open_ledger)
    assert (found["league"], found["state"], found["since"], found["reason"]) == (
        "demo", "open", None, "",
    )  # fmt: skip
    assert (found["matches"], found["planned"], found["seed"]) == (1, 4, None)
    ann, bob = found["entrants"]
    assert (ann["name"], ann["state"], ann["since"], ann["reason"]) == ("ann", "in", None, "")
    assert bob["name"] == "bob"
    out = run("league", "show", "demo", "--db", open_ledger).out
    assert "demo: open\n" in out
    assert "1 of 4 count" in out
    assert "withheld until it is over" in out
    assert max(map(len, out.splitlines())) <= 100


def test_who_runs_it_is_shown(run: Run, open_ledger: Path) -> None:
    runner = shown(run, open_ledger)["runner"]
    assert (runner["host"], runner["worker"], runner["gone"]) == ("here", "1", False)
    assert runner["silent_us"] < 60_000_000
    out = run("league", "show", "demo", "--db", open_ledger).out
    assert "run by          1 on here since" in out
    with repository_of(open_ledger) as repository:
        repository.take_lease("demo", lambda _: True, host=this_host(), worker=this_worker())
    assert shown(run, open_ledger)["runner"]["gone"]
    assert "nobody; process" in run("league", "show", "demo", "--db", open_ledger).out
    with repository_of(open_ledger) as repository:
        repository.release_lease(
            ledgers.lease_of(repository, host=this_host(), worker=this_worker())
        )
    assert shown(run, open_ledger)["runner"] is None
    assert "run by          nobody\n" in run("league", "show", "demo", "--db", open_ledger).out


def test_a_finished_leagues_seed_is_shown(run: Run, ledger: Path) -> None:
    assert shown(run, ledger)["seed"] == played.SEED.hex()
    assert played.SEED.hex() in run("league", "show", "demo", "--db", ledger).out


def test_pause(run: Run, open_ledger: Path) -> None:
    outcome = decide(run, open_ledger, "pause", "--reason", "lunch\x1b[2J")
    assert (outcome.code, outcome.out) == (0, "demo is paused; league run goes on with it\n")
    assert "1 on here lets the sittings under way end" in outcome.err
    found = shown(run, open_ledger)
    assert (found["state"], found["reason"]) == ("paused", r"lunch\x1b[2J")
    assert found["since"]
    assert (found["seed"], found["planned"]) == (None, 4)
    assert r"demo: paused since 20" in run("league", "show", "demo", "--db", open_ledger).out
    assert "paused" in run("league", "list", "--db", open_ledger).out
    assert "1 of 4 matches, paused" in run("standings", "demo", "--db", open_ledger).out
    again = decide(run, open_ledger, "pause")
    assert (again.code, again.out) == (2, "")
    assert "league demo is paused already" in again.err


def test_cancel(run: Run, open_ledger: Path) -> None:
    assert decide(run, open_ledger, "cancel").out == "demo is cancelled\n"
    found = shown(run, open_ledger)
    assert (found["state"], found["matches"], found["planned"]) == ("cancelled", 1, 1)
    assert found["seed"] == played.SEED.hex()
    assert decide(run, open_ledger, "pause").code == 2


def test_withdraw(run: Run, open_ledger: Path) -> None:
    outcome = decide(run, open_ledger, "withdraw", "--reason", "it broke")
    assert outcome.out == "ann is withdrawn from demo\n"
    found = shown(run, open_ledger)
    assert [(bot["state"], bot["reason"]) for bot in found["entrants"]] == [
        ("withdrawn", "it broke"),
        ("in", ""),
    ]
    assert (found["state"], found["matches"], found["planned"]) == ("open", 1, 1)
    standings = json.loads(run("standings", "demo", "--json", "--db", open_ledger).out)
    assert (standings["withdrawn"], standings["disqualified"]) == (["ann"], [])
    assert {row["bot"] for row in standings["standings"]} == {"ann", "bob"}
    assert "withdrawn, plays no more: ann\n" in run("standings", "demo", "--db", open_ledger).out


def test_disqualify(run: Run, open_ledger: Path) -> None:
    outcome = decide(run, open_ledger, "disqualify")
    assert outcome.out == "ann is disqualified in demo\n"
    standings = json.loads(run("standings", "demo", "--json", "--db", open_ledger).out)
    assert (standings["disqualified"], standings["standings"]) == (["ann"], [])
    assert (standings["matches"], standings["planned"]) == (0, 0)
    out = run("standings", "demo", "--db", open_ledger).out
    assert "disqualified, its matches left out: ann\n" in out
    # Its matches stay recorded.
    assert shown(run, open_ledger)["matches"] == 1
    listed = json.loads(run("match", "list", "--json", "--db", open_ledger).out)["matches"]
    assert [match["state"] for match in listed] == ["counted", "void"]


@pytest.mark.parametrize("what", DECISIONS)
def test_of_a_league_that_is_not_there(run: Run, ledger: Path, what: str) -> None:
    outcome = run("league", what, "other", *DECISIONS[what], "--db", ledger)
    assert (outcome.code, outcome.out) == (3, "")
    assert "there is no league 'other'" in outcome.err


@pytest.mark.parametrize("what", ["withdraw", "disqualify"])
def test_of_a_bot_that_is_not_there(run: Run, ledger: Path, what: str) -> None:
    outcome = run("league", what, "demo", "dan", "--yes", "--db", ledger)
    assert (outcome.code, outcome.out) == (3, "")
    assert "there is no bot 'dan' in league demo" in outcome.err


@pytest.mark.parametrize("what", DECISIONS)
def test_a_reason_is_short(run: Run, open_ledger: Path, what: str) -> None:
    outcome = decide(run, open_ledger, what, "--reason", "x" * 201)
    assert outcome.code == 2
    assert "--reason: 201 characters: allowed are 200 at the most" in outcome.err
    assert shown(run, open_ledger)["state"] == "open"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("what", [what for what in DECISIONS if what != "pause"])
def test_what_cannot_be_undone_wants_a_yes(
    run: Run, open_ledger: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = shown(run, open_ledger)
    words = [word for word in ("league", what, "demo", *DECISIONS[what]) if word != "--yes"]
    outcome = run(*words, "--db", open_ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "That cannot be undone: say --yes" in outcome.err
    for answer in ("n\n", ""):
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        assert run(*words, "--db", open_ledger).code == 130
    after = shown(run, open_ledger)
    assert (after["state"], after["entrants"]) == (before["state"], before["entrants"])
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert run(*words, "--db", open_ledger).code == 0


FILE = """
name = "demo"
series = { games = 1 }
deals = 2
entrants = [{ name = "ann", path = "ann" }, { name = "bob", path = "bob" }]
"""


def test_a_cancelled_league_is_not_run(run: Run, tmp_path: Path, open_ledger: Path) -> None:
    (tmp_path / "league.toml").write_text(FILE)
    decide(run, open_ledger, "cancel", "--reason", "rain")
    outcome = run("league", "run", "league.toml", "--db", open_ledger)
    assert (outcome.code, outcome.out) == (2, "")
    assert "league demo is cancelled (rain): nothing of it is to be played any more" in outcome.err
