"""How fast matches are played over gRPC, against a bare echo in the same run.

Bots that hardly think, each a process, play matches one at a time through everything: rules,
clock, codec, service, SDK; starting them is left out. The reference is a ``grpc.aio`` server
here and one client process that send elements of the same sizes to and fro and do nothing else.
A second reference has as many clients as there are seats, served in turn: a process that has
slept for a round wakes more slowly, whoever serves it.

Run: ``python -m benchmarks.play [REPETITIONS]``, 9 alternating repetitions unless told.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc

from benchmarks.support.sittings import play, seconds

REPETITIONS = 9
GAMES = 10

# Means over matches of the sample bots.
QUESTION_BYTES = 200
ANSWER_BYTES = 46
ROUND_TRIPS = 2000
WARM_UP = 200

METHOD = ("echo.Echo", "Echo")

Stream = grpc.aio.ServicerContext[bytes, bytes]


def asks_per_second(seats: int) -> float:
    """One match: answered questions over the time from its start to its end."""
    [(record, _)] = play(seats, games=GAMES)
    return len(record.asks) / seconds(record)


async def echoes_per_second(clients: int) -> float:
    """Round trips between this process and others, one of them at a time."""
    here: asyncio.Queue[Stream] = asyncio.Queue()
    over = asyncio.Event()

    async def echo(_: AsyncIterator[bytes], context: Stream) -> None:
        await here.put(context)
        await over.wait()

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    service, method = METHOD
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    with tempfile.TemporaryDirectory(prefix="elfer-") as folder:
        address = f"unix:{Path(folder) / 'echo'}"
        server.add_insecure_port(address)
        await server.start()
        processes = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "benchmarks.play", "echo", address
            )
            for _ in range(clients)
        ]
        streams = [await here.get() for _ in range(clients)]
        await round_trips(streams, WARM_UP)
        started = time.perf_counter()
        await round_trips(streams, ROUND_TRIPS)
        took = time.perf_counter() - started
        over.set()
        for process in processes:
            await process.wait()
        await server.stop(grace=None)
    return ROUND_TRIPS / took


async def round_trips(streams: list[Stream], count: int) -> None:
    question = bytes(QUESTION_BYTES)
    for number in range(count):
        stream = streams[number % len(streams)]
        await stream.write(question)
        await stream.read()


async def echo_client(address: str) -> None:
    answer = bytes(ANSWER_BYTES)
    async with grpc.aio.insecure_channel(address) as channel:
        stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        stream = channel.stream_stream("/{}/{}".format(*METHOD))
        call = stream()
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)


def told(played: list[float], echoed: list[float]) -> str:
    ratios = sorted(mine / bare for mine, bare in zip(played, echoed, strict=True))
    return (
        f"{statistics.median(echoed):5,.0f}/s, ratio {statistics.median(ratios):.2f}"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def measure(repetitions: int) -> None:
    print(f"{repetitions} repetitions, {GAMES} games of ravensburger@1 each; aim: 0.8 or more")
    for seats in (2, 4, 6):
        played, alone, in_turn = [], [], []
        for _ in range(repetitions):
            alone.append(asyncio.run(echoes_per_second(1)))
            played.append(asks_per_second(seats))
            in_turn.append(asyncio.run(echoes_per_second(seats)))
        print(
            f"{seats} seats   {statistics.median(played):5,.0f} asks/s"
            f"   echo {told(played, alone)}"
            f"   echo of {seats} in turn {told(played, in_turn)}"
        )


def main() -> None:
    match sys.argv[1:]:
        case ["echo", address]:
            asyncio.run(echo_client(address))
        case [repetitions]:
            measure(int(repetitions))
        case _:
            measure(REPETITIONS)


if __name__ == "__main__":
    main()
