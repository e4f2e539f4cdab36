"""A league that breaks off at every statement to its database in turn, and is gone on with.

The command is given in this process, with stand-ins for its matches, so that it takes some
milliseconds and the same statements each time.
"""

from __future__ import annotations

import asyncio
import io
import math
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from signal import SIGKILL
from typing import Final

import pytest
from sqlalchemy import Connection, Engine, Table, create_engine, delete, event, select, text
from sqlalchemy.exc import DBAPIError

from referee.app import league as app_league
from referee.app import playing
from referee.app.opening import load_entrants
from referee.app.sitting import Played, Report, SittingOrder, Voided
from referee.cli.main import main as referee
from referee.core.errors import StoreError
from referee.league.format import load_league
from referee.league.schedule import MatchPlan, sittings
from referee.rpc.codec import encode_record
from referee.store.database import Database
from referee.store.engine import database_url
from referee.store.entries import VoidCause
from referee.store.repository import Repository
from referee.store.tables import Base
from tests.support import inline_pool, matches, played
from tests.support.bot_folders import make_bot, make_league
from tests.support.faulty import unruly
from tests.support.inline_pool import InlinePool
from tests.support.outcomes import Outcome, outcome

NAME: Final = "cup"
COMMIT: Final = "COMMIT"
_OF_THE_RUN: Final = "worker"
"""The column in which two runs of a league differ, beside those that hold times."""

State = dict[str, list[tuple[object, ...]]]
"""What a database holds, by table."""
AtPoint = Callable[[int, str], object]


@contextmanager
def watched(at_point: AtPoint) -> Iterator[None]:
    """Tell of each statement to any database, and of each commit, before it is made.

    ``at_point`` gets its number, from 1, and its text, ``COMMIT`` for a commit.
    """
    points = 0

    def tell(statement: str) -> None:
        nonlocal points
        points += 1
        at_point(points, statement)

    def execute(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        tell(statement)

    def commit(_connection: object) -> None:
        tell(COMMIT)

    event.listen(Engine, "before_cursor_execute", execute)
    event.listen(Engine, "commit", commit)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", execute)
        event.remove(Engine, "commit", commit)


class QuickLeague:
    """Two deals of two bots. In the first one errs; the first attempt at the second is void.

    One sitting; with ``redraw`` two, and the second deal is replaced as its cards were seen.
    """

    def __init__(self, folder: Path, database: str, *, redraw: bool = False) -> None:
        """``database`` is a URL."""
        file = make_league(
            folder,
            [make_bot(folder / name) for name in played.BOTS],
            name=NAME,
            deals=2,
            rotations="all" if redraw else "none",
            move="2s",
            tables=f"redraw = {str(redraw).lower()}",
        )
        league, _ = load_entrants(load_league(file), folder)
        first, second = next(sittings(league, played.SEED)).matches
        players = [unruly(1), matches.honest(2)]
        self._records: Final = {first.match_key: played.record_of(first, players=players)}
        self._void: Final = second.match_key
        self._redraw: Final = redraw
        self._database: Final = database
        self._outcomes: Final[dict[str, Outcome]] = {}
        self._arguments: Final = (
            *("league", "run", str(file), "--db", database),
            *("--seed", played.SEED.hex(), "--jobs", "1", "--yes"),
        )

    def run(self, pool: type[InlinePool] = InlinePool) -> tuple[int, str]:
        """Give the command. Gives its exit code and what it said."""
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said), pytest.MonkeyPatch.context() as patch:
            patch.setattr(app_league, "Pool", pool)
            # However slow it is, it takes the same statements.
            patch.setattr(playing, "BEAT_SECONDS", math.inf)
            patch.setattr(inline_pool, "play_sitting", self._play)
            code = referee(self._arguments)
        return code, said.getvalue()

    def outcome(self) -> Outcome:
        """Of the league that is finished. Asserts that all of it is whole."""
        # To verify takes longer than to play, and few databases differ.
        state = repr(self.state())
        if state not in self._outcomes:
            with Database.open(self._database) as database:
                self._outcomes[state] = outcome(Repository(database), NAME)
        return self._outcomes[state]

    def lasting(self) -> object:
        """Of the outcome what is the same whatever happens."""
        found = self.outcome()
        return len(found.matches) if self._redraw else found

    def forget(self) -> None:
        """Empty all tables."""
        with Database.open(self._database) as database, database.engine.begin() as connection:
            tables = Base.metadata.sorted_tables
            if connection.dialect.name == "postgresql":
                names = ", ".join(table.name for table in tables)
                connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
            else:
                for table in reversed(tables):
                    connection.execute(delete(table))

    def state(self) -> State:
        """What everybody sees in the database now, beside who holds the lease."""
        engine = create_engine(database_url(self._database))
        tables = [table for table in Base.metadata.sorted_tables if table.name != "leases"]
        try:
            with engine.connect() as connection:
                return {table.name: _rows(connection, table) for table in tables}
        finally:
            engine.dispose()

    async def _play(self, order: SittingOrder, report: Report) -> None:
        for match in order.matches:
            key = match.match_key
            if key == self._void and match.attempt == 1:
                standing = dict.fromkeys(match.bots, 7)
                report(Voided(key, VoidCause.HOST, "stand-in", match.bots[0], standing))
                continue
            if key not in self._records:
                _, table, deal, rotation = key.split("/")
                place = table, int(deal), int(rotation)
                plan = MatchPlan(key, match.deal_key, *place, match.bots, match.seed)
                self._records[key] = await asyncio.to_thread(played.record_of, plan)
            bots = {bot.name: bot for bot in order.bots}
            seats = tuple(bots[name].at_seat(seat) for seat, name in enumerate(match.bots))
            record = replace(self._records[key], attempt=match.attempt, seats=seats)
            report(Played(key, encode_record(record)))


