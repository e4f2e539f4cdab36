"""Streams that are lost and taken up again, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from elfer import Bot, Card, Turn
from elfer.runner import play
from referee.match.conduct import DEFAULT_GRACE_US, Infraction
from referee.match.player import Ask, Fault, GameEnd, Message, Reply, Stray
from referee.rpc import endpoint
from referee.rpc.server import PlayServer
from referee.rpc.session import Session
from tests.support.relay import Relay, relay_to
from tests.support.rpc import GAME_START, ManualTimers, answer, ask, hello
from tests.support.streams import read, seated, send, status_of, stream
from tests.unit.sdk.conversation import play_one_game

UNIX_ONLY = pytest.mark.skipif(not endpoint.unix_sockets_serve(), reason="no Unix sockets here")


@pytest.fixture
def timers() -> ManualTimers:
    return ManualTimers()


@pytest.fixture(params=[pytest.param("unix", marks=UNIX_ONLY), "tcp"])
async def server(request: pytest.FixtureRequest, timers: ManualTimers) -> AsyncIterator[PlayServer]:
    async with PlayServer(tcp=request.param == "tcp", timers=timers) as started:
        yield started


@pytest.mark.parametrize("how", ["cancel", "half-close", "both open"])
async def test_a_stream_is_taken_up_again(server: PlayServer, how: str) -> None:
    async with seated(server) as (session, call):
        nonce = session.resume_nonce
        asking = asyncio.create_task(session.ask(ask("a")))
        asked = await read(call)
        if how == "cancel":
            call.cancel()
        elif how == "half-close":
            await call.done_writing()
        async with stream(server, hello(session.token, nonce=nonce, received=1)) as again:
            (welcome,) = await read(again)
            assert welcome.welcome.resume_nonce == session.resume_nonce != nonce
            assert await read(again) == asked[-1:]
            await send(again, answer("a"))
            assert isinstance(await asking, Reply)
            assert session.strays() == ()
            session.tell(GameEnd(1, (), (0, 0, 0), (0,)))
            (message,) = await read(again)
            assert message.HasField("game_end")
            if how == "both open":
                assert await status_of(call) is grpc.StatusCode.ABORTED


async def test_elements_that_did_not_come_through_are_sent_again(server: PlayServer) -> None:
    async with seated(server) as (session, call):
        session.tell(GAME_START)
        asking = asyncio.create_task(session.ask(ask("a")))
        await asyncio.sleep(0)
        call.cancel()
        resume = hello(session.token, nonce=session.resume_nonce, received=0)
        async with stream(server, resume) as again:
            await read(again)
            bodies = [message.WhichOneof("body") for message in await read(again)]
            assert bodies == ["match_start", "game_start", "turn"]
            await send(again, answer("a"))
            assert isinstance(await asking, Reply)


@pytest.mark.parametrize(
    ("nonce", "received", "status"),
    [
        (b"", None, grpc.StatusCode.ALREADY_EXISTS),
        (b"wrong", None, grpc.StatusCode.PERMISSION_DENIED),
        (None, 99, grpc.StatusCode.OUT_OF_RANGE),
    ],
    ids=["no nonce", "wrong nonce", "more than was sent"],
)
async def test_a_refused_stream_leaves_the_first_one_untouched(
    server: PlayServer, nonce: bytes | None, received: int | None, status: grpc.StatusCode
) -> None:
    async with seated(server) as (session, call):
        asking = asyncio.create_task(session.ask(ask("a")))
        await read(call)
        shown = session.resume_nonce if nonce is None else nonce
        async with stream(server, hello(session.token, nonce=shown, received=received)) as second:
            assert await status_of(second) is status
        await send(call, answer("a"))
        assert isinstance(await asking, Reply)


async def test_a_nonce_works_once(server: PlayServer) -> None:
    async with seated(server) as (session, call):
        nonce = session.resume_nonce
        call.cancel()
        async with stream(server, hello(session.token, nonce=nonce)) as again:
            await read(again)
            async with stream(server, hello(session.token, nonce=nonce)) as third:
                assert await status_of(third) is grpc.StatusCode.PERMISSION_DENIED
            asking = asyncio.create_task(session.ask(ask("a")))
            await read(again)
            await send(again, answer("a"))
            assert isinstance(await asking, Reply)


async def test_after_the_grace_the_seat_is_given_up(
    server: PlayServer, timers: ManualTimers
) -> None:
    async with seated(server) as (session, call):
        timers.armed.clear()
        call.cancel()
        await timers.armed.wait()
        timers.advance(DEFAULT_GRACE_US)
        async with stream(server, hello(session.token, nonce=session.resume_nonce)) as late:
            assert await status_of(late) is grpc.StatusCode.DEADLINE_EXCEEDED
            assert await late.details() == (
                "the referee no longer waits for this bot: the bot's stream ended"
            )
        fault = await session.ask(ask("a"))
        assert isinstance(fault, Fault)
        assert fault.kind is Infraction.DISCONNECTED


class Lowest(Bot):
    """Lays the lowest card that fits."""

    asked = 0

    def answer(self, turn: Turn) -> list[Card]:
        type(self).asked += 1
        return [min(turn.fits, key=lambda card: card.number)]


class Cutting:
    """A session whose bot's connection breaks while the bot is asked, some times."""

    def __init__(self, session: Session, relay: Relay, how: str) -> None:
        self.session = session
        self.relay = relay
        self.how = how
        self.asks = 0

    async def ask(self, ask: Ask) -> Reply | Fault:
        self.asks += 1
        asking = asyncio.create_task(self.session.ask(ask))
        if self.asks in (2, 4, 5):
            for _ in range(self.asks):
                await asyncio.sleep(0)
            if self.how == "at both ends":
                self.relay.cut()
            else:
                self.relay.cut_silently()
        return await asking

    def tell(self, message: Message) -> None:
        self.session.tell(message)

    def strays(self) -> tuple[Stray, ...]:
        return self.session.strays()


@pytest.mark.parametrize("how", ["at both ends", "at the bot's end alone"])
async def test_the_sdk_plays_on_over_connections_that_break(how: str) -> None:
    Lowest.asked = 0
    async with PlayServer(tcp=True) as server, relay_to(server.address) as relay:
        session = server.add_seat("bot")
        playing = asyncio.create_task(play(relay.address, session.token, Lowest))
        assert await session.connected(None)
        cutting = Cutting(session, relay, how)
        game = await play_one_game(cutting, "ravensburger", 3)
        await session.close()
        await playing
    assert game.infractions == ()
    assert session.resumes == 3
    assert Lowest.asked == cutting.asks
