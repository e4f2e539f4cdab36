"""Players in the shadow of a recorded one: they hear what it heard and change nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from referee.app.memory import Memory
from referee.match.clock import Evidence
from referee.match.conduct import Consequence, Infraction
from referee.match.moment import Moment
from referee.match.player import (
    Ask,
    Fault,
    GameStart,
    MatchStart,
    Message,
    Player,
    Reply,
    Ruled,
    Stray,
)
from referee.match.record import MatchRecord
from referee.match.recorded import RecordedPlayer
from referee.rpc.scribe import Scribe

LONGEST_TURN_US: Final = 10_000_000
"""A bot has so long to answer where a turn had no limit."""

MOST_FAULTS: Final = 3
"""A bot that gave no answer so often is asked no more: it could take its whole limit each time."""

Place = tuple[int, int]
"""Game and turn."""

FROM_THE_BEGINNING: Final[Place] = (0, 0)


class Answered(NamedTuple):
    """What shadows said to one question."""

    allowed_us: int
    """How long each of them might take."""
    replies: list[Reply | Fault]


class Shadowed:
    """A recorded player, with shadows that are asked and told the same.

    ``answered`` is what they say to the question of ``moment``, at which the match stands still.
    """

    def __init__(
        self, record: MatchRecord, moment: Moment, seat: int, shadows: Sequence[Player]
    ) -> None:
        self._recorded: Final = RecordedPlayer(record, seat)
        self._at: Final = (moment.pairing.number, moment.turn)
        self._shadows: Final = shadows
        self._limit_us: Final = record.time_control.move_limit_us or LONGEST_TURN_US
        self._request_id = ""
        self.answered: Final[asyncio.Future[Answered]] = asyncio.get_running_loop().create_future()

    async def ask(self, ask: Ask) -> Reply | Fault:
        # A request id of the record may be anything, and what it had used up of its time in
        # this turn and in the match is not what these have.
        self._request_id = secrets.token_hex(8)
        question = replace(
            ask, request_id=self._request_id, left_us=self._limit_us, match_left_us=None
        )
        replies = await asyncio.gather(*(shadow.ask(question) for shadow in self._shadows))
        if (ask.game, ask.turn) == self._at:
            self.answered.set_result(Answered(self._limit_us + (ask.bank_us or 0), replies))
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


class Spared:
    """A player that is spared further questions after ``MOST_FAULTS`` faults.

    The detail of a fault says how long there has been nothing but faults.
    """

    def __init__(self, player: Player) -> None:
        self._player: Final = player
        self._faults = 0
        self._since: Place | None = None
        self._last: Fault | None = None

    async def ask(self, ask: Ask) -> Reply | Fault:
        if self._last is not None:
            return self._last
        reply = await self._player.ask(ask)
        if isinstance(reply, Reply):
            self._since = None
            return reply
        self._faults += 1
        at = (ask.game, ask.turn)
        self._since = self._since or at
        since = "no answer since game {}, turn {}".format(*self._since)
        if self._faults == MOST_FAULTS:
            self._last = _with_detail(reply, f"{since}; asked no more")
        return reply if self._since == at else _with_detail(reply, since)

    def tell(self, message: Message) -> None:
        self._player.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self._player.strays()


def _with_detail(fault: Fault, more: str) -> Fault:
    return fault._replace(detail=f"{fault.detail}; {more}" if fault.detail else more)


class Audience:
    """Has a scribe take down what a bot in the seat hears, started again where the record's was."""

    def __init__(self) -> None:
        self.scribe = Scribe()
        self._memory: Final = Memory()
        self._gone = False

    async def ask(self, ask: Ask) -> Reply | Fault:
        if self._gone:
            self._gone = False
            self.scribe = Scribe()
            for message in self._memory.afresh():
                self.scribe.tell(message)
        return await self.scribe.ask(self._memory.asked(ask))

    def tell(self, message: Message) -> None:
        heard = self._memory.told(message)
        if not self._gone:
            self.scribe.tell(heard)
        if isinstance(message, Ruled) and message.consequence is Consequence.RESTART:
            self._gone = True

    def strays(self) -> tuple[Stray, ...]:
        return ()


class Latecomer:
    """A player that is told the match's start, and all else only from one place on."""

    def __init__(self, player: Player, since: Place) -> None:
        self._player: Final = player
        self._since: Final = since
        self._place = FROM_THE_BEGINNING

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._place = (ask.game, ask.turn)
        if self._place < self._since:
            return Fault(Infraction.RESIGNED, Evidence(0), "")
        return await self._player.ask(ask)

    def tell(self, message: Message) -> None:
        if isinstance(message, GameStart):
            self._place = (message.game, 0)
        if isinstance(message, MatchStart) or self._place >= self._since:
            self._player.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self._player.strays()
