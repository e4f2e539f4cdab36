"""Hostile bytes at the Play service, while two others play at it in peace.

All of it over real sockets on one event loop: whatever blocks the service stalls the table of
those two, and whatever breaks it breaks a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

import grpc
import psutil

from elfer import Bot, Card, Turn
from elfer.runner import play
from elfer.v1 import card_pb2
from elfer.v1 import play_pb2 as pb
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct, Infraction
from referee.match.player import Player
from referee.match.series import Games
from referee.match.table import MatchPlay, MatchSetup, Table
from referee.rpc.server import PlayServer
from referee.rpc.session import Session
from tests.support.matches import honest
from tests.support.mutations import mutated, noise

ATTACKERS: Final = 4
"""At a time."""
ROUND_S: Final = 2.0
"""How long one service is attacked; a sitting's is not there for ever either."""
MOST_STREAMS: Final = 3
"""That one attack opens."""
START_LIMIT_US: Final = 300_000
GRACE_US: Final = 20_000
HOSTILE_LIMITS: Final = TimeControl(move_limit_us=20_000)
HOSTILE_CONDUCT: Final = Conduct(strike_limit=20)
PEACEFUL_CONDUCT: Final = Conduct(strike_limit=None)

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
"""How an HTTP/2 connection begins: the magic words and empty settings."""

RawCall = grpc.aio.StreamStreamCall[bytes, bytes]


class BrokenError(Exception):
    """What the service must never do; the message says what and how to see it again."""


@dataclass(slots=True)
class Figures:
    attacks: int = 0
    seated: int = 0
    """Attacks of those who had shown their token."""
    elements: int = 0
    infractions: Counter[Infraction] = field(default_factory=Counter)
    matches: int = 0
    """Of the two in peace."""
    asks: int = 0
    """To the two in peace."""
    slowest_us: int = 0
    """Of their answers."""
    growth: int = 0
    """Bytes of memory that this process has gained after a third of the time."""

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {self.infractions[kind]:,}" for kind in Infraction)
        return (
            f"{self.attacks:,} attacks ({self.seated:,} seated), {self.elements:,} elements; "
            f"{kinds}; meanwhile {self.matches:,} matches of others with {self.asks:,} answers, "
            f"the slowest {self.slowest_us / 1000:.0f} ms; "
            f"{self.growth / 2**20:+.1f} MiB of memory"
        )


async def fuzz(seed: str, seconds: float, first: int = 0) -> Figures:
    """Attack one service after the other for so long, from attack number ``first``.

    Raises ``BrokenError``.
    """
    figures = Figures()
    numbers = count(first)
    lost: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: lost.append(str(told)))
    rounds = math.ceil(seconds / ROUND_S)
    memory = 0
    for number in range(rounds):
        if number <= rounds // 3:
            memory = _memory()
        try:
            await _attack_one(seed, numbers, figures)
        except BaseExceptionGroup as broken:
            raise _told(broken, seed) from None
    if lost:
        raise BrokenError(f"seed {seed!r}, nobody knows at which attack: {lost[0]}")
    figures.growth = _memory() - memory
    return figures


def _told(broken: BaseException, seed: str) -> BaseException:
    """What broke first, with how to see it again where that is not said yet."""
    while isinstance(broken, BaseExceptionGroup):
        broken = broken.exceptions[0]
    if isinstance(broken, BrokenError) or not isinstance(broken, Exception):
        return broken
    return BrokenError(f"others of seed {seed!r} break down: {broken!r}")


async def _attack_one(seed: str, numbers: Iterator[int], figures: Figures) -> None:
    end = time.monotonic() + ROUND_S
    async with (
        PlayServer(handshake_limit_us=START_LIMIT_US, grace_us=GRACE_US) as server,
        asyncio.TaskGroup() as group,
    ):
        group.create_task(_play_in_peace(server, figures, end))
        for _ in range(ATTACKERS):
            group.create_task(_attack(server, seed, numbers, figures, end))


async def _attack(
    server: PlayServer, seed: str, numbers: Iterator[int], figures: Figures, end: float
) -> None:
    while time.monotonic() < end:
        number = next(numbers)
        try:
            await _Attack(server, Random(f"{seed}/{number}"), figures).run()
        except Exception as error:
            raise BrokenError(f"attack {number} of seed {seed!r}: {error!r}") from error


def _memory() -> int:
    return int(psutil.Process().memory_info().rss)


def _setup(seed: bytes, conduct: Conduct, time_control: TimeControl) -> MatchSetup:
    return MatchSetup(
        game=game_for("ravensburger", 2),
        series=Games(1),
        seed=seed,
        seed_commitment=bytes(32),
        dice_seeds=(bytes(32),) * 2,
        match_id=seed.hex()[:16],
        time_control=time_control,
        conduct=conduct,
    )


async def _match(
    random: Random, players: Sequence[Player], conduct: Conduct, limits: TimeControl
) -> MatchPlay:
    setup = _setup(random.randbytes(32), conduct, limits)
    return await Table(setup, players, lambda: random.randbytes(8).hex()).play()


class _Lowest(Bot):
    def answer(self, turn: Turn) -> list[Card]:
        return [min(turn.fits, key=lambda card: card.number)]


