"""A bot as it sits in one match, whatever becomes of its process meanwhile."""

from __future__ import annotations

from typing import Final, Protocol

from referee.app.memory import Memory
from referee.app.notes import Notes
from referee.bots.output import BotLog
from referee.core.errors import HostFault
from referee.match.clock import Evidence
from referee.match.conduct import Consequence, Infraction
from referee.match.player import Ask, Fault, MatchStart, Message, Player, Reply, Ruled, Stray


class Attendance(Protocol):
    """Who has the bot come and go."""

    absence: str
    spare: int
    """How many host faults at its questions it is spared yet."""

    async def present(self) -> Player | None:
        """The bot that is there now; ``None`` where it is absent."""
        ...

    def restart(self) -> None:
        """Begin to end the bot and to start it again."""
        ...

    def dismiss(self) -> None:
        """Begin to end the bot."""
        ...


class SeatedBot:
    """A player that has its bot started again, or dismissed, as conduct says.

    A bot that comes in the middle of the match is told what there was of it. The log is marked
    with where the match stands, and has what the author may want to know of a breach.
    """

    def __init__(
        self, attendance: Attendance, bot: Player | None, log: BotLog, match_key: str
    ) -> None:
        self._attendance: Final = attendance
        self._bot = bot
        """Has been told the match so far."""
        self._log: Final = log
        self._match_key: Final = match_key
        self._memory: Final = Memory()
        self._notes: Notes

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._log.mark(self._match_key, ask.game, ask.turn)
        bot = await self._attendance.present()
        if bot is not None and bot is not self._bot:
            for message in self._memory.afresh():
                bot.tell(message)
        self._bot = bot
        heard = self._memory.asked(ask)
        if bot is None:
            reply: Reply | Fault = Fault(
                Infraction.START_FAILURE, Evidence(0), self._attendance.absence
            )
        else:
            try:
                reply = await bot.ask(heard)
            except HostFault:
                self._attendance.spare -= 1
                raise
        self._notes.answered(heard, reply)
        return reply

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchStart):
            self._notes = Notes(message)
        heard = self._memory.told(message)
        if self._bot is not None:
            self._bot.tell(heard)
        if isinstance(message, Ruled):
            for line in self._notes.ruled(message):
                self._log.note(line)
            if message.consequence is Consequence.RESTART:
                self._bot = None
                self._attendance.restart()
            elif message.consequence is Consequence.FORFEIT:
                self._attendance.dismiss()

    def strays(self) -> tuple[Stray, ...]:
        return () if self._bot is None else self._bot.strays()
