"""Runs a bot: sits down at the referee's table and plays until the goodbye."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Final, cast

import grpc

from elfer.bot import Bot
from elfer.session import ProtocolError, Session
from elfer.v1 import play_pb2, play_pb2_grpc

PROTOCOL_VERSION: Final = 1
MOST_LOSSES: Final = 5
"""How often a lost stream is taken up again."""

_LOG: Final = logging.getLogger("elfer")

# A proxy that the environment names is for the network, never for a referee on this machine.
_CHANNEL_OPTIONS: Final = (("grpc.enable_http_proxy", 0),)

_REFUSED: Final = {
    grpc.StatusCode.UNAVAILABLE: "no referee answers at ELFER_ADDRESS; "
    "address and token hold for one run of the referee, so set those it printed last",
    grpc.StatusCode.UNAUTHENTICATED: "the referee does not know the token in ELFER_TOKEN; "
    "address and token hold for one run of the referee, so set those it printed last",
    grpc.StatusCode.ALREADY_EXISTS: "the token in ELFER_TOKEN was used already; "
    "it opens one stream, so let the referee make a new one",
    grpc.StatusCode.FAILED_PRECONDITION: "the referee does not speak version "
    f"{PROTOCOL_VERSION} of the protocol; install the SDK that belongs to it",
}

Endpoint = tuple[str, str]
"""Address and token."""

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


class SeatError(Exception):
    """There is no seat to play at, or no longer; the message says why, on one line."""


def run(bot: Callable[[], Bot]) -> None:
    """Play with ``bot``: a subclass of ``Bot``, or anything that makes one for each match.

    Reads ``ELFER_ADDRESS`` and ``ELFER_TOKEN`` from the environment, as the referee sets
    them, and returns when the referee says goodbye. Logs to standard error. Without a
    referee to play with it exits with code 1 and one line that says why. An exception of
    the bot's own ends the program as usual, with the turn it arose in noted below it.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        address, token = endpoint()
        asyncio.run(play(address, token, bot))
    except (SeatError, ProtocolError) as error:
        sys.exit(f"elfer: {error}")


def endpoint() -> Endpoint:
    """Where the referee is and the token for a seat, from the environment."""
    names = ("ELFER_ADDRESS", "ELFER_TOKEN")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise SeatError(
            f"{' and '.join(missing)} not set: the referee starts a bot and sets them. To start "
            "it yourself, run 'referee match run BOT BOT --wait-for SEAT' and set what it prints"
        )
    return os.environ["ELFER_ADDRESS"], os.environ["ELFER_TOKEN"]


async def play(address: str, token: str, bot: Callable[[], Bot]) -> None:
    """Play on the stream that ``token`` opens at ``address``, until the goodbye.

    A stream that was lost is taken up again. Raises ``SeatError``, ``ProtocolError``, and
    whatever the bot's own methods raise.
    """
    session = Session(bot)
    hello = play_pb2.Hello(
        token=token,
        protocol_version=PROTOCOL_VERSION,
        name=getattr(bot, "__name__", ""),
        client=f"elfer-python/{version('elfer')}",
    )
    async with grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS) as channel:
        stub = play_pb2_grpc.PlayServiceStub(channel)
        for _ in range(1 + MOST_LOSSES):
            hello.resume_nonce = session.resume_nonce
            if session.resume_nonce:
                hello.received = session.received
            loss = await _talk(stub.Play(), hello, session)
            if session.over:
                return
            if loss is None:
                raise SeatError("the referee closed the stream without a goodbye")
            code = loss.code()
            ended = f"the referee ended the stream ({code.name}: {loss.details()})"
            if session.seated and not session.resume_nonce:
                raise SeatError(ended)
            # INTERNAL is all that grpc tells of a write which met a stream that had just ended:
            # dial again to hear why.
            if code is not grpc.StatusCode.INTERNAL:
                if not session.seated:
                    hint = _REFUSED.get(code, "the referee refused the stream")
                    raise SeatError(f"{hint} ({code.name}: {loss.details()})")
                if code is not grpc.StatusCode.UNAVAILABLE:
                    raise SeatError(ended)
            _LOG.warning("The stream was lost, taking it up again (%s)", loss.details())
    raise SeatError("the stream was lost too often")


async def _talk(call: Call, hello: play_pb2.Hello, session: Session) -> grpc.aio.AioRpcError | None:
    """Talk until the stream ends. Returns the error that it ended with."""
    replies = [play_pb2.BotMessage(hello=hello)]
    try:
        while True:
            if replies:
                # A stream that is over refuses the write; the read below says why.
                with contextlib.suppress(asyncio.InvalidStateError):
                    await call.write(play_pb2.PlayRequest(messages=replies))
            element = await call.read()
            if element is grpc.aio.EOF:
                return None
            replies = session.replies(cast("play_pb2.PlayResponse", element).messages)
    except grpc.aio.AioRpcError as error:
        return error
