"""A bot that misbehaves in one way: ``python unruly.py MODE``.

It lays the lowest card that fits and prints every ruling that it hears. At the first turn of
each match it does what its mode says. The protocol is spoken by hand, so that it can be broken.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import grpc

from elfer.v1 import card_pb2
from elfer.v1 import play_pb2 as pb

MEETING_PLACE: Final = Path("../met")
"""A named pipe beside the bot's folder, for a test that wants to know when it plays."""


class Stream:
    """What is to be sent waits in a queue; grpc's own thread sends it."""

    def __init__(self, token: str) -> None:
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.owed: list[pb.BotMessage] = []
        """Sent before the next message."""
        self.stays = False
        """Lives on when the stream has ended."""
        self.matches = 0
        self.send(pb.BotMessage(hello=pb.Hello(token=token, protocol_version=1)))
        # Both ends of a test are on this machine: no proxy.
        options = [("grpc.enable_http_proxy", 0)]
        channel = grpc.insecure_channel(os.environ["ELFER_ADDRESS"], options)
        call: grpc.StreamStreamMultiCallable[bytes, pb.PlayResponse] = channel.stream_stream(
            "/elfer.v1.PlayService/Play", None, pb.PlayResponse.FromString
        )
        self.call = call(iter(self._outgoing.get, None))

    def __iter__(self) -> Iterator[pb.RefereeMessage]:
        for element in self.call:
            yield from element.messages

    def send(self, *messages: pb.BotMessage) -> None:
        """Send messages as one element."""
        self.send_bytes(pb.PlayRequest(messages=[*self.owed, *messages]).SerializeToString())
        self.owed.clear()

    def send_bytes(self, element: bytes) -> None:
        self._outgoing.put(element)

    def end(self) -> None:
        self._outgoing.put(None)


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
    return answer(turn, min(turn.elfer_raus.fits, key=lambda card: (card - 1) % 20))


# What happens at the first turn of a match, by mode.


def fair(stream: Stream, turn: pb.Turn) -> None:
    stream.send(good(turn))


def late(stream: Stream, turn: pb.Turn) -> None:
    """Answers when it is asked again, by which time it was told that it is late."""
    stream.owed.append(good(turn))


def illegal_once(stream: Stream, turn: pb.Turn) -> None:
    missing = next(card for card in range(1, 81) if card not in turn.elfer_raus.hand)
    stream.send(answer(turn, missing))


def always_illegal(stream: Stream, turn: pb.Turn) -> None:
    stream.send(answer(turn))


def without_body(stream: Stream, turn: pb.Turn) -> None:
    message = good(turn)
    message.answer.ClearField("elfer_raus")
    stream.send(message)


def garbage(stream: Stream, turn: pb.Turn) -> None:
    stream.send_bytes(b"\xff\xff\xff")


def exits(stream: Stream, turn: pb.Turn) -> None:
    os._exit(3)


def segfaults(stream: Stream, turn: pb.Turn) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hangs_up(stream: Stream, turn: pb.Turn) -> None:
    """And lives on."""
    stream.stays = True
    stream.call.cancel()


def answers_twice(stream: Stream, turn: pb.Turn) -> None:
    stream.send(good(turn), good(turn))


def answers_unasked(stream: Stream, turn: pb.Turn) -> None:
    unasked = good(turn)
    unasked.answer.request_id = "never made"
    stream.send(unasked, good(turn))


def answers_elsewhere(stream: Stream, turn: pb.Turn) -> None:
    elsewhere = good(turn)
    elsewhere.answer.match_id = "another"
    stream.send(elsewhere, good(turn))


def says_hello_again(stream: Stream, turn: pb.Turn) -> None:
    stream.send(pb.BotMessage(hello=pb.Hello(token="x", protocol_version=1)))


def sends_a_flood(stream: Stream, turn: pb.Turn) -> None:
    stream.send(*[good(turn)] * 100)


def sends_a_giant(stream: Stream, turn: pb.Turn) -> None:
    stream.stays = True
    stream.send(answer(turn, *[80] * 100_000))


def resigns(stream: Stream, turn: pb.Turn) -> None:
    stream.send(pb.BotMessage(resign=pb.Resign(match_id=turn.match_id)))


def prints_a_flood(stream: Stream, turn: pb.Turn) -> None:
    for _ in range(200):
        print("y" * 100_000)
    stream.send(good(turn))


def will_not_go(stream: Stream, turn: pb.Turn) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    stream.stays = True
    stream.send(good(turn))


def leaves_children(stream: Stream, turn: pb.Turn) -> None:
    """Of a parent that is gone, in a session of their own, deaf to requests to end."""
    child = "trap '' TERM; while :; do sleep 60; done"
    subprocess.run(["sh", "-c", f"({child}) & ({child}) &"], start_new_session=True)
    stream.send(good(turn))


def waits(stream: Stream, turn: pb.Turn) -> None:
    """In its second match, where there is a meeting place: tells its process id there and no
    more."""
    stream.matches += 1
    if stream.matches == 2 and MEETING_PLACE.exists():
        MEETING_PLACE.write_text(f"{os.getpid()}\n")
        signal.pause()
    stream.send(good(turn))


def never_connects() -> None:
    signal.pause()


def leaves_at_once() -> None:
    sys.exit(0)


BEFORE: Final = {mode.__name__: mode for mode in (never_connects, leaves_at_once)}
AT_EVERY_TURN: Final = {mode.__name__: mode for mode in (always_illegal,)}
AT_THE_FIRST: Final[dict[str, Callable[[Stream, pb.Turn], None]]] = {
    mode.__name__: mode
    for mode in (
        fair,
        late,
        illegal_once,
        without_body,
        garbage,
        exits,
        segfaults,
        hangs_up,
        answers_twice,
        answers_unasked,
        answers_elsewhere,
        says_hello_again,
        sends_a_flood,
        sends_a_giant,
        resigns,
        prints_a_flood,
        will_not_go,
        leaves_children,
        waits,
    )
}


def play(mode: str) -> None:
    BEFORE.get(mode, lambda: None)()
    stream = Stream("another" if mode == "shows_a_wrong_token" else os.environ["ELFER_TOKEN"])
    first = True
    try:
        for message in stream:
            match message.WhichOneof("body"):
                case "match_start":
                    first = True
                case "turn":
                    at_first = AT_THE_FIRST.get(mode, fair) if first else fair
                    first = False
                    AT_EVERY_TURN.get(mode, at_first)(stream, message.turn)
                case "ruling":
                    said = message.ruling
                    print(f"ruling {said.code} {said.section} {said.penalty} {said.retry}")
                case "goodbye":
                    stream.end()
    except grpc.RpcError as error:
        print(error.code())
        if not stream.stays:
            sys.exit(1)
    while stream.stays:
        signal.pause()


if __name__ == "__main__":
    play(sys.argv[1])
