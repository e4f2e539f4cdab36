"""``bot log``: what bots printed, found again, and how long their answers took."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee.app.logs import log_path
from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, Reply, Stray
from referee.match.record import MatchRecord
from tests.support import matches, played
from tests.unit.cli.conftest import Run, repository_of
from tests.unit.cli.test_docs import CLI, field_names

KEY = "demo/ann+bob/1/0"
LINES = [
    "- # process 1 started",
    f"{KEY} game 1 turn 2 | thinking",
    f"{KEY} game 1 turn 3 | [red]hm[/red]",
    f"{KEY}1 game 1 turn 3 | another",
]


def write_log(ledger: Path, bot: str, sitting: str, lines: Sequence[str], age: int = 0) -> None:
    file = log_path(ledger.with_name(f"{ledger.stem}-logs"), bot, sitting)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines))
    os.utime(file, (1000 - age, 1000 - age))


@pytest.fixture
def logs(ledger: Path) -> None:
    """Two sittings of ann's: the older has no lines of a match."""
    write_log(ledger, "ann", "new", LINES)
    write_log(ledger, "ann", "old", ["- # old"], age=1)


@pytest.mark.usefixtures("logs")
def test_all_of_a_bot(run: Run, ledger: Path) -> None:
    assert run("bot", "log", "ann", "--db", ledger).out.splitlines() == ["- # old", *LINES]


@pytest.mark.usefixtures("logs")
def test_one_match(run: Run, ledger: Path) -> None:
    line = ("bot", "log", "ann", "--match", KEY, "--db", ledger)
    assert run(*line).out.splitlines() == LINES[1:3]
    found = json.loads(run(*line, "--json").out)
    assert (found["bot"], found["match"], found["lines"]) == ("ann", KEY, LINES[1:3])
    assert (found["held_back"], found["infractions"]) == (0, [])
    assert {ask["limit_us"] for ask in found["asks"]} == {2_000_000}
    assert {name for name in field_names(found) if f"`{name}`" not in CLI} == set()


@pytest.mark.parametrize("name", ["bob", "", ".", "..", "../ledger-logs/ann", "ann/", "\x1b[2J"])
@pytest.mark.usefixtures("logs")
def test_a_bot_without_logs(run: Run, ledger: Path, name: str) -> None:
    outcome = run("bot", "log", name, "--db", ledger)
    assert (outcome.code, outcome.out) == (3, "")
    assert "no log of a bot" in outcome.err
    assert "\x1b" not in outcome.err


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["ann", "--match", "match/1"], 3, "there is no match 'match/1'"),
        (["eve", "--match", KEY, "--times"], 3, f"{KEY}: no bot 'eve' played in it"),
        (["ann", "--times"], 2, "say --match MATCH, too"),
        (["ann", "--trouble"], 2, "say --match MATCH, too"),
        (["ann", "--match", KEY, "--times", "--json"], 2, "allowed is one of them"),
    ],
)
@pytest.mark.usefixtures("logs")
def test_what_is_wrong_is_told(
    run: Run, ledger: Path, arguments: list[str], code: int, told: str
) -> None:
    outcome = run("bot", "log", *arguments, "--db", ledger)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err


# Times and trouble, of a match in which much went wrong.

LATE = Evidence(2_500_000, bot_cpu_us=2_400_000, excused_us=250_000, excuse="the host was busy\x1b")


def _troubled() -> MatchRecord:
    """ann is refused, then late, breaks the protocol aside, crashes twice and so forfeits."""
    control = TimeControl(bank_us=100_000, match_limit_us=60_000_000)
    crash = Fault(Infraction.CRASHED, matches.QUICK, "exited with status 3")
    legal = matches.honest(1)
    script = iter(
        [Reply((80, 1), matches.QUICK), Fault(Infraction.LATE, LATE, ""), None, crash, crash]
    )

    def answer(ask: Ask) -> Reply | Fault:
        return next(script) or legal.answer(ask)

    ann = matches.ScriptedPlayer(answer)
    ann.stray.append(Stray(Infraction.EARLY, "an answer before its question"))
    setup = replace(matches.setup(2), time_control=control)
    record = matches.record_of(
        matches.play(setup, [ann, matches.honest(2)]), match_key="match/1", time_control=control
    )
    seats = [replace(seat, bot=bot) for seat, bot in zip(record.seats, ("ann", "bob"), strict=True)]
    return replace(record, seats=tuple(seats))


