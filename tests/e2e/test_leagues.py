"""A league as its operator runs it: the same play whatever happens on the way."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from referee.app import pool
from referee.app.league import open_league
from referee.core.errors import HostFault
from referee.league.format import load_league
from referee.store.database import Database
from referee.store.repository import Repository
from tests.e2e.conftest import Referee
from tests.support.bot_folders import SAMPLES, make_bot, make_league
from tests.support.commands import finish, play, start
from tests.support.host import await_end, processes_in

pytestmark = [pytest.mark.linux, pytest.mark.timeout(300)]

SEED: Final = "5a" * 32
TIMES: Final = {"mean_answer_us", "p99_answer_us"}


def matches(referee: Referee, db: object) -> dict[str, dict[str, Any]]:
    """What counts, by match key."""
    listed = json.loads(referee("match", "list", "--league", "cup", "--json", "--db", db).out)
    return {match["match_key"]: match["result"] for match in listed["matches"] if match["result"]}


def digests(referee: Referee, db: object) -> dict[str, str]:
    return {key: result["play_digest"] for key, result in matches(referee, db).items()}


def attempts(referee: Referee, db: object) -> list[dict[str, Any]]:
    found = json.loads(referee("attempts", "cup", "--json", "--db", db).out)["attempts"]
    assert isinstance(found, list)
    return found


def standings(referee: Referee, db: object) -> list[object]:
    """As JSON and as CSV, without the times that answers took."""
    report = json.loads(referee("standings", "cup", "--json", "--db", db).out)
    rows = csv.DictReader(io.StringIO(referee("standings", "cup", "--csv", "--db", db).out))
    return [report["state"], report["matches"]] + [
        {name: value for name, value in row.items() if name not in TIMES}
        for row in [*report["standings"], *rows]
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_the_play_follows_from_file_and_seed(tmp_path: Path, referee: Referee) -> None:
    names = ["random", "greedy", "holdback"]
    file = make_league(tmp_path, [SAMPLES / name for name in names], table_size=3)
    for jobs in (1, 2):
        play(tmp_path, "league", "run", file, "--seed", SEED, "--jobs", jobs, "--db", f"{jobs}.db")
    one, two = (digests(referee, f"{jobs}.db") for jobs in (1, 2))
    assert one == two
    assert list(one) == [f"cup/greedy+holdback+random/1/{rotation}" for rotation in range(3)]
    assert len(set(one.values())) == 3
    assert standings(referee, "1.db") == standings(referee, "2.db")


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_table_of_four_moves_on_by_one_seat(tmp_path: Path, referee: Referee) -> None:
    names = ["ann", "bob", "cleo", "dan"]
    file = make_league(tmp_path, [make_bot(tmp_path / name) for name in names], table_size=4)
    play(tmp_path, "league", "run", file, "--seed", SEED, "--jobs", 2, "--db", "four.db")
    seated = [
        [seat["bot"] for seat in result["seats"]] for result in matches(referee, "four.db").values()
    ]
    assert sorted(seated[0]) == names
    assert seated == [seated[0][-turn:] + seated[0][:-turn] for turn in range(4)]
    assert referee("replay", "verify", "--league", "cup", "--db", "four.db").code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_ctrl_c(
    tmp_path: Path, cup: Path, meet: Callable[[], int], database_url: str, referee: Referee
) -> None:
    run = ("league", "run", cup, "--seed", SEED, "--jobs", 2)
    process = start(tmp_path, *run, "--db", database_url)
    meet()
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130, out + err
    assert "Traceback" not in err
    await_end(processes_in(tmp_path))

    counted = set(matches(referee, database_url))
    before = attempts(referee, database_url)
    assert 0 < len(counted) < 6
    assert {attempt["cause"] for attempt in before} == {None, "interrupted"}
    assert len(before) == len({attempt["match_key"] for attempt in before})

    (tmp_path / "met").unlink()
    play(tmp_path, *run, "--db", database_url)
    after = attempts(referee, database_url)
    assert [attempt for attempt in after if attempt["match_key"] in counted] == [
        attempt for attempt in before if attempt["match_key"] in counted
    ]
    play(tmp_path, *run, "--db", "uninterrupted.db")
    assert digests(referee, database_url) == digests(referee, "uninterrupted.db")
    assert standings(referee, database_url) == standings(referee, "uninterrupted.db")


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_killed_referee(
    tmp_path: Path, cup: Path, meet: Callable[[], int], referee: Referee
) -> None:
    run = ("league", "run", cup, "--jobs", 2, "--db", "cup.db")
    process = start(tmp_path, *run)
    meet()
    there = processes_in(tmp_path)
    assert len(there) > 3
    process.kill()
    finish(process)
    await_end(there)
    assert processes_in(tmp_path) == []

    (tmp_path / "met").unlink()
    play(tmp_path, *run)
    assert len(matches(referee, "cup.db")) == 6
    found = attempts(referee, "cup.db")
    assert Counter(attempt["status"] for attempt in found)["counted"] == 6
    assert {attempt["cause"] for attempt in found} == {None, "interrupted"}


@pytest.mark.usefixtures("nothing_left")
def test_a_killed_referee_of_a_single_match(tmp_path: Path, referee: Referee) -> None:
    bots = (make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob", "says_nothing_more"))
    process = start(tmp_path, "match", "run", *bots, "--clock", "off", "--db", "cup.db")
    while not processes_in(bots[1]):
        assert process.poll() is None
        time.sleep(0.05)
    there = processes_in(tmp_path)
    process.kill()
    finish(process)
    await_end(there)
    assert states(referee) == ["running"]

    play(tmp_path, "match", "run", bots[0], bots[0], "--clock", "60s", "--db", "cup.db")
    assert states(referee) == ["void", "counted"]


def states(referee: Referee) -> list[str]:
    listed = json.loads(referee("match", "list", "--json", "--db", "cup.db").out)
    return [match["state"] for match in listed["matches"]]


@pytest.mark.usefixtures("nothing_left")
def test_a_second_referee_is_refused(
    tmp_path: Path, cup: Path, meet: Callable[[], int], referee: Referee
) -> None:
    process = start(tmp_path, "league", "run", cup, "--jobs", 1, "--db", "cup.db")
    meet()
    second = referee("league", "run", cup, "--db", "cup.db")
    assert second.code == 2
    assert f"is being run by process {process.pid} on" in second.err
    assert "running" in {attempt["status"] for attempt in attempts(referee, "cup.db")}
    os.killpg(process.pid, signal.SIGINT)
    code, out, err = finish(process)
    assert code == 130, out + err


@pytest.mark.usefixtures("nothing_left")
def test_a_killed_worker(
    tmp_path: Path, cup: Path, meet: Callable[[], int], referee: Referee
) -> None:
    process = start(tmp_path, "league", "run", cup, "--jobs", 2, "--db", "cup.db")
    bot = psutil.Process(meet())
    (tmp_path / "met").unlink()
    _supervisor, worker, command = bot.parents()[:3]
    assert command.pid == process.pid
    worker.kill()
    code, out, err = finish(process)
    assert code == 0, out + err
    assert "a worker process ended unexpectedly" in err
    await_end(processes_in(tmp_path))

    assert len(matches(referee, "cup.db")) == 6
    found = attempts(referee, "cup.db")
    assert Counter(attempt["status"] for attempt in found)["counted"] == 6
    lost = [attempt for attempt in found if attempt["status"] == "void"]
    assert {(attempt["cause"], attempt["detail"]) for attempt in lost} == {
        ("host", "a worker process ended unexpectedly")
    }
    # Each was played again, once.
    assert all(attempt["number"] == 1 for attempt in lost)
    assert len(found) == 6 + len(lost)
    assert referee("replay", "verify", "--league", "cup", "--db", "cup.db").code == 0


STOPS_ITS_REFEREE: Final = """
import os, signal
from pathlib import Path
from elfer import Bot, run

