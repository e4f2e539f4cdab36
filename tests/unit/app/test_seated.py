"""A bot that comes and goes within a match: what it is told, and what its log says."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from referee.app.seated import SeatedBot
from referee.bots.output import BotLog
from referee.core.errors import HostFault
from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import Conduct, Consequence, Infraction, breach_ruling
from referee.match.player import (
    Ask,
    Fault,
    GameEnd,
    GameStart,
    MatchEnd,
    MatchStart,
    Message,
    Player,
    Reply,
    Ruled,
    Stray,
)
from referee.match.series import Games
from referee.match.table import MatchPlay
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, setup
from tests.support.rpc import GAME_START, MATCH_START, ask

GAMES: Final = 3
KEY: Final = "match/a"
CRASH: Final = Fault(Infraction.CRASHED, Evidence(1000), "the bot's process exited with status 1")


class Hearing:
    """A player that hands everything on and keeps it, the acts by game."""

    def __init__(self, player: Player) -> None:
        self._player: Final = player
        self.began: Final[list[Message]] = []
        self.games: Final[list[list[str]]] = []
        self.asks: Final[list[Ask]] = []

    async def ask(self, ask: Ask) -> Reply | Fault:
        self.asks.append(ask)
        if ask.try_ == 1:
            self.games[-1] += ask.acts
        return await self._player.ask(ask)

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchStart | GameStart):
            self.began.append(message)
        if isinstance(message, GameStart):
            self.games.append([])
        if isinstance(message, GameEnd):
            self.games[-1] += message.acts
        self._player.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self._player.strays()


class Attendance:
    """Another bot for every start, as long as there are any."""

    def __init__(self, *bots: ScriptedPlayer) -> None:
        self._bots: Final = list(bots)
        self.come: Final[list[Hearing]] = []
        self.absence = ""
        self.spare = 5
        self.dismissed = 0
        self.restart()

    async def present(self) -> Player | None:
        return None if self.absence else self.come[-1]

    def restart(self) -> None:
        if self._bots:
            self.come.append(Hearing(self._bots.pop(0)))
        else:
            self.absence = "no hello within the start limit"

    def dismiss(self) -> None:
        self.dismissed += 1


def gone_at(question: int, fault: Fault = CRASH) -> ScriptedPlayer:
    """Answers so many questions but the last, and that with a fault."""
    fair = honest(1)

    def answer(ask: Ask) -> Reply | Fault:
        return fault if len(player.asked) == question else fair.answer(ask)

    player = ScriptedPlayer(answer)
    return player


@pytest.fixture
def log(tmp_path: Path) -> BotLog:
    return BotLog(tmp_path / "bot.log")


def play_with(attendance: Attendance, log: BotLog, **other: Any) -> tuple[MatchPlay, Hearing]:
    """A match of two, and the seat of ``attendance`` as the table sees it."""
    seat = Hearing(SeatedBot(attendance, attendance.come[0], log, KEY))
    played = play(setup(2, series=Games(GAMES), **other), [seat, honest(99)])
    log.close()
    return played, seat


@pytest.mark.parametrize("question", [1, 2, 3, 8, 20, 30])
def test_a_bot_that_comes_again_is_told_the_whole_match(log: BotLog, question: int) -> None:
    attendance = Attendance(gone_at(question), honest(2))
    played, seat = play_with(attendance, log)
    [infraction] = played.infractions
    assert infraction.consequence is Consequence.RESTART
    _, again = attendance.come
    assert again.began == seat.began
    assert again.games == seat.games
    assert attendance.dismissed == 0


def test_a_bot_that_is_gone_again_and_again_is_told_the_whole_match_each_time(
    log: BotLog,
) -> None:
    attendance = Attendance(gone_at(2), gone_at(1), gone_at(30), honest(2))
    played, seat = play_with(attendance, log, conduct=Conduct(restarts=3, strike_limit=None))
    assert len(played.infractions) == 3
    assert attendance.come[-1].began == seat.began
    assert attendance.come[-1].games == seat.games


def test_a_refused_answer_of_a_bot_that_came_again_is_asked_for_with_all_acts(
    log: BotLog,
) -> None:
    fair = honest(2)

    def illegal_once(ask: Ask) -> Reply | Fault:
        return Reply((4000,), QUICK) if len(slow.asked) == 1 else fair.answer(ask)

    slow = ScriptedPlayer(illegal_once)
    attendance = Attendance(gone_at(3), slow)
    play_with(attendance, log)
    first, second, third = slow.asked[:3]
    assert (first.turn, first.acts) == (second.turn, second.acts)
    assert first.acts[0].startswith("1 ")
    assert not third.acts[0].startswith("1 ")


async def test_a_bot_that_is_asked_no_more_after_its_return_hears_of_no_match(
    log: BotLog,
) -> None:
    """Its next match begins with a start, as any other."""
    attendance = Attendance(ScriptedPlayer(lambda _: CRASH), honest(2))
    seat = SeatedBot(attendance, attendance.come[0], log, KEY)
    seat.tell(MATCH_START)
    seat.tell(GAME_START)
    await seat.ask(ask())
    seat.tell(Ruled("request-1", breach_ruling(CRASH.kind), CRASH.kind, 50, 1, Consequence.RESTART))
    seat.tell(GameEnd(1, (), (0, 5, 7), (0,)))
    seat.tell(MatchEnd(None))
    first, again = attendance.come
    assert first.began == [MATCH_START, GAME_START]
    assert again.began == []


def test_a_bot_that_does_not_come_again_is_a_start_failure(log: BotLog) -> None:
    attendance = Attendance(gone_at(3))
    played, _ = play_with(attendance, log)
    crash, failure = played.infractions
    assert crash.consequence is Consequence.RESTART
    assert failure.kind is Infraction.START_FAILURE
    assert failure.detail == "no hello within the start limit"
    assert failure.consequence is Consequence.FORFEIT
    assert attendance.dismissed == 1


def test_a_host_fault_at_its_question_costs_a_bot_one_that_it_is_spared(log: BotLog) -> None:
    def doubtful(ask: Ask) -> Reply | Fault:
        raise HostFault("nobody can tell whose time it was")

    attendance = Attendance(ScriptedPlayer(doubtful))
    with pytest.raises(HostFault):
        play_with(attendance, log)
    assert attendance.spare == 4


def test_a_crash_shows_what_was_asked(log: BotLog) -> None:
    attendance = Attendance(gone_at(2), honest(2))
    play_with(attendance, log)
    ask = attendance.come[0].asks[1]
    lines = notes(log, ask)
    assert lines[:2] == [
        "crashed (§7.4): The bot's process ended. Penalty 50, strikes so far 1, then restart",
        f"it was asked last in game {ask.game}, turn {ask.turn}, after",
    ]
    assert lines[2 : 2 + len(ask.acts)] == [f"  {act}" for act in ask.acts]
    shown = "\n".join(lines[2 + len(ask.acts) :])
    for word in ("red", "blue", "stock", "hand", "fits"):
        assert f"\n  {word}" in f"\n{shown}" or f"   {word} " in shown


def test_a_bot_that_was_gone_before_it_was_asked_is_shown_its_last_question(log: BotLog) -> None:
    gone = Fault(Infraction.CRASHED, Evidence(0), "the bot's process exited with status 1")
    attendance = Attendance(gone_at(2, gone), honest(2))
    play_with(attendance, log)
    first, second = attendance.come[0].asks
    assert f"it was asked last in game 1, turn {first.turn}, after" in notes(log, second)


def test_a_lateness_shows_the_times(log: BotLog) -> None:
    late = Fault(Infraction.LATE, Evidence(2_512_300, 1_200, 12_300, "the referee waited"), "")
    attendance = Attendance(gone_at(2, late))
    play_with(attendance, log, time_control=TimeControl(bank_us=500_000))
    ruling, times = notes(log, attendance.come[0].asks[1])
    assert ruling.endswith("not there in time. Penalty 20, strikes so far 1, then house")
    assert times == (
        "limit 2000.0 ms, bank 500.0 ms; "
        "elapsed 2512.3 ms, counted 2500.0 ms, excused 12.3 ms, CPU 1.2 ms (the referee waited)"
    )


def notes(log: BotLog, ask: Ask) -> list[str]:
    """The referee's notes in a turn."""
    place = f"{KEY} game {ask.game} turn {ask.turn} # "
    lines = log.path.read_text().splitlines()
    return [line.removeprefix(place) for line in lines if line.startswith(place)]
