"""``league``: plans, runs and stops, with the play itself replaced by a script."""

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import referee.app.league
from referee.app.events import AttemptVoid, EntrantGone, Event, MatchDone
from referee.app.league import estimate_seconds
from referee.cli import league as cli
from referee.core.errors import HostFault
from referee.league.format import LeagueFormat
from referee.league.schedule import size
from referee.match.record import Result
from referee.store.entries import LeagueState
from referee.store.repository import Repository
from tests.support import played
from tests.support.bot_folders import make_bot
from tests.unit.cli.conftest import Run

FILE = """
name = "demo"
series = {{ games = 1 }}
deals = {deals}
entrants = [{{ name = "ann", path = "ann" }}, {{ name = "bob", path = "bob" }}]
"""

OnEvent = Callable[[Event], None]
Script = Callable[[OnEvent, threading.Event], None]


def done(number: int) -> MatchDone:
    won = Result((0, 5), (0, 0), (0, 5), (1, 2), (False, False), (0,))
    return MatchDone(f"demo/ann+bob/{number}/0", ("ann", "bob"), won, 1, 20, infractions=number)


class ScriptedRun:
    """Stands for a league that is open."""

    def __init__(self, league: LeagueFormat, script: Script) -> None:
        self.league = league
        self.state = LeagueState.OPEN
        self.counted = 0
        self.planned = self.remaining = size(league).matches
        self.jobs = 0
        self.ends_as = LeagueState.OPEN
        self._script = script

    def estimate_seconds(self, jobs: int) -> float:
        return estimate_seconds(self.league, jobs)

    def run(self, *, jobs: int, logs: Path, on_event: OnEvent, stop: threading.Event) -> None:
        self.jobs = jobs

        def count(event: Event) -> None:
            self.remaining -= isinstance(event, MatchDone)
            on_event(event)

        self._script(count, stop)
        self.state = self.ends_as


@pytest.fixture
def league_file(tmp_path: Path) -> Path:
    file = tmp_path / "league.toml"
    file.write_text(FILE.format(deals=2))
    return file


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Script], list[ScriptedRun]]:
    """Puts a script in the place of the play; the runs that were opened are listed."""

    def put(script: Script) -> list[ScriptedRun]:
        runs: list[ScriptedRun] = []

        def open_league(
            league: LeagueFormat, _folder: Path, repository: Repository, _seed: bytes | None
        ) -> ScriptedRun:
            if not runs:
                played.open_league(repository, league)
            runs.append(ScriptedRun(league, script))
            return runs[-1]

        monkeypatch.setattr(referee.app.league, "open_league", open_league)
        return runs

    return put


Play = Callable[[Script], list[ScriptedRun]]


def play_all(on_event: OnEvent, _stop: threading.Event) -> None:
    for number in range(4):
        on_event(done(number))


def test_run_to_the_end(run: Run, league_file: Path, play: Play) -> None:
    def script(on_event: OnEvent, stop: threading.Event) -> None:
        on_event(AttemptVoid("demo/ann+bob/1/0", 1, "host", "no memory\x1b", again=True))
        play_all(on_event, stop)

    play(script)
    outcome = run("league", "run", league_file)
    assert outcome.code == 0
    assert outcome.out == "demo: all 4 matches count\nsee: referee standings demo\n"
    assert r"attempt 1 is void (host: no memory\x1b); it is played again" in outcome.err
    last = outcome.err.splitlines()[-1]
    for told in ("4/4 matches", "leader ann 1.000", "infractions 6", "void 1"):
        assert told in last


def test_the_first_ctrl_c_stops_in_order(run: Run, league_file: Path, play: Play) -> None:
    def script(on_event: OnEvent, stop: threading.Event) -> None:
        on_event(done(1))
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.is_set()
        on_event(AttemptVoid("demo/ann+bob/2/0", 1, "interrupted", "stopped", again=False))

    play(script)
    outcome = run("league", "run", league_file)
    assert outcome.code == 130
    assert outcome.out == ""
    assert "demo/ann+bob/2/0" not in outcome.err
    assert outcome.err.splitlines()[-2:] == [
        "stopped: 1 of 4 matches of demo count",
        "the same command goes on from here",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_second_stops_at_once(
    run: Run, league_file: Path, play: Play, number: signal.Signals
) -> None:
    before = signal.getsignal(number)

    def script(on_event: OnEvent, stop: threading.Event) -> None:
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        on_event(done(1))

    (opened,) = (play(script),)
    assert run("league", "run", league_file).code == 130
    assert opened[0].remaining == 4
    assert signal.getsignal(number) is before


@pytest.mark.parametrize(
    ("state", "left", "lines"),
    [
        (
            LeagueState.PAUSED,
            3,
            ["paused: 1 of 4 matches of demo count", "the same command goes on from here"],
        ),
        (LeagueState.CANCELLED, 0, ["cancelled: 1 of 4 matches of demo count"]),
    ],
)
def test_an_operator_ends_it(
    run: Run, league_file: Path, play: Play, state: LeagueState, left: int, lines: list[str]
) -> None:
    def script(on_event: OnEvent, _stop: threading.Event) -> None:
        on_event(done(1))
        [opened] = runs
        opened.ends_as, opened.remaining = state, left

    runs = play(script)
    outcome = run("league", "run", league_file)
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err.splitlines()[-len(lines) :] == lines


def test_what_a_bot_that_leaves_was_to_play_is_not_waited_for(
    run: Run, league_file: Path, play: Play
) -> None:
    def script(on_event: OnEvent, _stop: threading.Event) -> None:
        on_event(done(1))
        on_event(EntrantGone("bob", "withdrawn", "it broke\x1b", planned=1))
        runs[0].remaining = 0

    runs = play(script)
    outcome = run("league", "run", league_file)
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "demo: all 1 matches count")
    told = r"warning: bob was withdrawn (it broke\x1b); planned matches now: 1"
    assert told in outcome.err.splitlines()
    assert outcome.err.splitlines()[-1].startswith("1/1 matches")


