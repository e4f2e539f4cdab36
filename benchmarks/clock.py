"""Whether the clock is right on a busy host and on an idle one, and what that costs.

At tables of two, each bot a process, one bot answers at once, sleeps, or burns CPU time over
every answer, alone or with processes or Python threads of its own that spin. On the busy host
eight loops run besides, once all in one session and once each in a session of its own. The
reference is what a probe waited meanwhile, a process that sleeps two milliseconds at a time, and
what the event loop was late; for the costs, the same turns with a meter that measures nothing.

A turn is *caught* when it counts as late; *doubtful* ones of these would have voided the match,
for as long as the bot is spared that.

Run: ``python -m benchmarks.clock [small|full]``, small unless told; full takes a quarter of an
hour. The rows of the idle host say nothing unless the machine has nothing else to do.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.support.load import busy_loops, runnable
from benchmarks.support.timed_table import Asked, Work, play
from referee.bots.meter import meter_of
from referee.bots.process import BotProcess
from referee.match.excuse import FLOOR_US, BotWaits, Waits
from referee.rpc.meter import Measurement, Meter

LOOPS: Final = 8
INSTANT: Final = Work()
PAUSE: Final = Work("sleep", 30)
"""What the opponent does, so that the bot that is late has done with its turn before the next."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many turns, and how long at the most for a row of late ones."""

    instant: int
    late: int
    spinning: int
    idle: int
    cost: int
    repetitions: int
    seconds: float
    spinning_seconds: float


SIZES: Final = {
    "small": Size(1_000, 20, 10, 300, 500, 5, 10.0, 4.0),
    "full": Size(10_000, 100, 40, 2_000, 2_000, 11, 45.0, 12.0),
}
HOSTS: Final = {"one session": False, "own sessions": True}
SPINNERS: Final = ((1, "processes"), (6, "processes"), (1, "threads"), (6, "threads"))


class Table:
    """Prints a row for each thing that was tried."""

    def __init__(self) -> None:
        self.short = 0

    def row(self, host: str, what: str, found: str, *, good: bool) -> None:
        self.short += not good
        print(f"{'PASS' if good else 'short':6}{host:13} {what:36} {found}", flush=True)


def at_once(table: Table, size: Size) -> None:
    """Under 20 ms nobody who answers at once is late."""
    for host, own in HOSTS.items():
        with busy_loops(LOOPS, own_sessions=own):
            asked = play(INSTANT, INSTANT, 20_000, size.instant)
        late = sum(turn.late for turn in asked)
        longer = sum(turn.elapsed_us > 20_000 for turn in asked)
        found = (
            f"{late} of {len(asked)} late, {doubtful(asked)} doubtful;"
            f" {longer} took more than 20 ms;"
            f" elapsed {spread(turn.elapsed_us for turn in asked)},"
            f" counted {spread(turn.counted_us for turn in asked)}"
        )
        table.row(host, f"{INSTANT}, limit 20 ms", found, good=late == 0)


def too_late(table: Table, size: Size) -> None:
    """Under 50 ms, 60 are nearly always caught and 100 always."""
    for host, own in HOSTS.items():
        for milliseconds, share in ((60, 0.95), (100, 1.0)):
            for kind in ("sleep", "burn"):
                work = Work(kind, milliseconds)
                with busy_loops(LOOPS, own_sessions=own):
                    asked = play(work, PAUSE, 50_000, size.late, seconds=size.seconds)
                good = sum(turn.late for turn in asked) >= share * len(asked)
                table.row(host, f"{work}, limit 50 ms", figures(asked), good=good)


def with_spinners(table: Table, size: Size) -> None:
    """With spinning threads of its own a bot gains no more than the probe waited."""
    for host, own in HOSTS.items():
        for milliseconds in (60, 100):
            for kind in ("sleep", "burn"):
                for count, of in SPINNERS:
                    work = Work(kind, milliseconds, count, of)
                    with busy_loops(LOOPS, own_sessions=own):
                        asked = play(
                            work, PAUSE, 50_000, size.spinning, seconds=size.spinning_seconds
                        )
                    table.row(host, f"{work}, limit 50 ms", figures(asked), good=not gains(asked))


