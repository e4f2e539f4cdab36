"""What goes to and fro between the referee and one bot, whichever stream carries it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, GameEnd, MatchEnd, MatchStart, Message, Reply, Stray
from referee.rpc.codec.messages import MatchWriter
from referee.rpc.inbox import FloodError, Inbox
from referee.rpc.meter import Meter
from referee.rpc.outbox import Outbox
from referee.rpc.question import Doubt, Question
from referee.rpc.timers import Timers


class Exchange:
    """Puts questions and tells messages, and takes what the bot sends.

    ``give_up`` is told of a bot that sends too much or reads too little.
    """

    def __init__(self, timers: Timers, give_up: Callable[[Infraction, str], None]) -> None:
        self.outbox: Final = Outbox()
        self._inbox: Final = Inbox()
        self._timers: Final = timers
        self._give_up: Final = give_up
        self._writer: MatchWriter | None = None
        self._ask: Ask | None = None
        """The one that is open."""

    @property
    def resigned(self) -> bool:
        """The bot has given the current match up."""
        return self._inbox.resigned

    def strays(self) -> tuple[Stray, ...]:
        return self._inbox.take_strays()

    def begin(self, start: MatchStart) -> None:
        """From here on all is about this match."""
        self._writer = MatchWriter(start)
        self._inbox.begin_match(start.match_id, self._writer.codec)

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchEnd) and self._writer is None:
            # The match broke off before it began for this bot.
            return
        self._match().tell(message, self.outbox.message())
        if isinstance(message, MatchEnd):
            self._writer = None
        if isinstance(message, GameEnd | MatchEnd):
            self._flush()

    def end(self, text: str) -> None:
        """Nothing follows this goodbye."""
        self.outbox.message().goodbye.text = text
        self.outbox.flush()
        self.outbox.close()

    async def ask(self, ask: Ask, meter: Meter) -> Reply | Fault | Doubt:
        if self._ask is not None:
            raise RuntimeError("a question is open already")
        self._match().ask(ask, self.outbox.message())
        question = Question(ask.request_id, ask.allowed_us, self._timers, meter)
        self._inbox.open(question)
        self._ask = ask
        try:
            with question:
                self._flush()
                reply = await question.outcome
        finally:
            self._ask = None
            self._inbox.close()
        if isinstance(reply, Reply):
            # The bot has all that came before.
            self.outbox.forget()
        return reply

    def repeat(self) -> None:
        """Send the open question again, where there is one and the bot had it before."""
        question = self._inbox.question
        if self._ask is None or question is None or question.outcome.done():
            return
        if self.outbox.written:
            self._match().ask(self._ask, self.outbox.message())
            self._flush()

    def take(self, element: bytes) -> None:
        """An element has come."""
        try:
            self._inbox.take(element, self._timers.now())
        except FloodError as error:
            self._give_up(Infraction.FLOOD, str(error))

    def fault(self, kind: Infraction, detail: str) -> None:
        """The open question, if there is one, will not be answered."""
        if self._inbox.question is not None:
            self._inbox.question.fault(kind, detail, self._timers.now())

    def fail(self, error: Exception) -> None:
        """Whoever waits for an answer gets an error of the referee's own."""
        if self._inbox.question is not None:
            self._inbox.question.fail(error)

    def _flush(self) -> None:
        self.outbox.flush()
        if self.outbox.overfull:
            self._give_up(Infraction.DISCONNECTED, "the bot does not read")

    def _match(self) -> MatchWriter:
        if self._writer is None:
            raise RuntimeError("a match begins with its start")
        return self._writer
