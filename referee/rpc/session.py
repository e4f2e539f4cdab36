"""One bot's seat over the matches of a sitting: the player at the far end of a stream."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple, Protocol

from elfer.v1 import play_pb2
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, GameEnd, MatchEnd, MatchStart, Message, Reply, Stray
from referee.rpc.codec.messages import MatchWriter
from referee.rpc.inbox import FloodError, Inbox
from referee.rpc.outbox import Outbox
from referee.rpc.timers import Timer, Timers, limit

EXIT_GRACE_US: Final = 1_000_000
"""How long the end of a stream waits for the news that the bot's process has ended."""
GOODBYE_LIMIT_US: Final = 1_000_000
MOST_UNSENT_BYTES: Final = 2**20


class StreamEndedError(Exception):
    """The stream takes no more."""


class Stream(Protocol):
    """The bytes to and from one bot, element by element."""

    async def read(self) -> bytes | None:
        """The next element; ``None``: the stream has ended."""
        ...

    async def write(self, element: bytes) -> None:
        """Raises ``StreamEndedError``."""
        ...


class Loss(NamedTuple):
    """Why there is no bot at a session's far end, or no longer."""

    kind: Infraction
    detail: str


class Session:
    """A ``Player`` whose bot sits at the far end of a stream.

    Its owner starts a bot that shows ``token``, lets the session ``watch`` its process where
    there is one, awaits ``connected``, and in the end calls ``close``.
    """

    def __init__(self, bot: str, token: str, timers: Timers) -> None:
        self.bot: Final = bot
        self.token: Final = token
        self.seated = False
        """A stream was opened with the token."""
        self.loss: Loss | None = None
        """Set once the bot can never be asked again."""
        self._failure: Exception | None = None
        self._said_goodbye = False
        self._timers: Final = timers
        self._watched = False
        self._grace: Timer | None = None
        self._settled: Final = asyncio.Event()
        self._stream_ended: Final = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._inbox: Final = Inbox()
        self._outbox: Final = Outbox()
        self._writer: MatchWriter | None = None

    @property
    def alive(self) -> bool:
        """The bot may still come, or is there."""
        gone = self.loss or self._failure or self._said_goodbye or self._stream_ended.is_set()
        return not gone

    @property
    def absence(self) -> str:
        """Why the bot is not there, as far as that is its own doing."""
        return "" if self.loss is None else self.loss.detail

    def watch(self, exited: asyncio.Future[Any]) -> None:
        """Be told when the bot's process has ended; the result, as text, says how.

        A stream that ends waits a moment for this, so that a crash is called one.
        """
        self._watched = True
        exited.add_done_callback(self._exited)

    async def connected(self, limit_us: int | None) -> bool:
        """Wait until the bot has said hello; ``None``: for ever.

        ``False``: it did not come up, and every question will say so.
        """
        with limit(self._timers, limit_us, self._miss_start):
            await self._settled.wait()
        self._raise_failure()
        return self.loss is None

    def lost(self, kind: Infraction, detail: str) -> None:
        """The bot is gone. The first call counts, and ends the stream.

        A bot that never said hello is a start failure, whatever ``kind`` says.
        """
        if self.loss is not None or self._said_goodbye:
            return
        self.loss = Loss(kind if self.seated else Infraction.START_FAILURE, detail)
        self._settled.set()
        if self._grace is not None:
            self._grace.cancel()
        if self._reading is not None:
            self._reading.cancel()
        if self._inbox.question is not None:
            self._inbox.question.fault(self.loss.kind, detail, self._timers.now())

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._raise_failure()
        if self._inbox.resigned:
            return Fault(Infraction.RESIGNED, Evidence(0), "")
        if self.loss is not None:
            return Fault(self.loss.kind, Evidence(0), self.loss.detail)
        if self._inbox.question is not None or self._said_goodbye:
            raise RuntimeError("a question is open already, or the session closed")
        self._match().ask(ask, self._outbox.message())
        question = self._inbox.open(ask.request_id, self._timers.now())
        self._flush()
        try:
            with limit(self._timers, ask.left_us, self._late):
                return await question.outcome
        finally:
            self._inbox.close()

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchStart):
            self._writer = MatchWriter(message)
            self._inbox.begin_match(message.match_id, self._writer.codec)
        elif isinstance(message, MatchEnd) and self._writer is None:
            # The match broke off before it began for this bot.
            return
        writer = self._match()
        if isinstance(message, MatchEnd):
            self._writer = None
        if not self.alive:
            return
        writer.tell(message, self._outbox.message())
        if isinstance(message, GameEnd | MatchEnd):
            self._flush()

    def strays(self) -> tuple[Stray, ...]:
        return self._inbox.take_strays()

    def sit_down(self, welcome: play_pb2.Welcome) -> None:
        """A stream has shown the token; the seat is taken."""
        self.seated = True
        self._outbox.message().welcome.CopyFrom(welcome)
        self._outbox.flush()
        self._settled.set()

    async def converse(self, stream: Stream) -> None:
        """Carry the stream until it ends, the bot is lost, or the goodbye is written."""
        self._reading = asyncio.create_task(self._carry(self._read(stream)))
        writing = asyncio.create_task(self._carry(self._outbox.drain(stream.write)))
        tasks = (self._reading, writing)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # Nothing is awaited here: gRPC may cancel us at this point as well.
            for task in tasks:
                task.cancel()
            self._end_stream()

    async def close(self, text: str = "") -> None:
        """Say goodbye, and wait until the stream has ended, but not for long."""
        if self.loss is None and not self._said_goodbye:
            self._said_goodbye = True
            self._settled.set()
            self._outbox.message().goodbye.text = text
            self._outbox.flush()
            self._outbox.close()
        if self._reading is None:
            return
        with limit(self._timers, GOODBYE_LIMIT_US, self._reading.cancel):
            await self._stream_ended.wait()

    def fail(self, error: Exception) -> None:
        """An error of the referee's own: whoever asks, or waits, gets an exception."""
        if self._failure is None:
            self._failure = error
        self._settled.set()
        question = self._inbox.question
        if question is not None and not question.outcome.done():
            question.outcome.set_exception(error)

    async def _carry(self, work: Coroutine[Any, Any, None]) -> None:
        """One direction of the stream: whatever fails in it is an error of ours."""
        try:
            await work
        except StreamEndedError:
            pass
        except Exception as error:  # noqa: BLE001 - whoever asks gets it
            self.fail(error)

    async def _read(self, stream: Stream) -> None:
        while (element := await stream.read()) is not None:
            try:
                self._inbox.take(element, self._timers.now())
            except FloodError as error:
                self.lost(Infraction.FLOOD, str(error))

    def _flush(self) -> None:
        self._outbox.flush()
        if self._outbox.unsent_bytes > MOST_UNSENT_BYTES:
            self.lost(Infraction.DISCONNECTED, "the bot does not read")

    def _late(self) -> None:
        # A stream that has ended is a fault of another kind, which the exit grace settles.
        if self._inbox.question is not None and not self._stream_ended.is_set():
            self._inbox.question.fault(Infraction.LATE, "", self._timers.now())

    def _end_stream(self) -> None:
        self._stream_ended.set()
        if self._watched:
            self._grace = self._timers.after(EXIT_GRACE_US, self._disconnect)
        else:
            self._disconnect()

    def _disconnect(self) -> None:
        self.lost(Infraction.DISCONNECTED, "the bot's stream ended")

    def _miss_start(self) -> None:
        if not self.seated:
            self.lost(Infraction.START_FAILURE, "no hello within the start limit")

    def _exited(self, exited: asyncio.Future[Any]) -> None:
        if not exited.cancelled():
            self.lost(Infraction.CRASHED, f"the bot's process {exited.result()}")

    def _match(self) -> MatchWriter:
        if self._writer is None:
            raise RuntimeError("a match begins with its start")
        return self._writer

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise RuntimeError(f"the session of {self.bot} failed") from self._failure
