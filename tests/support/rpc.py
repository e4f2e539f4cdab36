"""For tests of sessions: time that tests move on, and a stream without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Self

from elfer.cards import mask_of
from elfer.v1 import card_pb2, play_pb2
from referee.games.elfer_raus.view import Allowed, View
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct, Infraction
from referee.match.player import Ask, Fault, GameStart, MatchStart, Reply
from referee.match.series import Games
from referee.rpc.conversation import StreamEndedError
from referee.rpc.session import Session
from tests.support.meters import FakeMeter

MATCH_ID: Final = "match-id"
GAME: Final = game_for("ravensburger@1", 3)
VIEW: Final = View(
    seat=1,
    hand=mask_of([10, 12, 45]),
    laid=mask_of([11]),
    starts=mask_of([31, 51, 71]),
    stock=20,
    hand_sizes=(19, 3, 20),
    allowed=Allowed(fits=mask_of([10, 12]), due=0, may_pass=False, single=False),
)
MATCH_START: Final = MatchStart(
    match_id=MATCH_ID,
    game_id=GAME.id,
    rules_line=GAME.rules_line,
    series=Games(2),
    seats=3,
    seat=1,
    time_control=TimeControl(),
    conduct=Conduct(),
    seed_commitment=b"c" * 32,
    dice_seed=b"d" * 32,
)
GAME_START: Final = GameStart(game=1, dealer=0, seats=(0, 1, 2), points=(0, 0, 0), view=VIEW)


def ask(request_id: str = "request-1", *, left_us: int | None = 2_000_000) -> Ask:
    return Ask(
        request_id=request_id,
        game=1,
        turn=2,
        try_=1,
        left_us=left_us,
        bank_us=None,
        match_left_us=None,
        acts=("1 0 open R11",),
        dealer=0,
        seats=(0, 1, 2),
        points=(0, 0, 0),
        view=VIEW,
    )


def answer(
    request_id: str = "request-1", cards: tuple[int, ...] = (10,), *, match_id: str = MATCH_ID
) -> play_pb2.BotMessage:
    message = play_pb2.BotMessage()
    message.answer.match_id = match_id
    message.answer.request_id = request_id
    message.answer.elfer_raus.SetInParent()
    message.answer.elfer_raus.cards.extend(map(card_pb2.Card.ValueType, cards))
    return message


def resign(match_id: str = MATCH_ID) -> play_pb2.BotMessage:
    return play_pb2.BotMessage(resign=play_pb2.Resign(match_id=match_id))


def hello(
    token: str, version: int = 1, nonce: bytes = b"", received: int | None = None
) -> play_pb2.BotMessage:
    return play_pb2.BotMessage(
        hello=play_pb2.Hello(
            token=token, protocol_version=version, resume_nonce=nonce, received=received
        )
    )


class ManualTimers:
    """Time that stands still until a test moves it on."""

    def __init__(self) -> None:
        self._now_ns = 1_000_000_000
        self._timers: list[ManualTimer] = []
        self.armed = asyncio.Event()
        """A timer was set."""

    def now(self) -> int:
        return self._now_ns

    def after(self, delay_us: int, callback: Callable[[], object]) -> ManualTimer:
        timer = ManualTimer(self, self._now_ns + delay_us * 1000, callback)
        self._timers.append(timer)
        self.armed.set()
        return timer

    def advance(self, microseconds: int) -> None:
        """Move on and call back whatever is due, each at its time."""
        until = self._now_ns + microseconds * 1000
        while due := [timer for timer in self._timers if timer.due_ns <= until]:
            timer = min(due, key=lambda timer: timer.due_ns)
            self._now_ns = max(self._now_ns, timer.due_ns)
            timer.cancel()
            timer.callback()
        self._now_ns = until

    def pass_over(self, microseconds: int) -> None:
        """Move on while the event loop does something else: what is due is overdue then."""
        self._now_ns += microseconds * 1000

    def forget(self, timer: ManualTimer) -> None:
        if timer in self._timers:
            self._timers.remove(timer)


class ManualTimer:
    def __init__(self, timers: ManualTimers, due_ns: int, callback: Callable[[], object]) -> None:
        self._timers = timers
        self.due_ns = due_ns
        self.callback = callback

    def cancel(self) -> None:
        self._timers.forget(self)


class MemoryStream:
    """A stream whose far end is the test."""

    def __init__(self) -> None:
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()
        self._unread = False
        self.takes = asyncio.Event()
        """Cleared: a write waits, as for a bot that does not read."""
        self.takes.set()
        self.broken = False

    async def read(self) -> bytes | None:
        if self._unread:
            self._incoming.task_done()
        self._unread = True
        return await self._incoming.get()

    async def write(self, element: bytes) -> None:
        if self.broken:
            raise StreamEndedError("broken")
        self._outgoing.put_nowait(element)
        await self.takes.wait()

    async def send(self, element: bytes) -> None:
        """Send an element and wait until it has been dealt with."""
        self._incoming.put_nowait(element)
        await self.dealt_with()

    async def dealt_with(self) -> None:
        """Wait until the referee has taken all that was sent."""
        await self._incoming.join()

    def end(self, last: bytes | None = None) -> None:
        """End the stream, or send an element after which the referee reads no more."""
        self._incoming.put_nowait(last)

    async def sent(self) -> bytes:
        """The next element that the referee has sent."""
        return await self._outgoing.get()

    @property
    def silent(self) -> bool:
        """Everything that the referee has sent was looked at."""
        return self._outgoing.empty()


Asking = asyncio.Task[Reply | Fault]


class Seated:
    """A session with a bot at its far end that the test plays, with a match begun."""

    def __init__(self, grace_us: int = 0) -> None:
        self.timers = ManualTimers()
        self.session = Session("bot", "token", self.timers, grace_us)
        self.session.meter = self.meter = FakeMeter()
        self._conversations: list[asyncio.Task[bool]] = []

    async def __aenter__(self) -> Self:
        await self.sit_down()
        self.session.tell(MATCH_START)
        return self

    async def __aexit__(self, *_: object) -> None:
        for conversation in self._conversations:
            conversation.cancel()
        await asyncio.gather(*self._conversations, return_exceptions=True)

    async def sit_down(self, received: int | None = None) -> None:
        """On a new stream, with whatever may be needed for that shown."""
        self.stream = MemoryStream()
        self.session.sit_down(play_pb2.Welcome(protocol_version=1), received)
        self.conversation = asyncio.create_task(self.session.converse(self.stream))
        self._conversations.append(self.conversation)
        (first,) = await self.sent()
        assert first.HasField("welcome")

    async def lose_stream(self) -> None:
        self.stream.end()
        await self.conversation

    async def asked(self, request_id: str, left_us: int | None = None) -> Asking:
        """A question that has gone out and was read."""
        asking = asyncio.create_task(self.session.ask(ask(request_id, left_us=left_us)))
        await self.sent()
        return asking

    def stray_kinds(self) -> list[Infraction]:
        return [stray.kind for stray in self.session.strays()]

    async def send(self, *messages: play_pb2.BotMessage) -> None:
        await self.stream.send(play_pb2.PlayRequest(messages=messages).SerializeToString())

    async def sent(self) -> list[play_pb2.RefereeMessage]:
        """The messages of the referee's next element."""
        return list(play_pb2.PlayResponse.FromString(await self.stream.sent()).messages)
