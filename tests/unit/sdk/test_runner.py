"""The runner against a referee of a few lines that follows a script."""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import grpc
import pytest

from elfer import Bot, Card, Turn, run
from elfer.runner import MOST_LOSSES, SeatError, play
from elfer.v1 import play_pb2, play_pb2_grpc
from tests.unit.sdk import messages
from tests.unit.sdk.messages import response
from tests.unit.sdk.recorder import Recorders

Stream = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]
Script = Callable[[Stream], Awaitable[None]]


class Referee(play_pb2_grpc.PlayServiceServicer):
    """Follows one script for each stream, in turn."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)

    async def Play(  # type: ignore[override]  # noqa: N802  (the reader and writer side of it)
        self, _: object, context: Stream
    ) -> None:
        await self.scripts.pop(0)(context)


@contextlib.asynccontextmanager
async def serving(*scripts: Script, address: str = "127.0.0.1:0") -> AsyncIterator[str]:
    server = grpc.aio.server()
    play_pb2_grpc.add_PlayServiceServicer_to_server(Referee(*scripts), server)
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield address if address.startswith("unix:") else f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def read(stream: Stream) -> play_pb2.BotMessage:
    """The one message of the next element."""
    element = await stream.read()
    assert isinstance(element, play_pb2.PlayRequest)
    (message,) = element.messages
    return message


async def short_match(stream: Stream) -> None:
    await read(stream)
    await stream.write(response(messages.welcome(), messages.match_start(), messages.game_start()))
    await stream.write(response(messages.turn("a")))
    answer = (await read(stream)).answer
    assert (answer.request_id, list(answer.elfer_raus.cards)) == ("a", [12, 13])
    await stream.write(response(messages.game_end(), messages.match_end()))
    await stream.write(response(messages.goodbye()))


async def test_it_plays_a_match_and_returns_at_the_goodbye() -> None:
    hellos = []

    async def script(stream: Stream) -> None:
        hellos.append((await read(stream)).hello)
        await stream.write(response(messages.welcome(), messages.match_start()))
        await stream.write(response(messages.turn("a")))
        assert (await read(stream)).answer.request_id == "a"
        await stream.write(response(messages.match_end(), messages.goodbye()))

    bots = Recorders()
    async with serving(script) as address:
        await play(address, "secret", bots)
    (hello,) = hellos
    assert (hello.token, hello.protocol_version, hello.resume_nonce) == ("secret", 1, b"")
    assert hello.client.startswith("elfer-python/")
    assert len(bots.made[0].seen) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs Unix sockets")
async def test_it_plays_over_a_unix_socket() -> None:
    # Not pytest's folder: a socket's path may have 107 bytes.
    with tempfile.TemporaryDirectory() as folder:
        async with serving(short_match, address=f"unix:{folder}/s") as address:
            await play(address, "secret", Recorders())


async def test_a_proxy_in_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")
    async with serving(short_match) as address:
        await play(address, "secret", Recorders())


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "does not know the token in ELFER_TOKEN"),
        (grpc.StatusCode.ALREADY_EXISTS, "was used already"),
        (grpc.StatusCode.FAILED_PRECONDITION, "does not speak version 1"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "the referee refused the stream"),
    ],
)
async def test_a_refused_stream_is_explained(code: grpc.StatusCode, hint: str) -> None:
    async def script(stream: Stream) -> None:
        await read(stream)
        await stream.abort(code, "what the referee said")

    async with serving(script) as address:
        with pytest.raises(SeatError, match=f"{hint}.*{code.name}: what the referee said"):
            await play(address, "secret", Recorders())


async def unknown(stream: Stream) -> None:
    await read(stream)
    await stream.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")


async def test_a_refusal_that_the_write_ran_into_is_asked_for_again() -> None:
    async def hasty(stream: Stream) -> None:
        await stream.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")

    async with serving(*[hasty] * MOST_LOSSES, unknown) as address:
        with pytest.raises(SeatError, match="does not know the token"):
            await play(address, "secret", Recorders())


async def test_no_referee_is_explained() -> None:
    async with serving() as address:
        pass
    with pytest.raises(SeatError, match="no referee answers at ELFER_ADDRESS"):
        await play(address, "secret", Recorders())


async def lost(stream: Stream) -> None:
    await read(stream)
    await stream.write(response(messages.welcome()))
    await stream.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")


async def test_a_lost_stream_is_taken_up_again() -> None:
    hellos = []

    async def first(stream: Stream) -> None:
        hellos.append((await read(stream)).hello)
        await stream.write(response(messages.welcome(b"one")))
        await stream.write(response(messages.match_start()))
        await stream.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")

    async def second(stream: Stream) -> None:
        hellos.append((await read(stream)).hello)
        await stream.write(response(messages.welcome(b"two")))
        await stream.write(response(messages.turn("a")))
        assert (await read(stream)).answer.request_id == "a"
        await stream.write(response(messages.goodbye()))

    async with serving(first, second) as address:
        await play(address, "secret", Recorders())
    assert [hello.resume_nonce for hello in hellos] == [b"", b"one"]
    assert [hello.HasField("received") for hello in hellos] == [False, True]
    assert hellos[1].received == 1


async def test_an_answer_that_was_lost_with_its_stream_is_given_again() -> None:
    """Each welcome's nonce takes the stream up once; the bot is asked once."""
    nonces = []

    def loses(nonce: bytes) -> Script:
        async def script(stream: Stream) -> None:
            nonces.append((await read(stream)).hello.resume_nonce)
            opening = [] if nonces[-1] else [messages.match_start()]
            await stream.write(response(messages.welcome(nonce), *opening, messages.turn("a")))
            answer = (await read(stream)).answer
            assert (answer.request_id, list(answer.elfer_raus.cards)) == ("a", [12, 13])
            if nonce:
                await stream.abort(grpc.StatusCode.UNAVAILABLE, "the connection broke")
            await stream.write(response(messages.match_end(), messages.goodbye()))

        return script

    bots = Recorders()
    async with serving(loses(b"one"), loses(b"two"), loses(b"")) as address:
        await play(address, "secret", bots)
    assert nonces == [b"", b"one", b"two"]
    (bot,) = bots.made
    assert len([seen for seen in bot.seen if isinstance(seen, Turn)]) == 1


