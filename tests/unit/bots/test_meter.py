"""What is measured while a bot is asked: in a ``/proc`` of the test's, and in the real one."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.bots.meter import Host, ProcMeter, meter_of
from referee.bots.process import BotProcess
from referee.bots.reckoning import ON_TIME_NS
from referee.bots.threads import MOST_THREADS, Thread, Threads, threads_below, threads_of
from referee.match.excuse import BotWaits, Waits
from tests.support.proc import FakeProc

pytestmark = pytest.mark.linux

MS = 1_000_000
SUPERVISOR, BOT, CHILD = 500, 600, 700
NOTHING = Waits(bot=BotWaits(0, 0, 0, 0, 0, 1.0))


@pytest.fixture
def proc(tmp_path: Path) -> FakeProc:
    """A supervisor with a bot of two threads, the second of which has started a process."""
    proc = FakeProc(tmp_path)
    proc.thread(SUPERVISOR, SUPERVISOR, children=f"{BOT} ")
    proc.thread(BOT, BOT, ran=100, waited=10)
    proc.thread(BOT, BOT + 1, children=f"{CHILD} ")
    proc.thread(CHILD, CHILD)
    return proc


@pytest.fixture
def host(proc: FakeProc, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    return Host(str(proc.folder))


@pytest.fixture
def meter(host: Host) -> Iterator[ProcMeter]:
    meter = ProcMeter(host, BOT, SUPERVISOR)
    yield meter
    meter.close()


def bot(waits: Waits) -> BotWaits:
    assert waits.bot is not None
    return waits.bot


def test_the_threads_of_a_tree(proc: FakeProc) -> None:
    tasks = [(SUPERVISOR, SUPERVISOR), (BOT, BOT), (BOT, BOT + 1), (CHILD, CHILD)]
    assert set(threads_below(str(proc.folder), SUPERVISOR)) == {
        f"{proc.folder}/{process}/task/{thread}" for process, thread in tasks
    }
    assert list(threads_below(str(proc.folder), 999)) == []


def test_of_very_many_threads_some_are_looked_at(proc: FakeProc) -> None:
    for number in range(MOST_THREADS + 10):
        proc.thread(800, number, ran=1)
    threads = Threads(lambda: threads_of(f"{proc.folder}/800"))
    threads.look_for_more(1)
    for number in range(MOST_THREADS + 10):
        proc.thread(800, number, ran=2)
    threads.read(0)
    assert threads.ran == MOST_THREADS * MS
    threads.close()


def test_a_thread_that_has_ended_keeps_what_it_had(proc: FakeProc) -> None:
    proc.thread(800, 1)
    proc.thread(800, 2)
    threads = Threads(lambda: threads_of(f"{proc.folder}/800"))
    threads.look_for_more(1)
    proc.thread(800, 1, ran=2, waited=3)
    threads.read(5 * MS)
    shutil.rmtree(proc.folder / "800" / "task" / "1")
    proc.thread(800, 3, ran=50)
    threads.look_for_more(1)
    assert threads.busiest == 2 * MS, "nobody was born, so nobody is looked for"
    threads.look_for_more(2)
    proc.thread(800, 3, ran=51)
    threads.read(5 * MS)
    assert (threads.ran, threads.waited, threads.busiest) == (3 * MS, 3 * MS, MS)
    threads.close()


@pytest.mark.parametrize("name", ["python", "a) S (b", "(((", "x) R 1"])
@pytest.mark.parametrize("state", ["R", "S", "D", "Z", "T"])
def test_whether_a_thread_wants_a_cpu_whatever_it_is_called(
    proc: FakeProc, name: str, state: str
) -> None:
    proc.thread(800, 1, name=name, state=state)
    thread = Thread(f"{proc.folder}/800/task/1")
    assert thread.is_runnable() == (state == "R")
    thread.close()


def test_what_a_runnable_thread_may_be_waiting(proc: FakeProc) -> None:
    proc.thread(800, 1, state="R")
    thread = Thread(f"{proc.folder}/800/task/1")
    thread.read(10 * MS)
    assert thread.is_runnable()
    assert thread.hidden == 10 * MS
    proc.thread(800, 1, state="R", waited=12, ran=1)
    thread.read(4 * MS)
    assert thread.is_runnable()
    assert thread.hidden == 1 * MS
    proc.thread(800, 1, state="S", waited=12, ran=1)
    thread.read(4 * MS)
    assert not thread.is_runnable()
    assert thread.hidden == 0
    thread.close()


@pytest.mark.parametrize("text", ["", "0 0", "a b c", "0 0 0"])
def test_a_host_that_tells_nothing(proc: FakeProc, text: str) -> None:
    (proc.folder / "self" / "task" / str(proc.loop) / "schedstat").write_text(text)
    with pytest.raises(ValueError, match=r"not enough|invalid literal|does not count"):
        Host(str(proc.folder))


def test_a_host_without_such_files(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        Host(str(tmp_path))


def test_an_answer_before_the_first_tick_is_not_looked_at(meter: ProcMeter) -> None:
    assert meter.start(0).waits(3 * MS, 0) == NOTHING


def test_while_there_is_a_cpu_for_everybody_no_thread_is_looked_at(
    proc: FakeProc, meter: ProcMeter
) -> None:
    question = meter.start(0)
    proc.load(runnable=2)
    for tick in range(1, 10):
        question.tick(tick * 4 * MS, ON_TIME_NS)
    proc.thread(BOT, BOT, ran=130, waited=50)
    assert question.waits(40 * MS, ON_TIME_NS) == NOTHING


def test_a_crowd_is_as_many_as_there_are_cpus_for_the_referee(
    proc: FakeProc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3})
    meter = ProcMeter(Host(str(proc.folder)), BOT, SUPERVISOR)
    proc.load(runnable=2)
    question = meter.start(0)
    question.tick(4 * MS, 0)
    assert bot(question.waits(4 * MS, 0)).sharers == 1 + 1 / 64
    meter.close()


def test_from_the_first_crowd_on_the_tree_is_watched(proc: FakeProc, meter: ProcMeter) -> None:
    question = meter.start(100 * MS)
    proc.load(runnable=10)
    proc.thread(BOT, BOT, ran=100, waited=10, state="R")
    question.tick(104 * MS, 0)
    assert bot(question.waits(104 * MS, 0)).most_us == 4_000, "it may have waited from the start"
    proc.thread(BOT, BOT, ran=102, waited=30, state="R")
    proc.thread(CHILD, CHILD, ran=1, waited=5)
    question.tick(128 * MS, 0)
    waits = question.waits(128 * MS, 0)
    assert waits.bot == BotWaits(
        waited_us=25_000,
        most_us=31_000,
        cpu_us=3_000,
        busiest_us=2_000,
        watched_us=24_000,
        sharers=1 + 8 / 2,
    )


def test_a_question_does_not_count_what_was_before_it(proc: FakeProc, meter: ProcMeter) -> None:
    proc.load(runnable=10)
    for started in (0, 1000 * MS):
        question = meter.start(started)
        proc.thread(BOT, BOT, ran=started // MS, waited=started // MS)
        question.tick(started + 4 * MS, 0)
        assert bot(question.waits(started + 4 * MS, 0)) == BotWaits(0, 0, 0, 0, 0, 1 + 9 / 2)


def test_a_process_that_is_started_while_the_bot_is_asked(proc: FakeProc, meter: ProcMeter) -> None:
    proc.load(runnable=10, youngest=CHILD)
    question = meter.start(0)
    question.tick(4 * MS, 0)
    proc.thread(CHILD, CHILD, children="900")
    proc.thread(900, 900, ran=1)
    proc.load(runnable=10, youngest=900)
    question.tick(8 * MS, 0)
    proc.thread(900, 900, ran=3, waited=2)
    waits = bot(question.waits(12 * MS, 0))
    assert (waits.cpu_us, waits.waited_us) == (2_000, 2_000)


def test_the_referees_threads_and_its_loop(proc: FakeProc, meter: ProcMeter) -> None:
    proc.thread("self", 7, state="R", waited=50)
    proc.load(runnable=10)
    question = meter.start(0)
    question.tick(4 * MS, 0)
    proc.thread("self", 7, state="R", waited=53)
    proc.thread("self", proc.loop, ran=2, waited=2, state="R")
    assert question.waits(12 * MS, 2 * MS).referee_us == 5_000


def test_a_loop_that_is_late_is_looked_into(proc: FakeProc, meter: ProcMeter) -> None:
    question = meter.start(0)
    proc.thread("self", proc.loop, ran=1, waited=9, state="R")
    waits = question.waits(13 * MS, 9 * MS)
    assert waits.referee_us == 9_000
    assert waits.stalled_us == 0


def test_a_bot_that_is_gone_has_no_cpu_time(host: Host) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    meter = ProcMeter(host, process.pid, process.pid)
    process.wait()
    assert meter.cpu_us() is None


SPINNING = """
import sys, time
input()
while time.process_time() < 0.12:
    pass