def _rows(connection: Connection, table: Table) -> list[tuple[object, ...]]:
    names = table.columns.keys()
    rows = connection.execute(select(table).order_by(*table.primary_key))
    return [tuple(map(_lasting, names, row)) for row in rows]


def _lasting(column: str, value: object) -> object:
    return "..." if column == _OF_THE_RUN or isinstance(value, datetime) else value


BreakOff = Callable[[QuickLeague, int], object]
"""Gives the command and has it break off at a point."""


def sweep(
    league: QuickLeague,
    break_off: BreakOff,
    *,
    before: int = 0,
    first: int = 1,
    step: int = 1,
) -> int:
    """Break a league off at every point in turn, at ``before`` once already.

    Asserts that the database then holds what was committed by then and nothing else, and that
    the same command brings the league to the end that it would have had. Gives how many points
    were tried: with ``step`` not each, from ``first``.
    """

    def begin() -> None:
        league.forget()
        if before:
            break_off(league, before)

    begin()
    states = _states_at_points(league)
    undisturbed = league.lasting()
    points = range(first, len(states) + 1, step)
    for point in points:
        begin()
        break_off(league, point)
        assert league.state() == states[point - 1], f"point {point}"
        code, said = league.run()
        assert code == 0, f"point {point}: {said}"
        assert league.lasting() == undisturbed, f"point {point}"
    return len(points)


def _states_at_points(league: QuickLeague) -> list[State]:
    """Play it to its end; gives what the database held at each point."""
    states: list[State] = []
    looking = False

    def look(_number: int, _statement: str) -> None:
        nonlocal looking
        if not looking:
            looking = True
            states.append(league.state())
            looking = False

    with watched(look):
        assert league.run()[0] == 0
    return states


def fail_at(league: QuickLeague, point: int) -> None:
    """The database fails at a point, and serves again after that."""

    def fail(number: int, statement: str) -> None:
        if number == point:
            raise DBAPIError(statement, None, sqlite3.OperationalError("failed"))

    with watched(fail):
        code, said = league.run()
    # It is no harm where it fails to give back a lease.
    assert code == StoreError.exit_code or "failed" not in said


def kill_at(league: QuickLeague, point: int) -> None:
    """The command is killed at a point. In a process without threads, for it is forked."""

    def kill(number: int, _statement: str) -> None:
        if number == point:
            os.kill(os.getpid(), SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            with watched(kill):
                print(*league.run(), file=sys.stderr)
        except BaseException:  # noqa: BLE001 - nothing may come back from here
            traceback.print_exc()
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -SIGKILL


def sweep_kills(league: QuickLeague, *, first: int = 1, step: int = 1) -> int:
    """Kill at every point of a league, and of one that was killed in the middle before."""
    points = sweep(league, kill_at, first=first, step=step)
    return points + sweep(league, kill_at, before=points * step // 2, first=first, step=step)


def main() -> None:
    """For tests, whose own process has threads."""
    folder, database, first, step = sys.argv[1:]
    league = QuickLeague(Path(folder), database)
    print(sweep_kills(league, first=int(first), step=int(step)))


if __name__ == "__main__":
    main()
