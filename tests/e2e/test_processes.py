"""Bots as real processes: however one ends, nothing of it is left and nobody hangs."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from referee.bots import launcher, supervised
from referee.bots.launcher import launch
from referee.bots.manifest import Manifest
from referee.bots.output import OUTPUT_CUT, BotLog
from referee.bots.plain import start_plain
from referee.bots.process import BotProcess, Exit, StartFailure
from referee.bots.supervised import start_supervised
from referee.core.errors import HostFault

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.linux

LONG_US = 30_000_000
"""A grace that no test waits for."""

SHORT_US = 50_000


class WatchedLog(BotLog):
    """A log in which a test can wait for a bot's line."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.seen = bytearray()
        self._arrived = asyncio.Event()

    def feed(self, data: bytes) -> None:
        super().feed(data)
        self.seen += data
        self._arrived.set()

    async def line(self, start: str) -> str:
        """Wait for the first whole line that begins with ``start``; give the rest of it."""
        while True:
            for line in self.seen.decode().splitlines(keepends=True):
                if line.startswith(start) and line.endswith("\n"):
                    return line.removeprefix(start).strip()
            self._arrived.clear()
            await self._arrived.wait()


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bots' own temporary folders are made: a killed referee leaves them behind."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def log(tmp_path: Path) -> WatchedLog:
    return WatchedLog(tmp_path / "bot.log")


@pytest.fixture(params=[start_supervised, start_plain])
def any_launcher(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test once with a supervisor and once as on platforms that have none."""
    monkeypatch.setattr(launcher, "_START", request.param)


def manifest(*command: str) -> Manifest:
    return Manifest(name="subject", version="1", author="Tests", language="Python", command=command)


async def start(tmp_path: Path, log: BotLog, script: str, **environment: str) -> BotProcess:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "main.py").write_text(textwrap.dedent(script), encoding="utf-8")
    started = await launch(manifest("python", "-S", "main.py"), folder, log, environment)
    assert isinstance(started, BotProcess)
    return started


def assert_gone(*pids: int) -> None:
    """Wait until the processes have ended; a zombie that someone has yet to reap has."""
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            ready, _, _ = select.select([descriptor], [], [], 10)
            assert ready, f"process {pid} is still there"
        finally:
            os.close(descriptor)


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("pass", Exit(status=0)),
        ("raise SystemExit(3)", Exit(status=3)),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Exit(signal=signal.SIGSEGV)),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", Exit(signal=signal.SIGKILL)),
        ("import os, signal; os.kill(0, signal.SIGKILL)", Exit(signal=signal.SIGKILL)),
    ],
    ids=["exits 0", "exits 3", "segfault", "kills itself", "kills its group"],
)
@pytest.mark.usefixtures("any_launcher")
async def test_the_end_of_the_bot_is_told(
    tmp_path: Path, log: WatchedLog, script: str, ended: Exit
) -> None:
    bot = await start(tmp_path, log, script)
    assert await bot.exited == ended
    await bot.stop()
    log.close()
    assert f"- # process {bot.pid} {ended}\n" in log.path.read_text()


async def test_reports_that_a_bot_forges_break_nothing(
    tmp_path: Path, log: WatchedLog, caplog: pytest.LogCaptureFixture
) -> None:
    bot = await start(
        tmp_path,
        log,
        """
        import os
        with open(f"/proc/{os.getppid()}/fd/1", "wb", buffering=0) as reports:
            reports.write(b"\\xff\\nexit\\nexit x\\nstarted 1\\nrefused 2\\n" + b"z" * 100 + b"\\n")
        raise SystemExit(3)
        """,
    )
    assert await bot.exited == Exit(status=3)
    await bot.stop()
    assert caplog.records == []


@pytest.mark.usefixtures("any_launcher")
async def test_a_bot_that_heeds_sigterm_may_say_good_bye(tmp_path: Path, log: WatchedLog) -> None:
    bot = await start(
        tmp_path,
        log,
        """
        import signal, sys
        signal.signal(signal.SIGTERM, lambda *_: (print("bye"), sys.exit(7)))
        print("ready")
        while True:
            signal.pause()
        """,
    )
    await log.line("ready")
    assert not bot.exited.done()
    await bot.stop(LONG_US)
    assert bot.exited.result() == Exit(status=7)
    assert await log.line("bye") == ""


@pytest.mark.usefixtures("any_launcher")
async def test_a_bot_that_ignores_sigterm_is_killed(tmp_path: Path, log: WatchedLog) -> None:
    bot = await start(
        tmp_path,
        log,
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready")
        while True:
            signal.pause()
        """,
    )
    await log.line("ready")
    await asyncio.gather(bot.stop(SHORT_US), bot.stop(LONG_US))
    assert bot.exited.result() == Exit(signal=signal.SIGKILL)
    await bot.stop()


