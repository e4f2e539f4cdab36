"""A bot's end of its stream, spoken by hand so that the protocol can be broken."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator
from typing import Final

import grpc

from elfer.v1 import card_pb2
from elfer.v1 import play_pb2 as pb

PROTOCOL_VERSION: Final = 1

# Both ends of a test are on this machine: no proxy. Every stream has a connection of its own:
# a new one does not suffer from one that broke.
_OPTIONS: Final = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]


class Stream:
    """What is to be sent waits in a queue; grpc's own thread sends it."""

    def __init__(self, *first: pb.BotMessage) -> None:
        self._outgoing: Final[queue.SimpleQueue[bytes | None]] = queue.SimpleQueue()
        if first:
            self.send(*first)
        self.channel: Final = grpc.insecure_channel(os.environ["ELFER_ADDRESS"], _OPTIONS)
        call: grpc.StreamStreamMultiCallable[bytes, pb.PlayResponse] = self.channel.stream_stream(
            "/elfer.v1.PlayService/Play", None, pb.PlayResponse.FromString
        )
        self.call: Final = call(iter(self._outgoing.get, None))

    def __iter__(self) -> Iterator[pb.PlayResponse]:
        yield from self.call

    def send(self, *messages: pb.BotMessage) -> None:
        """Send messages as one element."""
        self.send_bytes(pb.PlayRequest(messages=messages).SerializeToString())

    def send_bytes(self, element: bytes) -> None:
        self._outgoing.put(element)

    def end(self) -> None:
        """End the bot's side of it."""
        self._outgoing.put(None)

    def hang_up(self) -> None:
        """Cancel it and close its connection."""
        self.channel.close()
        self.end()


class Seat:
    """What a bot knows of the match under way, and its stream to the referee."""

    def __init__(self) -> None:
        self.stream: Stream
        self.nonce = b""
        """Of the last welcome."""
        self.received = 0
        """Elements on all streams, without those of a welcome."""
        self.number = 0
        """The seat's, in this match."""
        self.matches = 0
        self.turns: list[pb.Turn] = []
        """Those of this match so far, the one to be answered included."""
        self.owed: list[pb.BotMessage] = []
        """Sent before the next message."""
        self.at_end: Callable[[], None] = lambda: None
        """Of the match."""
        self.kept: list[object] = []
        """What is to live as long as the bot."""
        self.stays = False
        """The process lives on when the stream has ended."""

    def begin(self, match: pb.MatchStart) -> None:
        self.number = match.seat
        self.matches += 1
        self.turns.clear()

    @property
    def turn(self) -> pb.Turn:
        return self.turns[-1]

    def sit_down(self) -> None:
        self.stream = Stream(hello())

    def come_back(self) -> None:
        """Hang up, and take the stream up again."""
        lost = self.stream
        self.stream = Stream(hello(nonce=self.nonce, received=self.received))
        lost.hang_up()

    def messages(self) -> Iterator[pb.RefereeMessage]:
        """What the referee says, over all streams that follow each other.

        Raises ``grpc.RpcError`` when the last of them ends with an error.
        """
        while True:
            stream = self.stream
            try:
                for element in stream:
                    self.received += not element.messages[0].HasField("welcome")
                    yield from element.messages
            except grpc.RpcError:
                if self.stream is stream:
                    raise
            if self.stream is stream:
                return

    def send(self, *messages: pb.BotMessage) -> None:
        """Send messages as one element."""
        self.stream.send(*self.owed, *messages)
        self.owed.clear()

    def answer(self) -> None:
        """Play on as one should."""
        self.send(self.good)

    @property
    def good(self) -> pb.BotMessage:
        return good(self.turn)


def hello(
    *,
    token: str | None = None,
    version: int = PROTOCOL_VERSION,
    nonce: bytes = b"",
    received: int | None = None,
) -> pb.BotMessage:
    return pb.BotMessage(
        hello=pb.Hello(
            token=os.environ["ELFER_TOKEN"] if token is None else token,
            protocol_version=version,
            resume_nonce=nonce,
            received=received,
        )
    )


def answer(turn: pb.Turn, *cards: int) -> pb.BotMessage:
    laid = [card_pb2.Card.ValueType(card) for card in cards]
    return pb.BotMessage(
        answer=pb.Answer(
            match_id=turn.match_id,
            request_id=turn.request_id,
            elfer_raus=pb.ElferRausAnswer(cards=laid),
        )
    )


def good(turn: pb.Turn) -> pb.BotMessage:
    """Lays the lowest card that fits."""
    return answer(turn, min(turn.elfer_raus.fits, key=lambda card: (card - 1) % 20))