@pytest.fixture
def troubled(tmp_path: Path) -> Path:
    """A database with that match, and ann's log of it and of an attempt that was void."""
    record, file = _troubled(), tmp_path / "troubled.db"
    with repository_of(file) as repository:
        attempt = repository.open_single(record.match_key, host="here", worker="1")
        repository.count(attempt, record, played.stored(record))
    first, second, third, fourth, fifth = (ask for ask in record.asks if ask.seat == 0)
    assert (first.turn, second.try_) == (second.turn, 2)
    lines = [
        "match/1 game 0 turn 0 # ann started",
        f"match/1 game 1 turn {first.turn} | B20 and R1, why not?",
        f"match/1 game 1 turn {third.turn} | fine",
        f"match/1 game 1 turn {fourth.turn} | Traceback",
        f"match/1 game 1 turn {fourth.turn} # exited with status 3",
        f"match/1 game 1 turn {fourth.turn} # it was asked: hand R1",
        f"match/1 game 1 turn {fifth.turn} # exited again",
    ]
    write_log(file, "ann", "sitting", lines)
    write_log(file, "ann", "void", ["match/1 game 1 turn 3 | of the void attempt"], age=1)
    return file


def test_times_are_a_table(run: Run, troubled: Path) -> None:
    line = ("bot", "log", "ann", "--match", "match/1", "--times", "--db", troubled)
    title, *rows = run(*line).out.splitlines()
    assert re.split(r"  +", title.strip()) == [
        *("game", "turn", "try", "limit ms", "bank ms", "match ms", "elapsed ms", "excused ms"),
        *("counted ms", "CPU ms", "came of it", "excused for"),
    ]
    cells = [re.split(r"  +", row.strip()) for row in rows]
    assert [row[-1] for row in cells] == [
        *("not_adjacent (§4.3)", r"the host was busy\x1b", "accepted"),
        *("crashed (§7.4)", "crashed (§7.4)"),
    ]
    assert cells[1][2:11] == [
        *("2", "2000", "100", "60000", "2500", "250", "2250", "2400", "late (§7.4)"),
    ]
    assert cells[2][4] == "0"


def test_times_without_banks_and_excuses_are_narrow(run: Run, ledger: Path) -> None:
    title = run("bot", "log", "ann", "--match", KEY, "--times", "--db", ledger).out.splitlines()[0]
    assert re.split(r"  +", title.strip()) == [
        *("game", "turn", "try", "limit ms", "elapsed ms", "excused ms", "counted ms"),
        "came of it",
    ]


def test_trouble_has_rulings_figures_and_the_lines_around(run: Run, troubled: Path) -> None:
    outcome = run("bot", "log", "ann", "--match", "match/1", "--trouble", "--db", troubled)
    assert (outcome.code, outcome.err) == (0, "")
    refused, crash, again = outcome.out.split("\n\n")
    for told in (
        "!! early (an answer before its question), penalty 10, then: none",
        "!! illegal (",
        "!! late, penalty 20, then: house",
        "try 1: B20 R1: not_adjacent (§4.3)",
        "elapsed 2500, excused 250, counted 2250, CPU 2400",
        r"excused for: the host was busy\x1b",
        "ann started\n",
        "| B20 and R1, why not?",
    ):
        assert told in refused
    assert "void" not in outcome.out
    assert "| fine\n" in crash
    assert crash.index("then: restart") < crash.index("| Traceback") < crash.index("hand R1")
    assert "then: forfeit" in again
    assert again.endswith("# exited again\n")
    assert "Traceback" not in again


def test_a_match_without_trouble(run: Run, ledger: Path) -> None:
    write_log(ledger, "ann", "new", LINES)
    outcome = run("bot", "log", "ann", "--match", KEY, "--trouble", "--db", ledger)
    assert (outcome.code, outcome.out) == (0, "No infractions.\n")


def test_what_would_tell_hands_is_held_back(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    league = played.league_format(deals=2)
    plans = sorted(played.plans(league), key=lambda plan: (plan.deal, plan.rotation))
    with repository_of(file) as repository:
        played.open_league(repository, league)
        for plan in plans[:3]:
            played.count(repository, plan)
    over, _, secret, _ = (plan.match_key for plan in plans)
    lines = [
        "- # started",
        f"{over} game 1 turn 2 | my hand",
        f"{secret} game 1 turn 2 | my other hand",
        f"{over} game 1 turn 3 | it remembers the other",
        "- | and here, too",
    ]
    write_log(file, "ann", "first", lines)
    write_log(file, "ann", "second", ["- # started again"], age=-1)
    outcome = run("bot", "log", "ann", "--db", file)
    assert outcome.out.splitlines() == [*lines[:2], "- # started again"]
    assert "3 lines held back" in outcome.err
    assert "§10.4" in outcome.err
    for options in ([], ["--times"], ["--trouble"], ["--json"]):
        outcome = run("bot", "log", "ann", "--match", secret, *options, "--db", file)
        assert (outcome.code, outcome.out) == (2, "")
        assert "§10.4" in outcome.err
    found = json.loads(run("bot", "log", "ann", "--match", over, "--json", "--db", file).out)
    assert (found["lines"], found["held_back"]) == ([lines[1]], 1)
    with repository_of(file) as repository:
        played.count(repository, plans[3])
    assert run("bot", "log", "ann", "--match", secret, "--db", file).out.splitlines() == [lines[2]]