async def _play_in_peace(server: PlayServer, figures: Figures, end: float) -> None:
    """Two bots of the SDK play match after match, and are never kept waiting."""
    sessions = [server.add_seat(name) for name in ("ann", "bob")]
    async with asyncio.TaskGroup() as bots:
        for session in sessions:
            bots.create_task(play(server.address, session.token, _Lowest))
        for session in sessions:
            await session.connected(None)
        random = Random(0)
        while time.monotonic() < end:
            played = await _match(random, sessions, PEACEFUL_CONDUCT, TimeControl())
            if played.infractions:
                raise BrokenError(f"others pay for the attack: {played.infractions[0]}")
            figures.matches += 1
            figures.asks += len(played.asks)
            figures.slowest_us = max(figures.slowest_us, *(ask.elapsed_us for ask in played.asks))
        for session in sessions:
            await session.close()


class _Attack:
    """One seat that was given to somebody hostile."""

    def __init__(self, server: PlayServer, random: Random, figures: Figures) -> None:
        self._server: Final = server
        self._random: Final = random
        self._figures: Final = figures
        self._said: Final[list[bytes]] = []
        """Valid elements of this conversation, answers to old questions among them."""

    async def run(self) -> None:
        self._figures.attacks += 1
        if self._random.random() < 0.1:
            await self._send_raw()
            return
        session = self._server.add_seat("hostile")
        # Else all channels of this process would share one connection.
        options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(self._server.address, options=options) as channel:
            talking = asyncio.create_task(self._talk(channel, session.token))
            if await session.connected(START_LIMIT_US):
                self._figures.seated += 1
                await self._play(session)
            await session.close()
            # Raises what has failed without anybody asking.
            await session.connected(None)
            # Bots that do not hear the end are not what this is about: gRPC's client leaks then.
            await talking

    async def _play(self, session: Session) -> None:
        players: list[Player] = [session, honest(self._random.randrange(100))]
        played = await _match(self._random, players, HOSTILE_CONDUCT, HOSTILE_LIMITS)
        if {infraction.seat for infraction in played.infractions} - {0}:
            raise BrokenError(f"the opponent pays: {played.infractions}")
        self._figures.infractions.update(infraction.kind for infraction in played.infractions)

    async def _talk(self, channel: grpc.aio.Channel, token: str) -> None:
        """One stream after the other, until the referee or the attack has enough of it."""
        nonce = b""
        for _ in range(MOST_STREAMS):
            hello = pb.Hello(token=token, protocol_version=1, resume_nonce=nonce)
            if self._random.random() < 0.5:
                hello.received = self._random.choice([0, 1, 5, 2**32 - 1])
            # Whatever the service does to the stream, it may.
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                welcome = await self._converse(channel, pb.BotMessage(hello=hello))
                nonce = self._random.choice([welcome, welcome, nonce, b"none"])

    async def _converse(self, channel: grpc.aio.Channel, hello: pb.BotMessage) -> bytes:
        """Until the stream ends, or is hung up in mid-match. Returns the welcome's nonce."""
        random = self._random
        nonce = b""
        call: Any = channel.stream_stream("/elfer.v1.PlayService/Play")()
        await self._send(call, self._wrong(hello) if random.random() < 0.2 else _one(hello))
        while (element := await call.read()) is not grpc.aio.EOF:
            for message in pb.PlayResponse.FromString(element).messages:
                if message.HasField("welcome"):
                    nonce = message.welcome.resume_nonce
                if message.HasField("turn"):
                    if random.random() < 0.03:
                        call.cancel()
                        return nonce
                    await self._send(call, self._reply(message.turn))
        return nonce

    def _reply(self, turn: pb.Turn) -> bytes:
        good = pb.BotMessage(
            answer=pb.Answer(
                match_id=turn.match_id,
                request_id=turn.request_id,
                elfer_raus=pb.ElferRausAnswer(cards=turn.elfer_raus.fits[:1]),
            )
        )
        self._said.append(_one(good))
        return self._said[-1] if self._random.random() < 0.5 else self._wrong(good)

    def _wrong(self, good: pb.BotMessage) -> bytes:
        """Something else than this message."""
        random = self._random
        match random.randrange(6):
            case 0:
                return mutated(random.choice([*self._said, _one(good)]), random)
            case 1:
                return random.choice([*self._said, b""])
            case 2:
                good.answer.request_id = random.choice(["", "x", "y" * 10_000])
            case 3:
                cards = [random.randint(-(2**31), 2**31 - 1) for _ in range(random.randrange(100))]
                good.answer.elfer_raus.cards.extend(map(card_pb2.Card.ValueType, cards))
            case 4:
                resign = pb.Resign(match_id=random.choice([good.answer.match_id, "", "x"]))
                good = pb.BotMessage(resign=resign)
            case 5:
                return mutated(_one(good), random)
        return _one(good)

    async def _send(self, call: RawCall, element: bytes) -> None:
        self._figures.elements += 1
        await call.write(element)

    async def _send_raw(self) -> None:
        """To the socket, without gRPC."""
        reader, writer = await asyncio.open_unix_connection(
            self._server.address.removeprefix("unix:")
        )
        with contextlib.suppress(ConnectionError, TimeoutError):
            writer.write(self._random.choice([b"", PREFACE]) + noise(b"", self._random))
            await writer.drain()
            async with asyncio.timeout(0.05):
                await reader.read()
        writer.close()


def _one(message: pb.BotMessage) -> bytes:
    return pb.PlayRequest(messages=[message]).SerializeToString()
