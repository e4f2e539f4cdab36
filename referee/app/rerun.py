"""Bots put in a seat of a recorded match: what each would have answered in one turn.

A bot may remember and roll dice, so it sits there from the match's beginning: it is told and
asked all that the seat was, with the dice the seat had (§10.3). What it answers before that
turn changes nothing; the recorded answers stand.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from referee.app.bots import Bot
from referee.app.cancelling import to_the_end, together
from referee.app.chair import BotChair
from referee.core.errors import InputError
from referee.core.game import Ruling
from referee.match.conduct import Infraction
from referee.match.explain import RulingExplained, explain_ruling
from referee.match.moment import Moment
from referee.match.player import Ask, Fault, Message, Player, Reply, Ruled, Stray
from referee.match.record import GivenAnswer, MatchRecord
from referee.match.recorded import DiffersError, RecordedPlayer, table_of
from referee.match.replay import Replay
from referee.rpc.server import PlayServer

LONGEST_TURN_US: Final = 10_000_000
"""A bot has so long to answer where the match had no limit."""

MOST_FAULTS: Final = 3
"""A bot that gave no answer so often is asked no more: it could take its whole limit each time."""


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a bot answered to a recorded turn."""

    bot: str
    version: str
    answer: GivenAnswer | None
    """``None`` when there was none that could be read."""
    act: str | None
    """What comes of the answer, where it is accepted."""
    ruling: RulingExplained | None
    """Why it is refused."""
    fault: Infraction | None
    """Why there is no answer."""
    detail: str
    elapsed_us: int


def rerun(record: MatchRecord, moment: Moment, seat: int, bots: Sequence[Bot]) -> list[Rerun]:
    """Ask bots, all at one time, what the match seat was asked at ``moment``, a turn of ``record``.

    Has to be called from the main thread. Raises InputError where the seat was not asked then,
    DiffersError where the record does not hold up to there, HostFault.
    """
    at = (moment.pairing.number, moment.turn, seat)
    if not any((ask.game, ask.turn, ask.seat) == at for ask in record.asks):
        raise InputError("game {}, turn {}: seat {} was not asked".format(*at))
    with tempfile.TemporaryDirectory(prefix="elfer-rerun-", ignore_cleanup_errors=True) as logs:
        replies = asyncio.run(_ask(record, moment, seat, bots, Path(logs)))
    return [_outcome(moment, seat, bot, reply) for bot, reply in zip(bots, replies, strict=True)]


def _outcome(moment: Moment, seat: int, bot: Bot, reply: Reply | Fault) -> Rerun:
    about = bot.name, bot.manifest.version
    elapsed = reply.evidence.elapsed_us
    if isinstance(reply, Fault):
        return Rerun(*about, None, None, None, reply.kind, reply.detail, elapsed)
    answer = GivenAnswer.of(reply.answer)
    judged = moment.state.judge(moment.pairing.seats.index(seat), reply.answer)
    if isinstance(judged, Ruling):
        ruling = explain_ruling(moment, seat, reply.answer, judged)
        return Rerun(*about, answer, None, ruling, None, "", elapsed)
    return Rerun(*about, answer, moment.game.text(judged), None, None, "", elapsed)


async def _ask(
    record: MatchRecord, moment: Moment, seat: int, bots: Sequence[Bot], logs: Path
) -> list[Reply | Fault]:
    server = PlayServer(handshake_limit_us=record.time_control.handshake_limit_us)
    chairs: list[BotChair] = []
    try:
        # Cancelled half way, gRPC's server can be neither used nor stopped.
        await to_the_end(server.start())
        for number, bot in enumerate(bots):
            chairs.append(BotChair(bot, server, logs / f"{number}.log"))
        await together(chair.sit(record.match_key) for chair in chairs)
        shadows = [_Watched(chair.player(record.match_key)) for chair in chairs]
        return await _play_up_to(record, moment, seat, shadows)
    finally:
        await to_the_end(_clear(chairs, server))


async def _clear(chairs: Sequence[BotChair], server: PlayServer) -> None:
    try:
        await together(chair.close() for chair in chairs)
    finally:
        await server.stop()


async def _play_up_to(
    record: MatchRecord, moment: Moment, seat: int, shadows: Sequence[Player]
) -> list[Reply | Fault]:
    replay = Replay(record.transcript)
    limit_us = record.time_control.move_limit_us or LONGEST_TURN_US
    shadowed = _Shadowed(record, moment, seat, shadows, limit_us)
    players: list[Player] = [RecordedPlayer(record, number) for number in range(replay.seats)]
    players[seat] = shadowed
    table = table_of(record, replay, players, match_id=secrets.token_hex(8))
    playing = asyncio.create_task(table.play())
    try:
        either: set[asyncio.Future[Any]] = {playing, shadowed.replies}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not shadowed.replies.done():
            await playing
            raise DiffersError("asks", "a question in this turn", "none")
        return shadowed.replies.result()
    finally:
        playing.cancel()
        await asyncio.wait({playing})


class _Shadowed:
    """A recorded player, with bots that are asked and told the same and change nothing.

    ``replies`` are theirs to the question of ``moment``, at which the match stands still.
    """

    def __init__(
        self,
        record: MatchRecord,
        moment: Moment,
        seat: int,
        shadows: Sequence[Player],
        limit_us: int,
    ) -> None:
        self._recorded: Final = RecordedPlayer(record, seat)
        self._at: Final = (moment.pairing.number, moment.turn)
        self._shadows: Final = shadows
        self._limit_us: Final = limit_us
        self._request_id = ""
        self.replies: Final[asyncio.Future[list[Reply | Fault]]] = (
            asyncio.get_running_loop().create_future()
        )

    async def ask(self, ask: Ask) -> Reply | Fault:
        # The bots' own: a request id of the record may be anything, and their time is their own.
        self._request_id = secrets.token_hex(8)
        question = replace(ask, request_id=self._request_id, left_us=self._limit_us)
        replies = await asyncio.gather(*(shadow.ask(question) for shadow in self._shadows))
        if (ask.game, ask.turn) == self._at:
            self.replies.set_result(replies)
            await asyncio.Event().wait()
        return await self._recorded.ask(ask)

    def tell(self, message: Message) -> None:
        if isinstance(message, Ruled) and message.request_id:
            message = replace(message, request_id=self._request_id)
        for shadow in self._shadows:
            shadow.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        for shadow in self._shadows:
            shadow.strays()
        return self._recorded.strays()


class _Watched:
    """A bot's player, which is spared further questions after ``MOST_FAULTS`` faults."""

    def __init__(self, player: Player) -> None:
        self._player: Final = player
        self._left = MOST_FAULTS
        self._last: Fault | None = None

    async def ask(self, ask: Ask) -> Reply | Fault:
        if self._last is not None:
            return self._last
        reply = await self._player.ask(ask)
        if isinstance(reply, Fault):
            self._left -= 1
            if self._left == 0:
                when = f"asked no more after game {ask.game}, turn {ask.turn}"
                detail = f"{reply.detail}; {when}" if reply.detail else when
                self._last = reply._replace(detail=detail)
        return reply

    def tell(self, message: Message) -> None:
        self._player.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self._player.strays()
