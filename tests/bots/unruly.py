"""A bot that misbehaves in one way.

It lays the lowest card that fits and prints every ruling that it hears, but for what its mode
says (``tests.bots.modes``). The protocol is spoken by hand, so that it can be broken.
"""

from __future__ import annotations

import signal
import sys

import grpc

from elfer.v1 import play_pb2 as pb
from tests.bots import answering, calling, running, with_sdk  # noqa: F401 - they register
from tests.bots.modes import AT_A_TURN, INSTEAD, AtTurn
from tests.bots.running import GONE
from tests.bots.seat import Seat


def main(mode: str) -> None:
    if GONE.exists():
        sys.exit(1)
    if mode in INSTEAD:
        INSTEAD[mode]()
    else:
        play(AT_A_TURN[mode])


def play(at_turn: AtTurn) -> None:
    seat = Seat()
    seat.sit_down()
    try:
        for message in seat.messages():
            take(message, seat, at_turn)
    except grpc.RpcError as error:
        print(error.code())
        if not seat.stays:
            sys.exit(1)
    while seat.stays:
        signal.pause()


def take(message: pb.RefereeMessage, seat: Seat, at_turn: AtTurn) -> None:
    match message.WhichOneof("body"):
        case "welcome":
            seat.nonce = message.welcome.resume_nonce
        case "match_start":
            seat.begin(message.match_start)
        case "turn":
            seat.turns.append(message.turn)
            at_turn(seat)
        case "ruling":
            said = message.ruling
            print(f"ruling {said.code} {said.section} {said.penalty} {said.strikes}")
        case "match_end":
            seat.at_end()
        case "goodbye":
            seat.stream.end()