def test_a_host_that_fails(run: Run, league_file: Path, play: Play) -> None:
    def script(on_event: OnEvent, _stop: threading.Event) -> None:
        on_event(done(1))
        raise HostFault("2 matches were void")

    play(script)
    outcome = run("league", "run", league_file)
    assert outcome.code == 6
    assert outcome.err.endswith("error: 2 matches were void\n")
    assert "1/4 matches" in outcome.err


def test_jobs_fit_the_cores(
    run: Run, league_file: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = play(play_all)
    for cores, jobs in ((8, 4), (7, 3), (1, 1)):
        monkeypatch.setattr(cli, "_cores", lambda cores=cores: cores)
        outcome = run("league", "run", league_file)
        assert opened[-1].jobs == jobs
        assert "warning" not in outcome.err


def test_too_many_jobs_are_warned_of(
    run: Run, league_file: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = play(play_all)
    monkeypatch.setattr(cli, "_cores", lambda: 4)
    assert "warning" not in run("league", "run", league_file, "--jobs", 2).err
    outcome = run("league", "run", league_file, "--jobs", 3)
    assert "warning: --jobs 3 with 2 bots each are 6 bots on 4 cores" in outcome.err
    assert opened[-1].jobs == 3


def test_a_long_league_wants_a_yes(run: Run, league_file: Path, play: Play) -> None:
    league_file.write_text(FILE.format(deals=1_000_000))

    def script(on_event: OnEvent, _stop: threading.Event) -> None:
        on_event(done(1))

    opened = play(script)
    outcome = run("league", "run", league_file)
    assert outcome.code == 2
    assert "demo: 2000000 matches take about" in outcome.err
    assert "say --yes" in outcome.err
    assert [league.jobs for league in opened] == [0]
    run("league", "run", league_file, "--yes")
    assert opened[-1].jobs > 0


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "code", "plays"), [("y\n", 130, 1), ("n\n", 130, 0), ("", 130, 0)]
)
def test_somebody_at_a_terminal_is_asked(
    run: Run,
    league_file: Path,
    play: Play,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    code: int,
    plays: int,
) -> None:
    league_file.write_text(FILE.format(deals=1_000_000))
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    opened = play(lambda on_event, _: on_event(done(1)))
    outcome = run("league", "run", league_file)
    assert (outcome.code, sum(league.jobs > 0 for league in opened)) == (code, plays)
    assert "Play them?" in outcome.err


def test_plan(run: Run, league_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ann", "bob"):
        make_bot(league_file.with_name(name))
    monkeypatch.setattr(cli, "_cores", lambda: 4)
    found = json.loads(run("league", "plan", league_file, "--json").out)
    assert found.pop("seconds") >= 0
    assert found == {
        "league": "demo",
        "entrants": 2,
        "tables": 1,
        "sittings": 2,
        "matches": 4,
        "bot_processes": 4,
        "jobs": 2,
    }
    assert "matches         4" in run("league", "plan", league_file).out


@pytest.mark.parametrize("command", ["run", "plan"])
def test_all_entrants_that_are_wrong(run: Run, league_file: Path, command: str) -> None:
    outcome = run("league", command, league_file)
    assert outcome.code == 2
    assert [line for line in outcome.err.splitlines() if line.startswith("error: ")] == [
        f"error: {league_file.with_name(name)}: there is no such bot folder"
        for name in ("ann", "bob")
    ]


def test_schema(run: Run) -> None:
    schema = json.loads(run("league", "schema").out)
    assert "entrants" in schema["required"]


@pytest.mark.parametrize("command", ["run", "plan"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "not valid TOML"),
        ("", "entrants"),
        (FILE.format(deals=0), "deals"),
        (FILE.format(deals=1) + 'colour = "red"', "colour"),
        (FILE.format(deals=1) + 'profile = "skat"', "profile"),
    ],
)
def test_a_file_that_is_wrong(
    run: Run, tmp_path: Path, league_file: Path, command: str, text: str, told: str
) -> None:
    league_file.write_text(text)
    outcome = run("league", command, league_file)
    assert (outcome.code, outcome.out) == (2, "")
    assert all(line.startswith("error: ") for line in outcome.err.splitlines())
    assert "league.toml" in outcome.err
    assert told in outcome.err
    assert [file.name for file in tmp_path.iterdir()] == ["league.toml"]


def test_a_file_that_is_not_there(run: Run) -> None:
    outcome = run("league", "run", "nowhere.toml")
    assert (outcome.code, outcome.out) == (2, "")
    assert "nowhere.toml" in outcome.err


def test_an_entrant_without_a_folder(run: Run, league_file: Path) -> None:
    outcome = run("league", "run", league_file)
    assert outcome.code == 2
    assert "there is no such bot folder" in outcome.err
    assert run("league", "list", "--json").out == '{\n  "leagues": []\n}\n'


def test_a_wrong_seed(run: Run, league_file: Path) -> None:
    outcome = run("league", "run", league_file, "--seed", "00")
    assert outcome.code == 2
    assert "64 hex digits" in outcome.err
