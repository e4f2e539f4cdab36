"""Bots that come again within a match, or have to go, while it goes on."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from referee.app.bots import Bot, load_bot
from referee.app.guest import Guest
from referee.app.logs import log_path
from referee.app.sitting import Played, SittingOrder, Voided, play_sitting
from referee.core.errors import HostFault
from referee.match.conduct import Consequence, Infraction
from referee.match.player import Ask, Fault, Reply
from referee.match.record import MatchRecord
from referee.match.series import Games
from referee.match.verify import verify
from referee.rpc.codec.record_reader import decode_record
from referee.store.entries import VoidCause
from tests.support.host import await_end, processes_in
from tests.support.matches import ScriptedPlayer, honest
from tests.support.sittings import sitting_of

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

GAMES: Final = 3
PLAYS: Final = """
    import os, signal
    from pathlib import Path
    from elfer import Bot, run

    with Path("starts").open("a+") as starts:
        starts.write("x")
        starts.seek(0)
        number = len(starts.read())
"""
"""And knows how often it was started."""

CRASHES: Final = (
    PLAYS
    + """
    class Crashing(Bot):
        def answer(self, turn):
            if number == 1 and turn.game == 2 and turn.number > 4:
                os._exit(3)
            print("asked", turn.game, turn.number, *turn.lines, sep=";")
            return [min(turn.fits)]

    run(Crashing)
"""
)
DOES_NOT_COME_AGAIN: Final = CRASHES.replace(
    "    class", "    if number == 2:\n        os._exit(4)\n\n    class"
)
STAYS: Final = (
    PLAYS
    + """
    class Staying(Bot):
        def answer(self, turn):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            return []

    try:
        run(Staying)
    finally:
        while True:
            signal.pause()
"""
)
"""Plays no card where it has to, until it is out, and then does not go by itself."""


@pytest.fixture
def bot(tmp_path: Path) -> Callable[[str], Bot]:
    def make(code: str) -> Bot:
        folder = tmp_path / "bot"
        folder.mkdir()
        (folder / "main.py").write_text(textwrap.dedent(code))
        (folder / "bot.toml").write_text(
            'name = "bot"\nversion = "1"\nauthor = "Tests"\nlanguage = "python"\n'
            'command = ["python", "main.py"]\nstart_limit = "60s"\n'
        )
        return load_bot(folder)

    return make


@pytest.fixture
def order(tmp_path: Path) -> Callable[[Bot], SittingOrder]:
    """A match of a bot with the guest of ``sit``."""
    return lambda bot: replace(
        sitting_of((bot,), tmp_path / "logs", ("guest",)), series=Games(GAMES)
    )


async def nothing(_: Ask) -> None:
    """The guest just plays."""


class Visitor(ScriptedPlayer):
    """A guest that does something before each of its answers."""

    def __init__(self, before: Callable[[Ask], Awaitable[None]]) -> None:
        super().__init__(honest(1).answer)
        self._before = before

    async def ask(self, ask: Ask) -> Reply | Fault:
        await self._before(ask)
        return await super().ask(ask)


def sit(
    order: SittingOrder, before: Callable[[Ask], Awaitable[None]] = nothing
) -> list[Played | Voided]:
    reports: list[Played | Voided] = []
    guest = Guest("guest", "-", "-", "-", Visitor(before))
    asyncio.run(play_sitting(order, reports.append, guests=[guest]))
    return reports


def played(order: SittingOrder) -> MatchRecord:
    """The record of the only match, checked."""
    [report] = sit(order)
    assert isinstance(report, Played), report
    record = decode_record(report.record)
    assert verify(record) is None
    return record


def log_of(order: SittingOrder) -> list[str]:
    return log_path(order.logs, "bot", order.id).read_text().splitlines()


def test_a_bot_that_crashed_plays_on_and_knows_what_there_was(
    bot: Callable[[str], Bot], order: Callable[[Bot], SittingOrder]
) -> None:
    match = order(bot(CRASHES))
    record = played(match)
    [crash] = record.infractions
    assert (crash.kind, crash.consequence) == (Infraction.CRASHED, Consequence.RESTART)
    assert record.result.forfeits == (False, False)

    log = log_of(match)
    assert sum(" started as process " in line for line in log) == 2
    [told] = [line for line in log if " # crashed (§7.4): " in line]
    assert told.startswith(f"match/a game {crash.game} turn {crash.turn} # ")
    # What it was asked is there, and that it exited, once.
    assert sum("exited with status 3" in line for line in log) == 1
    assert sum(line.endswith(f"game 2, turn {crash.turn}, after") for line in log) == 1

    asked = [line.split(" | asked;")[1].split(";") for line in log if " | asked;" in line]
    again = next(lines for game, turn, *lines in asked if game == "2" and int(turn) > crash.turn)
    game_two = record.transcript.partition("\ngame 2 ")[2].splitlines()
    acts = [line for line in game_two if line.partition(" ")[0].isdecimal()]
    assert [line.split()[:2] for line in again] == [line.split()[:2] for line in acts[: len(again)]]
    assert len(again) >= crash.turn


def test_a_bot_that_does_not_come_again_forfeits(
    bot: Callable[[str], Bot], order: Callable[[Bot], SittingOrder]
) -> None:
    match = order(bot(DOES_NOT_COME_AGAIN))
    record = played(match)
    crash, failure = record.infractions
    assert crash.consequence is Consequence.RESTART
    assert failure.kind is Infraction.START_FAILURE
    assert failure.consequence is Consequence.FORFEIT
    assert failure.detail == "the bot's process exited with status 4"
    assert record.result.forfeits == (True, False)
    # That is not on its clock.
    [ask] = [ask for ask in record.asks if (ask.game, ask.turn) == (failure.game, failure.turn)]
    assert ask.elapsed_us == 0
    assert sum("exited with status 4" in line for line in log_of(match)) == 1


def test_a_bot_that_forfeits_is_ended_while_the_match_goes_on(
    bot: Callable[[str], Bot], order: Callable[[Bot], SittingOrder]
) -> None:
    match = order(bot(STAYS))

    async def wait_in_the_last_game(ask: Ask) -> None:
        if ask.game == GAMES:
            await asyncio.to_thread(await_end, processes_in(match.bots[0].folder))

    [report] = sit(match, wait_in_the_last_game)
    assert isinstance(report, Played)
    record = decode_record(report.record)
    assert record.infractions[-1].consequence is Consequence.FORFEIT
    assert record.infractions[-1].game == 1


def test_a_match_that_is_void_while_a_bot_is_started_again(
    bot: Callable[[str], Bot], order: Callable[[Bot], SittingOrder]
) -> None:
    match = order(bot(CRASHES))
    [first] = match.matches
    match = replace(match, matches=(first, replace(first, match_key="match/b")))

    async def fail_when_the_house_has_played(ask: Ask) -> None:
        if any(" house " in act for act in ask.acts):
            raise HostFault("no memory")

    void, report = sit(match, fail_when_the_house_has_played)
    assert isinstance(void, Voided)
    assert (void.cause, void.bot) == (VoidCause.HOST, "guest")
    assert void.standing is not None
    # Game 1 was over.
    assert sorted(void.standing) == ["bot", "guest"]
    assert any(void.standing.values())
    # The next match finds a bot as fresh as any.
    assert isinstance(report, Played)
    assert decode_record(report.record).infractions == ()
