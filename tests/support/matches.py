"""Whole matches in one process, without sockets: scripted players, and records of their play."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

from referee.core.dice import commitment
from referee.games.registry import AnyGame, game_for
from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import Conduct
from referee.match.player import Ask, Fault, Message, Player, Reply, Stray
from referee.match.record import MatchRecord, SeatRecord, digest_of
from referee.match.series import Games, Series
from referee.match.table import MatchPlay, MatchSetup, Table
from tests.support.random_play import legal_answer

SEED = bytes(range(32))
QUICK = Evidence(elapsed_us=100)

Answer = Callable[[Ask], Reply | Fault]


class ScriptedPlayer:
    """Answers by a function; keeps what it was asked and told."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Ask] = []
        self.told: list[Message] = []
        self.stray: list[Stray] = []

    async def ask(self, ask: Ask) -> Reply | Fault:
        self.asked.append(ask)
        return self.answer(ask)

    def tell(self, message: Message) -> None:
        self.told.append(message)

    def strays(self) -> tuple[Stray, ...]:
        strays = tuple(self.stray)
        self.stray.clear()
        return strays


def honest(seed: int = 0) -> ScriptedPlayer:
    """A player that answers legally, at random, and at once."""
    random = Random(seed)
    return ScriptedPlayer(lambda ask: Reply(legal_answer(ask.view, random), QUICK))


def setup(
    seats: int,
    *,
    profile: str = "ravensburger",
    game: AnyGame | None = None,
    series: Series | None = None,
    seed: bytes = SEED,
    **other: Any,
) -> MatchSetup:
    return MatchSetup(
        game=game or game_for(profile, seats),
        series=series or Games(1),
        seed=seed,
        seed_commitment=commitment(seed),
        dice_seeds=(bytes(32),) * seats,
        match_id="m",
        **other,
    )


def play(match: MatchSetup, players: Sequence[Player]) -> MatchPlay:
    ids = itertools.count()
    return asyncio.run(Table(match, players, lambda: f"{next(ids):016x}").play())


def record_of(
    played: MatchPlay,
    *,
    match_key: str = "match/1",
    seed: bytes = SEED,
    time_control: TimeControl | None = None,
    conduct: Conduct | None = None,
) -> MatchRecord:
    """The record of a single match between ``bot-0``, ``bot-1`` and so on."""
    return MatchRecord(
        league="",
        match_key=match_key,
        deal_key=match_key,
        attempt=1,
        seats=tuple(
            SeatRecord(seat, f"bot-{seat}", "1.0.0", bytes(32), "An author", "python")
            for seat in range(len(played.result.points))
        ),
        time_control=time_control or TimeControl(),
        conduct=conduct or Conduct(),
        transcript=played.transcript,
        seed_commitment=commitment(seed),
        asks=played.asks,
        infractions=played.infractions,
        result=played.result,
        play_digest=digest_of(played.transcript),
        start_time=datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC),
        end_time=datetime(2026, 1, 1, 12, 0, 5, tzinfo=UTC),
        referee_version="0.1.0",
    )