print(flush=True)
sys.stdin.read()
"""
TREE = f"""
import subprocess, sys, threading, time
def spin():
    until = time.thread_time() + 0.05
    while time.thread_time() < until:
        pass
child = subprocess.Popen([sys.executable, "-S", "-c", {SPINNING!r}], stdin=-1, stdout=-1)
print(flush=True)
input()
child.stdin.write(b"\\n")
child.stdin.flush()
thread = threading.Thread(target=spin)
thread.start()
thread.join()
child.stdout.readline()
print(flush=True)
sys.stdin.read()
"""
"""Asked, its thread runs for 50 ms, and its child for a tenth of a second."""


class RealBot(BotProcess):
    """A process of which nothing is known but its number."""

    def __init__(self, pid: int) -> None:
        self.pid = self.root = pid

    async def stop(self, grace_us: int = 0) -> None:
        raise NotImplementedError


def test_a_real_tree_of_processes() -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-c", TREE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        meter = meter_of(RealBot(process.pid))
        assert meter is not None
        process.stdout.readline()
        started = time.monotonic_ns()
        question = meter.start(started)
        # As if it were late: it is looked into, however idle this machine may be.
        question.tick(started + 4 * MS, 2 * ON_TIME_NS)
        process.stdin.write(b"\n")
        process.stdin.flush()
        while not select.select([process.stdout], [], [], 0.004)[0]:
            question.tick(time.monotonic_ns(), 0)
        waits = question.waits(time.monotonic_ns(), 0)
        meter.close()
        process.stdin.close()
    assert bot(waits).cpu_us >= 150_000
    assert 100_000 <= bot(waits).busiest_us < 150_000