async def test_a_stream_is_not_taken_up_for_ever() -> None:
    async with serving(*[lost] * (1 + MOST_LOSSES)) as address:
        with pytest.raises(SeatError, match="lost too often"):
            await play(address, "secret", Recorders())


async def test_a_stream_that_the_referee_ended_is_not_taken_up() -> None:
    async def script(stream: Stream) -> None:
        await read(stream)
        await stream.write(response(messages.welcome()))
        await stream.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "a message was too large")

    async with serving(script) as address:
        with pytest.raises(SeatError, match=r"ended the stream .*: a message was too large"):
            await play(address, "secret", Recorders())


async def test_an_end_without_a_goodbye_is_an_error() -> None:
    async def script(stream: Stream) -> None:
        await read(stream)
        await stream.write(response(messages.welcome()))

    async with serving(script) as address:
        with pytest.raises(SeatError, match="without a goodbye"):
            await play(address, "secret", Recorders())


async def test_a_bot_that_fails_ends_the_stream() -> None:
    ended = asyncio.Event()

    async def script(stream: Stream) -> None:
        await read(stream)
        await stream.write(response(messages.welcome(), messages.match_start()))
        await stream.write(response(messages.turn("a")))
        try:
            await stream.read()
        finally:
            ended.set()

    class Broken(Bot):
        def answer(self, turn: Turn) -> list[Card]:
            raise ZeroDivisionError

    async with serving(script) as address:
        with pytest.raises(ZeroDivisionError):
            await play(address, "secret", Broken)
        await ended.wait()


@pytest.mark.parametrize("missing", ["ELFER_ADDRESS", "ELFER_TOKEN"])
def test_a_bot_started_by_hand_says_how_to_start_it(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setenv("ELFER_ADDRESS", "127.0.0.1:1")
    monkeypatch.setenv("ELFER_TOKEN", "secret")
    monkeypatch.delenv(missing)
    with pytest.raises(SystemExit) as caught:
        run(Recorders())
    assert f"{missing} not set" in str(caught.value.code)
    assert "--wait-for" in str(caught.value.code)


PROGRAM = """
from elfer import Bot, run

class Mine(Bot):
    def answer(self, turn):
        {answer}

run(Mine)
"""


async def start(address: str, tmp_path: Path, answer: str) -> tuple[int, str]:
    """Run a bot as its own program. Returns its exit code and what it wrote on stderr."""
    program = tmp_path / "bot.py"
    program.write_text(PROGRAM.format(answer=answer), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(program),
        env={**os.environ, "ELFER_ADDRESS": address, "ELFER_TOKEN": "secret"},
        stderr=subprocess.PIPE,
    )
    _, stderr = await process.communicate()
    assert process.returncode is not None
    return process.returncode, stderr.decode()


async def test_the_program_exits_with_0_after_the_goodbye(tmp_path: Path) -> None:
    async with serving(short_match) as address:
        code, stderr = await start(address, tmp_path, "return turn.hand")
    assert (code, "Traceback" in stderr) == (0, False), stderr
    assert "INFO elfer: Match of ravensburger@1: seat 1 of 2" in stderr


async def test_the_program_of_a_bot_that_fails_exits_with_1(tmp_path: Path) -> None:
    async with serving(short_match) as address:
        code, stderr = await start(address, tmp_path, "return 1 / 0")
    assert code == 1
    assert "ZeroDivisionError" in stderr
    assert "turn(hand='R12-13', laid='R11'" in stderr


async def test_the_program_of_an_unknown_bot_exits_with_1_and_one_line(tmp_path: Path) -> None:
    async with serving(unknown) as address:
        code, stderr = await start(address, tmp_path, "return turn.hand")
    assert code == 1
    assert stderr.startswith("elfer: the referee does not know the token")
    assert stderr.count("\n") == 1