LEAVES_ORPHANS = """
    import os, signal, sys, time

    def leave_behind(new_session):
        read, write = os.pipe()
        if os.fork() == 0:
            if new_session:
                os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                os.write(write, str(os.getpid()).encode())
                while True:
                    time.sleep(60)
            os._exit(0)
        os.wait()
        return os.read(read, 16).decode()

    print("left", *(leave_behind(new) for new in (True, False)), flush=True)
"""


def pids(line: str) -> list[int]:
    return [int(word) for word in line.split()]


async def test_what_a_bot_leaves_behind_ends_with_it(tmp_path: Path, log: WatchedLog) -> None:
    # The children hold the bot's output pipe open as well.
    bot = await start(tmp_path, log, LEAVES_ORPHANS)
    assert await bot.exited == Exit(status=0)
    await bot.stop(LONG_US)
    assert_gone(bot.pid, *pids(await log.line("left ")))


async def test_without_a_supervisor_the_process_group_ends_with_the_bot(
    tmp_path: Path, log: WatchedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "_START", start_plain)
    bot = await start(tmp_path, log, LEAVES_ORPHANS)
    assert await bot.exited == Exit(status=0)
    stray, grouped = pids(await log.line("left "))
    try:
        await bot.stop(LONG_US)
        assert_gone(bot.pid, grouped)
    finally:
        os.kill(stray, signal.SIGKILL)


HOPS = """
    import os, subprocess, sys, textwrap, time

    hop = textwrap.dedent(\"\"\"
        import os, time
        hops, until = 0, time.monotonic() + 30
        while time.monotonic() < until:
            if os.fork():
                os._exit(0)
            os.setsid()
            hops += 1
            if hops == 50:
                print("hopping", flush=True)
    \"\"\")
    # Every hopper holds this open.
    os.set_inheritable(os.open(os.environ["ALIVE"], os.O_WRONLY), True)
    for _ in range(3):
        subprocess.Popen([sys.executable, "-ISc", hop], close_fds=False)
    time.sleep(60)
"""


async def test_a_tree_that_keeps_moving_is_caught(tmp_path: Path, log: WatchedLog) -> None:
    # A pipe reads as ended when nobody is left who could write to it.
    os.mkfifo(tmp_path / "alive")
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        bot = await start(tmp_path, log, HOPS, ALIVE=str(tmp_path / "alive"))
        await log.line("hopping")
        await bot.stop(SHORT_US)
        assert os.read(alive, 1) == b""
    finally:
        os.close(alive)


@pytest.mark.usefixtures("any_launcher")
async def test_a_flood_of_output_blocks_neither_side(tmp_path: Path, log: WatchedLog) -> None:
    bot = await start(
        tmp_path,
        log,
        """
        import sys
        for _ in range(20):
            sys.stdout.write("x" * 99 + "\\n" * 2)
            sys.stdout.write(("y" * 99 + "\\n") * 10485)
        """,
    )
    assert await bot.exited == Exit(status=0)
    await bot.stop()
    log.close()
    assert len(log.seen) == 20 * (101 + 100 * 10485)
    text = log.path.read_text()
    assert len(text) < 1024 * 1024 + 1000
    assert text.count(OUTPUT_CUT) == 1
    assert "bytes of output dropped\n" in text


