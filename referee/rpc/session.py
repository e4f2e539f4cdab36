"""One bot's seat over the matches of a sitting: the player at the far end of a stream."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple

from elfer.v1 import play_pb2
from referee.core.errors import HostFault
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, MatchStart, Message, Reply, Stray
from referee.rpc.conversation import Conversation, Stream
from referee.rpc.exchange import Exchange
from referee.rpc.grace import Grace
from referee.rpc.meter import Meter, Unmetered
from referee.rpc.question import Doubt
from referee.rpc.timers import Timers, limit

GOODBYE_LIMIT_US: Final = 1_000_000
MOST_RESUMES: Final = 100
"""How often in a match a stream may be taken up again."""


class Loss(NamedTuple):
    """Why there is no bot at a session's far end, or no longer."""

    kind: Infraction
    detail: str


class Session:
    """A ``Player`` whose bot sits at the far end of a stream.

    Its owner starts a bot that shows ``token``, lets the session ``watch`` its process where
    there is one, awaits ``connected``, and in the end calls ``close``. A stream that was lost
    may be taken up again within ``grace_us``; clocks run on meanwhile.
    """

    def __init__(self, bot: str, token: str, timers: Timers, grace_us: int = 0) -> None:
        self.bot: Final = bot
        self.token: Final = token
        self.seated = False
        """A stream was opened with the token."""
        self.resume_nonce = b""
        """Takes the stream up again, once."""
        self.resumes = 0
        """How often that has happened in this match."""
        self.meter: Meter = Unmetered()
        self.spare = 0
        """Whether, above zero, a lateness that may be the host's is a fault of the host."""
        self.loss: Loss | None = None
        """Set once the bot can never be asked again."""
        self._failure: Exception | None = None
        self._said_goodbye = False
        self._timers: Final = timers
        self._grace: Final = Grace(timers, grace_us, self._disconnect)
        self._settled: Final = asyncio.Event()
        self._welcome = b""
        self._conversation: Conversation | None = None
        self._exchange: Final = Exchange(timers, self.lost)

    @property
    def alive(self) -> bool:
        """The bot is there, or may still come, or come back."""
        return not (self.loss or self._failure or self._said_goodbye)

    @property
    def open_to_streams(self) -> bool:
        """A stream that shows what it takes may carry the seat."""
        return self.alive and self._grace.permits_return

    @property
    def absence(self) -> str:
        """Why the bot is not there, as far as that is its own doing."""
        return "" if self.loss is None else self.loss.detail

    def watch(self, exited: asyncio.Future[Any]) -> None:
        """Be told when the bot's process has ended; the result, as text, says how.

        A stream that ends waits a moment for this, so that a crash is called one.
        """
        self._grace.watched = True
        exited.add_done_callback(self._exited)

    async def connected(self, limit_us: int | None) -> bool:
        """Wait until the bot has said hello; ``None``: for ever.

        ``False``: it did not come up, and every question will say so.
        """
        with limit(self._timers, limit_us, self._miss_start):
            await self._settled.wait()
        self._raise_failure()
        return self.loss is None

    async def there(self) -> bool:
        """Whether the bot is there; waits until that is clear, should its stream have been lost."""
        await self._grace.ended()
        return self.alive

    def lost(self, kind: Infraction, detail: str) -> None:
        """The bot is gone. The first call counts, and ends the stream.

        A bot that never said hello is a start failure, whatever ``kind`` says.
        """
        if self.loss is not None or self._said_goodbye:
            return
        self.loss = Loss(kind if self.seated else Infraction.START_FAILURE, detail)
        self._settled.set()
        self._grace.end()
        if self._conversation is not None:
            self._conversation.end()
        self._exchange.outbox.forget()
        self._exchange.fault(*self.loss)

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._raise_failure()
        if self._exchange.resigned:
            return Fault(Infraction.RESIGNED, Evidence(0), "")
        if (gone := self._gone(Evidence(0))) is not None:
            return gone
        if self._said_goodbye:
            raise RuntimeError("the session is closed")
        reply = await self._exchange.ask(ask, self.meter)
        if isinstance(reply, Doubt) or (isinstance(reply, Fault) and reply.kind is Infraction.LATE):
            # That the bot's process has ended goes before being late.
            await self._grace.news()
            return self._gone(reply.evidence) or self._late(reply)
        return reply

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchStart):
            self._exchange.begin(message)
            self.resumes = 0
        if self.alive:
            self._exchange.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self._exchange.strays()

    def can_resume_after(self, received: int) -> bool:
        """Whether what a bot lacks that has had so many elements is still at hand."""
        return self._exchange.outbox.has(received)

    def sit_down(self, welcome: play_pb2.Welcome, received: int | None = None) -> None:
        """A stream has shown what it takes to carry this seat; ``converse`` follows.

        One that has carried it until now is ended. ``received`` is how many elements have come
        through so far, the welcomes not counted; ``None``: all that were written.
        """
        if self.seated:
            self.resumes += 1
            self._grace.end()
            if self._conversation is not None:
                self._conversation.end()
                self._conversation = None
            if received is not None:
                self._exchange.outbox.go_on_after(received)
            self._exchange.repeat()
        self.seated = True
        self.resume_nonce = welcome.resume_nonce
        message = play_pb2.RefereeMessage(welcome=welcome)
        self._welcome = play_pb2.PlayResponse(messages=[message]).SerializeToString()
        self._settled.set()

    async def converse(self, stream: Stream) -> bool:
        """Carry the stream until it ends, the bot is lost, or the goodbye is written.

        Returns ``False`` when another stream has taken the seat up meanwhile.
        """
        self._conversation = conversation = Conversation(
            stream, self._welcome, self._exchange.outbox, self._take, self.fail
        )
        try:
            await conversation.carry()
        finally:
            current = self._conversation is conversation
            if current:
                self._end_stream()
        return current

    async def close(self, text: str = "") -> None:
        """Say goodbye, and wait until the stream has ended, but not for long."""
        if self.loss is None and not self._said_goodbye:
            self._said_goodbye = True
            self._settled.set()
            self._grace.end()
            self._exchange.end(text)
        self.meter.close()
        conversation = self._conversation
        if conversation is not None:
            with limit(self._timers, GOODBYE_LIMIT_US, conversation.end):
                await conversation.ended.wait()
        self._exchange.outbox.forget()

    def fail(self, error: Exception) -> None:
        """An error of the referee's own: whoever asks, or waits, gets an exception."""
        if self._failure is None:
            self._failure = error
        self._settled.set()
        self._exchange.fail(error)

    def _late(self, reply: Fault | Doubt) -> Fault:
        if isinstance(reply, Fault):
            return reply
        if self.spare > 0:
            raise HostFault(f"{self.bot} was late, perhaps by the host's doing: {reply.detail}")
        return Fault(Infraction.LATE, reply.evidence, reply.detail)

    def _gone(self, evidence: Evidence) -> Fault | None:
        return None if self.loss is None else Fault(self.loss.kind, evidence, self.loss.detail)

    def _take(self, element: bytes) -> None:
        if self.alive:
            self._exchange.take(element)

    def _end_stream(self) -> None:
        self._conversation = None
        if self.alive:
            self._grace.begin()

    def _disconnect(self) -> None:
        self.lost(Infraction.DISCONNECTED, "the bot's stream ended")

    def _miss_start(self) -> None:
        if not self.seated:
            self.lost(Infraction.START_FAILURE, "no hello within the start limit")

    def _exited(self, exited: asyncio.Future[Any]) -> None:
        if not exited.cancelled():
            self.lost(Infraction.CRASHED, f"the bot's process {exited.result()}")

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise RuntimeError(f"the session of {self.bot} failed") from self._failure