def idle(table: Table, size: Size) -> None:
    """On an idle host nothing is excused, and many busy threads are nothing special."""
    others = runnable()
    print(f"others that want a CPU on the idle host: {others:.2f} on average")
    rows = [(INSTANT, size.idle, 20_000), (Work("burn", 10, 6), size.late, None)]
    rows += [
        (Work(kind, 60, count, of), size.late, 50_000)
        for kind in ("sleep", "burn")
        for count, of in ((0, "processes"), (1, "processes"), (6, "processes"), (6, "threads"))
    ]
    for work, turns, limit_us in rows:
        opponent = PAUSE if work.milliseconds else INSTANT
        asked = play(work, opponent, limit_us, turns, seconds=size.spinning_seconds)
        excused = sum(turn.excused_us > 0 for turn in asked)
        should = work.milliseconds * 1000 > (limit_us or sys.maxsize)
        good = excused == 0 and all(turn.late == should for turn in asked) and not doubtful(asked)
        limit = f", limit {limit_us // 1000} ms" if limit_us else ", no limit"
        table.row("idle", f"{work}{limit}", f"{excused} excused, {figures(asked)}", good=good)


def cost(table: Table, size: Size) -> None:
    """Keeping the figures costs less than a twentieth of a turn.

    On the busy host a turn takes now so long, now so long: there the CPU time tells more.
    """
    for host, loops in (("idle", 0), ("one session", LOOPS)):
        for work, turns in ((INSTANT, size.cost), (Work("burn", 5), size.cost // 10)):
            with busy_loops(loops, own_sessions=False):
                pairs = [
                    (pace(work, turns, meter_of), pace(work, turns, lambda _: Nothing()))
                    for _ in range(size.repetitions)
                ]
            ratios = sorted(measured.turn_us / bare.turn_us for measured, bare in pairs)
            extra_us = statistics.median(measured.cpu_us - bare.cpu_us for measured, bare in pairs)
            extra = extra_us / statistics.median(bare.turn_us for _, bare in pairs)
            ratio = statistics.median(ratios)
            found = (
                f"measured to not {ratio:.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f});"
                f" CPU time {extra_us:.0f} us more, {extra:.1%} of a turn"
            )
            table.row(host, f"a turn, {work}", found, good=(extra if loops else ratio - 1) < 0.05)


class Pace(NamedTuple):
    """What a turn of both bots takes, on average: time, and CPU time of the referee."""

    turn_us: float
    cpu_us: float


def pace(work: Work, turns: int, meter: Callable[[BotProcess], Meter | None]) -> Pace:
    asked = play(work, INSTANT, None, turns, meter=meter)
    first, last, count = asked[0], asked[-1], len(asked) - 1
    return Pace(
        (last.started_ns - first.started_ns) / count / 1000,
        (last.cpu_ns - first.cpu_ns) / count / 1000,
    )


class Nothing:
    """A meter that measures nothing, as fast as can be."""

    shown: Final = Waits(bot=BotWaits(0, 0, 0, 0, 0, 1.0))

    def cpu_us(self) -> int | None:
        return None

    def start(self, now: int) -> Measurement:  # noqa: ARG002 - the port's signature
        return self

    def tick(self, now: int, late_ns: int) -> None:
        """Nobody is looked at."""

    def waits(self, now: int, late_ns: int) -> Waits:  # noqa: ARG002 - the port's signature
        return self.shown

    def close(self) -> None:
        """Nothing is open."""


def gains(asked: list[Asked]) -> int:
    """How many turns were excused more than the probe waited, and what is noise."""
    return sum(turn.excused_us > turn.probe_us + FLOOR_US for turn in asked)


def doubtful(asked: list[Asked]) -> int:
    return sum(turn.doubtful for turn in asked)


def figures(asked: list[Asked]) -> str:
    return (
        f"caught {sum(turn.late for turn in asked)} of {len(asked)}, {doubtful(asked)} doubtful;"
        f" elapsed {spread(turn.elapsed_us for turn in asked)},"
        f" excused {spread(turn.excused_us for turn in asked)},"
        f" probe {spread(turn.probe_us for turn in asked)}; {gains(asked)} above the probe"
    )


def spread(microseconds: Iterable[int]) -> str:
    """Median and largest."""
    found = sorted(microseconds)
    return f"{found[len(found) // 2] / 1000:.1f} to {found[-1] / 1000:.1f} ms"


def main() -> None:
    size = SIZES[sys.argv[1] if len(sys.argv) > 1 else "small"]
    started = time.monotonic()
    table = Table()
    for part in (cost, idle, at_once, too_late, with_spinners):
        part(table, size)
    print(f"{table.short} rows fall short; took {(time.monotonic() - started) / 60:.1f} minutes")


if __name__ == "__main__":
    main()