@pytest.mark.usefixtures("any_launcher")
async def test_a_bot_without_outputs_plays_on(tmp_path: Path, log: WatchedLog) -> None:
    bot = await start(
        tmp_path,
        log,
        """
        import os, signal
        signal.signal(signal.SIGUSR1, lambda *_: os._exit(5))
        print("ready", flush=True)
        os.close(1)
        os.close(2)
        while True:
            signal.pause()
        """,
    )
    await log.line("ready")
    assert not bot.exited.done()
    os.kill(bot.pid, signal.SIGUSR1)
    assert await bot.exited == Exit(status=5)
    await bot.stop()


@pytest.mark.usefixtures("any_launcher")
async def test_the_bot_gets_an_environment_of_its_own(
    tmp_path: Path, scratch: Path, log: WatchedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_REFEREE", "1")
    bot = await start(
        tmp_path,
        log,
        """
        import os, sys
        assert sys.stdin.read() == ""
        print("folder", os.getcwd())
        print("python", sys.executable)
        print("home", os.environ["HOME"])
        print("names", *sorted(os.environ))
        open(os.environ["HOME"] + "/file", "w").close()
        """,
        ELFER_TOKEN="secret",
    )
    assert await bot.exited == Exit(status=0)
    await bot.stop()
    assert await log.line("folder ") == str(tmp_path / "bot")
    assert Path(await log.line("python ")).parent == Path(sys.executable).parent
    assert (await log.line("home ")).startswith(str(scratch))
    names = (await log.line("names ")).split()
    assert "ELFER_TOKEN" in names
    assert "SECRET_OF_THE_REFEREE" not in names
    assert list(scratch.iterdir()) == []  # noqa: ASYNC240


async def test_the_bot_gets_default_signals_and_no_file_of_ours(
    tmp_path: Path, log: WatchedLog
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        bot = await start(
            tmp_path,
            log,
            """
            import os
            os.execvp("sh", ["sh", "-c", "grep Sig /proc/self/status; ls /proc/self/fd"])
            """,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    await bot.exited
    await bot.stop()
    # The rest of what is ignored, SIGPIPE and SIGXFSZ, is the bot's own Python's doing.
    assert int(await log.line("SigIgn:"), 16) & 1 << (signal.SIGINT - 1) == 0
    assert int(await log.line("SigBlk:"), 16) == 0
    # The three standard ones, and the one with which ls reads the folder.
    assert log.seen.decode().split("\n")[-5:-1] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("prepare", "command", "reason"),
    [
        (None, ["no-such-program"], "No such file or directory"),
        (None, ["./missing"], "No such file or directory"),
        (lambda path: path.write_text("#!/bin/sh\n"), ["./program"], "Permission denied"),
        (lambda path: path.mkdir(), ["./program"], "Permission denied"),
        (
            lambda path: (path.write_text("no program"), path.chmod(0o755)),
            ["./program"],
            "Exec format error",
        ),
        (
            lambda path: (path.write_text("#!/no/such/shell\n"), path.chmod(0o755)),
            ["./program"],
            "No such file or directory",
        ),
        (None, ["evil\x1b[2J"], r"evil\x1b[2J"),
    ],
)
@pytest.mark.usefixtures("any_launcher")
async def test_a_command_that_cannot_be_run_is_told(
    tmp_path: Path,
    log: WatchedLog,
    prepare: Callable[[Path], object] | None,
    command: list[str],
    reason: str,
) -> None:
    if prepare is not None:
        prepare(tmp_path / "program")
    failure = await launch(manifest(*command), tmp_path, log, {})
    assert isinstance(failure, StartFailure)
    assert reason in failure.reason
    assert failure.reason.isprintable()


@pytest.mark.usefixtures("any_launcher")
async def test_a_host_without_files_left_is_not_the_bots_fault(
    tmp_path: Path, log: WatchedLog
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + 1, hard))
    try:
        with pytest.raises(HostFault, match="Too many open files"):
            await launch(manifest("python", "-c", "pass"), tmp_path, log, {})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_launching_from_another_thread_is_refused(tmp_path: Path, log: WatchedLog) -> None:
    errors: list[BaseException] = []

    def in_thread() -> None:
        try:
            asyncio.run(launch(manifest("true"), tmp_path, log, {}))
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    assert "main" in str(errors[0])


HAS_A_TREE = LEAVES_ORPHANS + "    time.sleep(60)\n"


async def test_a_killed_supervisor_takes_the_bot_along_and_the_rest_comes_to_us(
    tmp_path: Path, log: WatchedLog
) -> None:
    neighbour_folder = tmp_path / "neighbour"
    neighbour_folder.mkdir()
    neighbour = await start(neighbour_folder, log, "import time; time.sleep(60)")
    bot = await start(tmp_path, log, HAS_A_TREE)
    orphans = pids(await log.line("left "))
    os.kill(psutil.Process(bot.pid).ppid(), signal.SIGKILL)
    assert await bot.exited == Exit(signal=signal.SIGKILL, supervisor_lost=True)
    await bot.stop()
    assert_gone(bot.pid, *orphans)
    assert not neighbour.exited.done()
    await neighbour.stop()
    assert await neighbour.exited == Exit(signal=signal.SIGTERM)


async def test_a_supervisor_that_was_stopped_goes_on(tmp_path: Path, log: WatchedLog) -> None:
    bot = await start(tmp_path, log, HAS_A_TREE)
    orphans = pids(await log.line("left "))
    os.kill(psutil.Process(bot.pid).ppid(), signal.SIGSTOP)
    async with asyncio.timeout(supervised._STOP_LIMIT / 2):
        await bot.stop(SHORT_US)
    assert_gone(bot.pid, *orphans)


async def test_a_supervisor_that_is_stuck_is_not_waited_for(
    tmp_path: Path, log: WatchedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised, "_STOP_LIMIT", 0.1)
    monkeypatch.setattr(supervised._SupervisedBot, "_ask_to_stop", lambda *_: None)
    bot = await start(tmp_path, log, HAS_A_TREE)
    orphans = pids(await log.line("left "))
    os.kill(psutil.Process(bot.pid).ppid(), signal.SIGSTOP)
    await bot.stop(SHORT_US)
    assert_gone(bot.pid, *orphans)


DRIVER = textwrap.dedent("""
    import asyncio, sys
    from pathlib import Path
    from referee.bots.launcher import launch
    from referee.bots.manifest import load_manifest
    from referee.bots.output import BotLog

    class Loud(BotLog):
        def feed(self, data):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    async def main(folder):
        bot = await launch(load_manifest(folder), folder, Loud(folder / "log"), {})
        await asyncio.Event().wait()

    asyncio.run(main(Path(sys.argv[1])))
""")
"""A referee with one bot."""

WORKER_PRELUDE = textwrap.dedent("""
    import os, subprocess, sys
    from referee.bots.worker import tie_to_parent

    if len(sys.argv) == 2:
        subprocess.run([*sys.orig_argv, str(os.getpid())])
        sys.exit()
    tie_to_parent(int(sys.argv[2]))
""")
"""Makes the referee's bot that of a worker, which the referee starts and waits for."""


@pytest.mark.parametrize(
    ("driver", "killed_by"),
    [
        (DRIVER, signal.SIGKILL),
        (DRIVER, signal.SIGINT),
        (DRIVER, signal.SIGTERM),
        (WORKER_PRELUDE + DRIVER, signal.SIGKILL),
    ],
    ids=["killed", "interrupted", "terminated", "killed with a worker"],
)
def test_when_the_referee_dies_no_process_is_left(
    tmp_path: Path, driver: str, killed_by: signal.Signals
) -> None:
    (tmp_path / "bot.toml").write_text(
        """
        name = "subject"
        version = "1"
        author = "Tests"
        language = "Python"
        command = ["python", "-S", "main.py"]
        """
    )
    script = textwrap.dedent(LEAVES_ORPHANS) + textwrap.dedent(
        """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("bot", os.getpid(), os.getppid(), flush=True)
        while True:
            time.sleep(60)
        """
    )
    (tmp_path / "main.py").write_text(script)
    with subprocess.Popen(
        [sys.executable, "-c", driver, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as referee:
        assert referee.stdout is not None
        left = pids(referee.stdout.readline().removeprefix("left "))
        own = pids(referee.stdout.readline().removeprefix("bot "))
        referee.send_signal(killed_by)
    assert_gone(*left, *own)
