"""Worker processes, from their birth on."""

from __future__ import annotations

import os
import re
import signal
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import psutil
import pytest

from referee.app import pool as app_pool
from referee.app.bots import load_bots
from referee.app.pool import Over, Pool
from referee.app.sitting import Played, SittingOrder
from tests.support.bot_folders import make_bot
from tests.support.sittings import sitting_of

pytestmark = pytest.mark.linux


@pytest.fixture
def order(tmp_path: Path) -> SittingOrder:
    bots = load_bots([make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob")])
    return sitting_of(bots, tmp_path / "logs")


def die(_parent: int, _folder: str) -> None:
    os._exit(1)


def test_a_worker_that_dies_before_it_begins(
    order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pool(1) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(app_pool, "_begin_worker", die)
            pool._executor = pool._new_executor()
        pool.submit(order)
        assert outcome(pool) == [Over("a worker process ended unexpectedly")]
        # The pool is as good as new.
        pool.submit(order)
        played, over = outcome(pool)
        assert isinstance(played, Played)
        assert over == Over(None)


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


def say_much(_: SittingOrder, connection: Connection[Any, Any]) -> None:
    with connection:
        connection.send(bytes(2**23))


def test_a_worker_that_nobody_listens_to_any_more(
    order: SittingOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as when the database fails just as a worker reports more than a pipe holds."""
    monkeypatch.setattr(app_pool, "_work", say_much)
    with Pool(1) as pool:
        pool.submit(order)
        wait(list(pool._running))
    assert [running.future.done() for running in pool._running.values()] == [True]


def outcome(pool: Pool) -> list[object]:
    seen: list[object] = []
    while not pool.idle:
        seen += [what for _, what in pool.events(0.2)]
    return seen


def deaf_to(pid: int, number: signal.Signals) -> bool:
    """Whether a process blocks or ignores a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    masks = [
        int(mask, 16) for mask in re.findall(r"^Sig(?:Blk|Ign):\s*(\w+)", status, re.MULTILINE)
    ]
    return any(mask >> (number - 1) & 1 for mask in masks)