class Stopper(Bot):
    def answer(self, turn):
        if turn.points[turn.match.seat] > min(turn.points):
            stat = Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGSTOP)
            signal.pause()
        return [max(turn.fits)]

run(Stopper)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_left")
def test_a_bot_that_stops_its_referee_when_it_is_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gains no result by that, and is named."""
    monkeypatch.setattr(pool, "SILENCE_SECONDS", 10.0)
    bots = [make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob")]
    (bots[1] / "bot.py").write_text(STOPS_ITS_REFEREE)
    file = make_league(tmp_path, bots, rotations="none")
    file.write_text(file.read_text().replace("games = 1", "games = 20"))
    with Database.open(str(tmp_path / "cup.db")) as database:
        repository = Repository(database)
        league = open_league(load_league(file), tmp_path, repository, bytes.fromhex(SEED))
        with pytest.raises(HostFault, match=r"void 3 times; .* last then: bob \(3\);"):
            league.run(
                jobs=1, logs=tmp_path / "logs", on_event=lambda _: None, stop=threading.Event()
            )
        assert {attempt.detail for attempt in repository.attempts("cup")} == {
            "a worker process was not heard of for 10 s"
        }
    await_end(processes_in(tmp_path))


@pytest.fixture
def begun(tmp_path: Path, cup: Path) -> Path:
    """A league that has begun and has played nothing."""
    stopped = threading.Event()
    stopped.set()
    with Database.open(str(tmp_path / "cup.db")) as database:
        league = open_league(load_league(cup), tmp_path, Repository(database), bytes.fromhex(SEED))
        league.run(jobs=1, logs=tmp_path / "logs", on_event=lambda _: None, stop=stopped)
    return cup


def test_a_changed_file_is_refused(referee: Referee, begun: Path) -> None:
    begun.write_text(begun.read_text().replace('move = "60s"', 'move = "1s"'))
    outcome = referee("league", "run", begun, "--db", "cup.db")
    assert outcome.code == 2
    assert 'time.move was "1m" and is "1s"' in outcome.err


def test_another_seed_is_refused(referee: Referee, begun: Path) -> None:
    outcome = referee("league", "run", begun, "--db", "cup.db", "--seed", "00" * 32)
    assert outcome.code == 2
    assert "another seed" in outcome.err
    assert SEED not in outcome.err


def test_an_entrants_changed_files_are_refused(referee: Referee, begun: Path) -> None:
    with (begun.parent / "bob" / "bot.py").open("a") as file:
        file.write("# changed\n")
    outcome = referee("league", "run", begun, "--db", "cup.db")
    assert outcome.code == 2
    assert "the files of bob" in outcome.err


def test_a_long_league_wants_to_be_asked_for(tmp_path: Path, cup: Path, referee: Referee) -> None:
    file = make_league(tmp_path, [tmp_path / "ann", tmp_path / "bob"], name="long", deals=100_000)
    planned = json.loads(referee("league", "plan", file, "--json").out)
    assert (planned["tables"], planned["matches"]) == (1, 200_000)
    assert planned["sittings"] == 20_000
    assert planned["seconds"] > 3600
    code, _, err = finish(start(tmp_path, "league", "run", file, "--db", "long.db"))
    assert code == 2
    assert "--yes" in err
    assert referee("league", "list", "--json", "--db", "long.db").out.split() == [
        "{",
        '"leagues":',
        "[]",
        "}",
    ]
