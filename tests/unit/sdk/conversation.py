"""A real conversation of one match between the referee's service and a bot, as text."""

import asyncio
import itertools
import re
from typing import NamedTuple

import grpc
from google.protobuf import text_format
from google.protobuf.message import Message

from elfer import Bot, Card, Turn
from elfer.session import Session
from elfer.v1 import play_pb2, play_pb2_grpc
from referee.core.dice import bot_seed, commitment
from referee.games.registry import AnyGame, game_for
from referee.match.clock import Evidence
from referee.match.player import Ask, Player, Reply, Stray
from referee.match.player import Message as Told
from referee.match.series import Games
from referee.match.table import MatchPlay, MatchSetup, Table
from referee.rpc.server import PlayServer
from referee.rpc.timers import LoopTimers

SEED = (10).to_bytes(32, "big")
SHORT = re.compile(r"(?:slots|penalties) \{[^{}]*\}")
"""What the text has on one line each."""


class Said(NamedTuple):
    """One element of the stream."""

    speaker: str
    """``bot`` or ``referee``."""
    text: str
    """In protobuf's text format."""


class Forgetful(Bot):
    """Lays the lowest card that fits, but first of all one that does not."""

    asked = False

    def answer(self, turn: Turn) -> list[Card]:
        first, self.asked = not self.asked, True
        cards = turn.hand - turn.fits if first else turn.fits
        return [min(cards, key=lambda card: card.number)]


class House:
    """The other seats."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    async def ask(self, ask: Ask) -> Reply:
        return Reply(self.game.house(ask.view), Evidence(0))

    def tell(self, message: Told) -> None:
        pass

    def strays(self) -> tuple[Stray, ...]:
        return ()


class Stopped(LoopTimers):
    """Time that stands still, so that what is left of it is always the same."""

    def now(self) -> int:
        return 0


async def play_one_game(bot: Player, profile: str, seats: int) -> MatchPlay:
    """One game between ``bot``, at seat 0, and the house."""
    game = game_for(profile, seats)
    setup = MatchSetup(
        game=game,
        series=Games(1),
        seed=SEED,
        seed_commitment=commitment(SEED),
        dice_seeds=tuple(bot_seed(SEED, "match/example", seat) for seat in range(seats)),
        match_id="5f0c64a1b2d39e78",
    )
    ids = (f"{number:016x}" for number in itertools.count(0x9D3A50C1))
    players = [bot, *[House(game)] * (seats - 1)]
    return await Table(setup, players, lambda: next(ids)).play()


async def conversation() -> list[Said]:
    """All that is said in one game at a table of six, the bot at seat 0."""
    said: list[Said] = []
    server = PlayServer(tcp=True, timers=Stopped(), random_bytes=lambda count: bytes(range(count)))
    async with server:
        seat = server.add_seat("mybot")
        talk = asyncio.create_task(_talk(server.address, seat.token, said))
        assert await seat.connected(None)
        await play_one_game(seat, "ravensburger", 6)
        await seat.close("The sitting is over.")
        await talk
    return said


async def _talk(address: str, token: str, said: list[Said]) -> None:
    session = Session(Forgetful)
    hello = play_pb2.Hello(
        token=token, protocol_version=1, name="mybot", client="elfer-python/0.1.0"
    )
    replies = [play_pb2.BotMessage(hello=hello)]
    async with grpc.aio.insecure_channel(address) as channel:
        call = play_pb2_grpc.PlayServiceStub(channel).Play()
        while True:
            if replies:
                request = play_pb2.PlayRequest(messages=replies)
                said.append(Said("bot", _text(request)))
                await call.write(request)
            element = await call.read()
            if not isinstance(element, play_pb2.PlayResponse):
                return
            said.append(Said("referee", _text(element)))
            replies = session.replies(element.messages)


def _text(message: Message) -> str:
    text = text_format.MessageToString(
        message, as_utf8=True, use_short_repeated_primitives=True, print_unknown_fields=True
    )
    return SHORT.sub(lambda found: " ".join(found[0].split()), text)
