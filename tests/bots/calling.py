"""Bots that open their stream in a wrong way, or lose it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Final

import grpc

from elfer.v1 import play_pb2 as pb
from tests.bots.modes import at_every_turn, at_turn, instead
from tests.bots.seat import PROTOCOL_VERSION, Seat, Stream, hello

CONNECTIONS: Final = 200
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


@instead
def never_connects() -> None:
    signal.pause()


@instead
def says_no_hello() -> None:
    _be_refused(Stream())


@instead
def says_something_else() -> None:
    _be_refused(Stream(pb.BotMessage(answer=pb.Answer(request_id="none"))))


@instead
def shows_a_wrong_token() -> None:
    _be_refused(Stream(hello(token="another")))


@instead
def shows_its_token_again() -> None:
    """For another bot that has shown it already."""
    _be_refused(Stream(hello()))


@instead
def speaks_another_version() -> None:
    _be_refused(Stream(hello(version=PROTOCOL_VERSION + 1)))


@instead
def speaks_plain_http() -> None:
    _dial_raw(b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n")


@instead
def speaks_garbage() -> None:
    _dial_raw(bytes(range(256)) * 64)


@instead
def speaks_garbage_after_the_preface() -> None:
    _dial_raw(_PREFACE + bytes(range(256)) * 64)


@instead
def never_reads() -> None:
    stream = Stream(hello())
    signal.pause()
    stream.end()


@at_turn(1)
def hangs_up(seat: Seat) -> None:
    """And lives on."""
    seat.stays = True
    seat.stream.call.cancel()


@at_turn(1)
def drops_the_socket(seat: Seat) -> None:
    seat.stays = True
    _drop_sockets()


@at_turn(1)
def half_closes(seat: Seat) -> None:
    seat.stays = True
    seat.stream.end()


@at_every_turn
def comes_back(seat: Seat) -> None:
    """Each time that it is asked something new."""
    asked = [turn.request_id for turn in seat.turns]
    if asked.count(seat.turn.request_id) > 1:
        seat.answer()
        return
    if len(asked) % 4 == 1:
        _drop_sockets()
    seat.come_back()


@at_every_turn
def comes_back_too_often(seat: Seat) -> None:
    """And never answers."""
    seat.stays = True
    seat.come_back()


@at_turn(1)
def comes_back_with_an_old_nonce(seat: Seat) -> None:
    """After it came back with the right one."""
    old = seat.nonce
    seat.stays = True
    seat.stream.call.cancel()
    seat.stream = resumed = Stream(hello(nonce=old))
    next(iter(resumed))
    resumed.call.cancel()
    seat.stream = Stream(hello(nonce=old))


@at_turn(1)
def opens_many_connections(seat: Seat) -> None:
    """Without a word, for as long as it lives."""
    with contextlib.suppress(OSError):
        for _ in range(CONNECTIONS):
            connection = socket.socket(socket.AF_UNIX)
            seat.kept.append(connection)
            connection.connect(_address())
    seat.answer()


@at_turn(1)
def connects_twice(seat: Seat) -> None:
    _talk(Stream(hello()))
    seat.answer()


@at_turn(1)
def starts_a_second_bot(seat: Seat) -> None:
    """With its own token."""
    subprocess.run([sys.executable, "bot.py", shows_its_token_again.__name__])
    seat.answer()


def _be_refused(stream: Stream) -> None:
    _talk(stream)
    sys.exit(1)


def _talk(stream: Stream) -> None:
    """Say nothing more, until the stream has ended; tell how."""
    with contextlib.suppress(grpc.RpcError):
        for _ in stream:
            pass
    print(f"ended: {stream.call.code().name}")


def _dial_raw(data: bytes) -> None:
    """Send bytes that are no gRPC; be silent until the referee ends the connection."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(_address())
        connection.sendall(data)
        while connection.recv(4096):
            pass
    sys.exit(1)


def _address() -> str:
    return os.environ["ELFER_ADDRESS"].removeprefix("unix:")


def _drop_sockets() -> None:
    """Break all connections of this process, without a word."""
    for descriptor in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        # The one that listed the folder is closed again.
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                with socket.socket(fileno=os.dup(descriptor)) as connection:
                    connection.shutdown(socket.SHUT_RDWR)
