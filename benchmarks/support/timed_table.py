"""A table of two whose bots are real processes, for turns of one seat under a limit."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.support.load import ON_TIME_NS, Probe
from referee.bots.launcher import launch
from referee.bots.manifest import load_manifest
from referee.bots.meter import meter_of
from referee.bots.output import BotLog
from referee.bots.process import BotProcess, StartFailure
from referee.core.dice import commitment
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct, Infraction
from referee.match.excuse import Waits
from referee.match.player import Ask, Fault, Reply
from referee.match.series import Games
from referee.match.table import MatchSetup, Table
from referee.rpc.meter import Measurement, Meter
from referee.rpc.server import PlayServer
from referee.rpc.session import Session

TIMED: Final = Path(__file__).parent / "timed"
GAMES: Final = 1000
"""More than are ever played."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a bot does over an answer."""

    kind: str = "sleep"
    milliseconds: int = 0
    spinners: int = 0
    spinner_kind: str = "processes"

    def __str__(self) -> str:
        spinners = f", {self.spinners} {self.spinner_kind} spin" if self.spinners else ""
        if not self.milliseconds:
            return f"answers at once{spinners}"
        return f"{self.kind}s {self.milliseconds} ms{spinners}"


@dataclass(slots=True)
class Asked:
    """One turn. Times are in microseconds."""

    started_ns: int
    """Of the monotonic clock."""
    cpu_ns: int
    """Of the referee, by then."""
    elapsed_us: int
    excused_us: int
    late: bool
    doubtful: bool
    probe_us: int
    """What probe and event loop were late during it."""

    @property
    def counted_us(self) -> int:
        return self.elapsed_us - self.excused_us


def play(
    work: Work,
    opponent: Work,
    limit_us: int | None,
    turns: int,
    *,
    seconds: float = 60.0,
    meter: Callable[[BotProcess], Meter | None] = meter_of,
) -> list[Asked]:
    """Have a bot asked so many times, or for so long, by a table of two."""
    with tempfile.TemporaryDirectory(prefix="elfer-") as name, Probe(Path(name)) as probe:
        asked = asyncio.run(_play(Path(name), work, opponent, limit_us, turns, seconds, meter))
        waits = probe.waits()
    for turn in asked:
        turn.probe_us += waits(turn.started_ns, turn.started_ns + turn.elapsed_us * 1000) // 1000
    return asked


async def _play(
    folder: Path,
    work: Work,
    opponent: Work,
    limit_us: int | None,
    turns: int,
    seconds: float,
    meter: Callable[[BotProcess], Meter | None],
) -> list[Asked]:
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(PlayServer())
        sessions = []
        for name, does in (("timed", work), ("opponent", opponent)):
            session = server.add_seat(name)
            process = await _start(does, folder / name, server.address, session.token)
            stack.push_async_callback(process.stop)
            session.meter = _Lateness(meter(process) or session.meter)
            if not await session.connected(30_000_000):
                raise RuntimeError(session.absence)
            sessions.append(session)
        watched = _Watched(sessions[0], turns, seconds)
        setup = MatchSetup(
            game=game_for("ravensburger", 2),
            series=Games(GAMES),
            seed=bytes(32),
            seed_commitment=commitment(bytes(32)),
            dice_seeds=(bytes(32), bytes(32)),
            match_id=secrets.token_hex(8),
            time_control=TimeControl(move_limit_us=limit_us),
            conduct=Conduct(strike_limit=None),
        )
        table = Table(setup, [watched, sessions[1]], lambda: secrets.token_hex(8))
        with contextlib.suppress(_Enough):
            await table.play()
    return watched.asked


class _Enough(Exception):  # noqa: N818 - no error
    pass


class _Lateness:
    """A meter that adds up how late its ticks were, in nanoseconds."""

    def __init__(self, meter: Meter) -> None:
        self.total = 0
        self.cpu_us = meter.cpu_us
        self.close = meter.close
        self._meter: Final = meter
        self._measurement: Measurement

    def start(self, now: int) -> Measurement:
        self.total = 0
        self._measurement = self._meter.start(now)
        return self

    def tick(self, now: int, late_ns: int) -> None:
        self._add(late_ns)
        self._measurement.tick(now, late_ns)

    def waits(self, now: int, late_ns: int) -> Waits:
        self._add(late_ns)
        return self._measurement.waits(now, late_ns)

    def _add(self, late_ns: int) -> None:
        if late_ns > ON_TIME_NS:
            self.total += late_ns


class _Watched:
    """A bot's session that keeps its turns, and has enough after some."""

    def __init__(self, session: Session, turns: int, seconds: float) -> None:
        self.asked: Final[list[Asked]] = []
        self._session: Final = session
        self._turns: Final = turns
        self._until: Final = time.monotonic() + seconds
        self.tell = session.tell
        self.strays = session.strays

    async def ask(self, ask: Ask) -> Reply | Fault:
        if len(self.asked) >= self._turns or time.monotonic() > self._until:
            raise _Enough
        started, cpu = time.monotonic_ns(), time.process_time_ns()
        reply = await self._session.ask(ask)
        fault = isinstance(reply, Fault)
        if isinstance(reply, Fault) and reply.kind is not Infraction.LATE:
            raise RuntimeError(f"a bot failed: {reply}")
        evidence, allowed = reply.evidence, ask.allowed_us
        lateness = self._session.meter
        assert isinstance(lateness, _Lateness)
        self.asked.append(
            Asked(
                started_ns=started,
                cpu_ns=cpu,
                elapsed_us=evidence.elapsed_us,
                excused_us=evidence.excused_us,
                late=fault or (allowed is not None and evidence.counted_us > allowed),
                doubtful=isinstance(reply, Fault) and reply.detail != "",
                probe_us=lateness.total // 1000,
            )
        )
        return reply


async def _start(work: Work, log: Path, address: str, token: str) -> BotProcess:
    arguments = (work.kind, str(work.milliseconds), str(work.spinners), work.spinner_kind)
    manifest = load_manifest(TIMED).model_copy(update={"command": ("python", "bot.py", *arguments)})
    environment = {"ELFER_ADDRESS": address, "ELFER_TOKEN": token}
    process = await launch(manifest, TIMED, BotLog(log), environment)
    if isinstance(process, StartFailure):
        raise RuntimeError(process.reason)  # noqa: TRY004
    return process
