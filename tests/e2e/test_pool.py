"""Worker processes, from their birth on."""

from __future__ import annotations

import os
import re
import signal
import struct
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
import pytest

from referee.app import pool as app_pool
from referee.app.bots import load_bots
from referee.app.pool import Pool
from referee.app.sitting import Played, SittingOrder, Standing
from referee.app.worker import BEAT_SECONDS, Over
from referee.match.clock import TimeControl
from tests.support.bot_folders import make_bot
from tests.support.sittings import sitting_of

pytestmark = pytest.mark.linux


@pytest.fixture
def order(tmp_path: Path) -> SittingOrder:
    bots = load_bots([make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob")])
    return sitting_of(bots, tmp_path / "logs")


def die(*_: object) -> None:
    os._exit(1)


def test_a_worker_that_dies_before_it_begins(
    order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pool(1) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(app_pool, "work", die)
            pool.submit(order)
        assert outcome(pool) == [Over("a worker process ended unexpectedly")]
        # The pool is as good as new.
        pool.submit(order)
        played, over = outcome(pool)
        assert isinstance(played, Played)
        assert over == Over(None)


def test_a_worker_that_ended_while_it_had_nothing_to_do(order: SittingOrder) -> None:
    before = set(psutil.Process().children())
    with Pool(1) as pool:
        pool.submit(order)
        outcome(pool)
        [worker] = workers(before)
        worker.kill()
        worker.wait()
        pool.submit(order)
        assert outcome(pool) == [Over("a worker process ended unexpectedly")]


@pytest.mark.usefixtures("nothing_left")
def test_a_worker_that_is_stopped_loses_its_own_sitting_alone(
    tmp_path: Path, order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = load_bots([make_bot(tmp_path / "cleo"), make_bot(tmp_path / "dan", "says_nothing_more")])
    stuck = replace(sitting_of(bots, tmp_path / "logs"), time_control=TimeControl(None))
    before = set(psutil.Process().children())
    with Pool(2) as pool:
        pool.submit(stuck)
        [worker] = workers(before)
        while pool._workers[0].standing is None:
            assert not list(pool.events(0.1))
        worker.suspend()
        monkeypatch.setattr(app_pool, "SILENCE_SECONDS", 2 * BEAT_SECONDS)
        [over] = outcome(pool)
        assert not worker.is_running()
        monkeypatch.undo()
        # Another takes its place.
        pool.submit(order)
        assert [type(what) for what in outcome(pool)] == [Played, Over]
    assert isinstance(over, Over)
    assert over.lost == "a worker process was not heard of for 2 s"
    # How it stood may be a reason to stop one's worker.
    assert over.standing == Standing("match/a", {"cleo": 0, "dan": 0})


def test_a_worker_that_is_killed_loses_its_own_sitting_alone(
    tmp_path: Path, order: SittingOrder
) -> None:
    bots = load_bots([make_bot(tmp_path / "cleo"), make_bot(tmp_path / "dan", "says_nothing_more")])
    waiting = replace(sitting_of(bots, tmp_path / "logs"), time_control=TimeControl(None))
    before = set(psutil.Process().children())
    with Pool(2) as pool:
        pool.submit(waiting)
        [worker] = workers(before)
        pool.submit(order)
        worker.kill()
        seen = events(pool)
    assert [what for which, what in seen if which is waiting] == [
        Over("a worker process ended unexpectedly")
    ]
    assert [type(what) for which, what in seen if which is order] == [Played, Over]


def test_time_in_which_the_parent_was_stopped_is_no_silence(order: SittingOrder) -> None:
    with Pool(1) as pool:
        pool.submit(order)
        pool._looked -= 3600
        assert [type(what) for what in outcome(pool)] == [Played, Over]


def stop_in_the_middle_of_a_word(connection: Connection[Any, Any], *_: object) -> None:
    os.write(connection.fileno(), struct.pack("!i", 2**20) + bytes(1000))
    os.kill(os.getpid(), signal.SIGSTOP)


def test_a_worker_that_is_stopped_while_it_reports(
    order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_pool, "SILENCE_SECONDS", 2 * BEAT_SECONDS)
    monkeypatch.setattr(app_pool, "work", stop_in_the_middle_of_a_word)
    with Pool(1) as pool:
        pool.submit(order)
        assert outcome(pool) == [Over("a worker process was not heard of for 2 s")]


def test_ctrl_c_never_reaches_a_worker(order: SittingOrder) -> None:
    before = set(psutil.Process().children())
    ourselves = deaf_to(os.getpid(), signal.SIGINT)
    with Pool(1) as pool:
        pool.submit(order)
        assert [deaf_to(worker.pid, signal.SIGINT) for worker in workers(before)] == [True]
        outcome(pool)
    assert deaf_to(os.getpid(), signal.SIGINT) == ourselves


def test_who_stops_at_once_waits_for_no_worker_that_is_stuck(order: SittingOrder) -> None:
    before = set(psutil.Process().children())
    pool = Pool(1)
    pool.submit(order)
    [worker] = workers(before)
    worker.suspend()
    pool.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert workers(before) == []


def workers(before: set[psutil.Process]) -> list[psutil.Process]:
    return [
        process
        for process in set(psutil.Process().children()) - before
        if "resource_tracker" not in " ".join(process.cmdline())
    ]


def say_much(connection: Connection[Any, Any], *_: object) -> None:
    with connection:
        connection.recv()
        connection.send(bytes(2**23))
        connection.recv()


def test_a_worker_that_nobody_listens_to_any_more(
    order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as when the database fails just as a worker reports more than a pipe holds."""
    before = set(psutil.Process().children())
    monkeypatch.setattr(app_pool, "work", say_much)
    with Pool(1) as pool:
        pool.submit(order)
        [worker] = pool._workers
    assert worker.process.exitcode == 0
    assert workers(before) == []


def outcome(pool: Pool) -> list[object]:
    return [what for _, what in events(pool)]


def events(pool: Pool) -> list[tuple[SittingOrder, object]]:
    seen: list[tuple[SittingOrder, object]] = []
    while not pool.idle:
        seen += pool.events(0.2)
    return seen


def deaf_to(pid: int, number: signal.Signals) -> bool:
    """Whether a process blocks or ignores a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    masks = [
        int(mask, 16) for mask in re.findall(r"^Sig(?:Blk|Ign):\s*(\w+)", status, re.MULTILINE)
    ]
    return any(mask >> (number - 1) & 1 for mask in masks)
