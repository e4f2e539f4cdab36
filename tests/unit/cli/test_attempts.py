"""``referee attempts``: the list, its filters, rates and warnings."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.cli.attempts import Cause, Status
from referee.store.entries import AttemptStatus, VoidCause
from tests.support import ledgers
from tests.unit.cli.conftest import Outcome, Run, repository_of


def data(outcome: Outcome) -> Any:
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


@pytest.fixture
def bad_ledger(open_ledger: Path) -> Path:
    """On host ``bad`` three attempts broke off at a question to ann, and one was interrupted."""
    with repository_of(open_ledger) as repository:
        for deal, standing in ((1, {"ann": 31, "bob": 7}), (2, {"ann": 0, "bob": 7}), (2, None)):
            plan = ledgers.make_plan(deal, 1)
            attempt = ledgers.open_one(repository, plan, host="bad")
            repository.void(attempt, VoidCause.HOST, "starved\x1b[2J", "ann", standing)
        plan = ledgers.make_plan(2, 1)
        attempt = ledgers.open_one(repository, plan, host="bad")
        repository.void(attempt, VoidCause.INTERRUPTED, "the league was stopped")
    return open_ledger


def test_void_attempts_tell_why_at_whose_question_and_whom_it_hurt(
    run: Run, bad_ledger: Path
) -> None:
    outcome = run("attempts", "demo", "--db", bad_ledger)
    assert outcome.code == 0
    line = next(line for line in outcome.out.splitlines() if "ann 31" in line)
    words = line.split()
    assert words[:4] == ["demo/ann+bob/1/1", "1", "void", "host"]
    assert words[4:11] == ["ann", "ann", "31", "bob", "7", "bob", "ann"]
    assert words[-1] == r"starved\x1b[2J"
    entry = data(run("attempts", "demo", "--json", "--db", bad_ledger))["attempts"][1]
    assert (entry["bot"], entry["led"], entry["trailed"]) == ("ann", ["bob"], ["ann"])


def test_rates_and_warnings(run: Run, bad_ledger: Path) -> None:
    outcome = run("attempts", "demo", "--db", bad_ledger)
    warning = (
        "host bad: 3 of 3 attempts were void by the host; from 10% on, matches are void again "
        "and again"
    )
    assert outcome.err == f"warning: {warning}\n"
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["bad", "3", "3", "100.0%", "0", "1", "0", "0", "-"] in lines
    assert ["here", "2", "1", "50.0%", "0", "0", "4", "1", "25.0%"] in lines
    assert ["ann", "5", "4", "80.0%", "3", "1", "2", "0", "0.0%"] in lines
    assert ["bob", "5", "4", "80.0%", "0", "0", "2", "1", "50.0%"] in lines
    found = data(run("attempts", "demo", "--json", "--db", bad_ledger))
    assert found["warnings"] == [warning]
    assert [rates["host"] for rates in found["hosts"]] == ["bad", "here"]
    assert found["hosts"][0]["void_by_host_expected"] == 1.5
    assert [rates["asked_and_last"] for rates in found["bots"]] == [1, 0]


@pytest.mark.parametrize(
    ("filters", "number"),
    [
        ((), 6),
        (("--status", "void"), 5),
        (("--status", "counted"), 1),
        (("--status", "running"), 0),
        (("--cause", "host"), 4),
        (("--cause", "interrupted"), 1),
        (("--host", "bad"), 4),
        (("--host", "nobodys"), 0),
        (("--bot", "ann"), 6),
        (("--host", "bad", "--cause", "host", "--status", "void"), 3),
    ],
)
def test_what_is_listed_can_be_narrowed_and_rates_stay(
    run: Run, bad_ledger: Path, filters: tuple[str, ...], number: int
) -> None:
    found = data(run("attempts", "demo", *filters, "--json", "--db", bad_ledger))
    whole = data(run("attempts", "demo", "--json", "--db", bad_ledger))
    assert len(found["attempts"]) == number
    for name in ("hosts", "bots", "warnings"):
        assert found[name] == whole[name]
    assert ("No attempts." in run("attempts", "demo", *filters, "--db", bad_ledger).out) == (
        number == 0
    )


def test_the_words_of_the_filters_are_the_ledgers() -> None:
    assert set(get_args(Status)) == set(AttemptStatus)
    assert set(get_args(Cause)) == set(VoidCause)


def test_an_unknown_bot_or_word(run: Run, ledger: Path) -> None:
    outcome = run("attempts", "demo", "--bot", "nobody", "--db", ledger)
    assert outcome == (3, "", "error: there is no bot 'nobody' in league 'demo'\n")
    assert run("attempts", "demo", "--cause", "bot", "--db", ledger).code == 2


def test_a_match_shows_its_attempts_alike(run: Run, bad_ledger: Path) -> None:
    key = "demo/ann+bob/1/1"
    shown = data(run("match", "show", key, "--json", "--db", bad_ledger))["attempts"]
    listed = data(run("attempts", "demo", "--json", "--db", bad_ledger))["attempts"]
    assert shown == [entry for entry in listed if entry["match_key"] == key]
