"""How fast matches are played over gRPC, against a bare echo in the same run.

Sample bots in processes of their own play matches, one at a time, through everything: rules,
clock, codec, service, SDK; starting them is left out. The reference is a ``grpc.aio`` server
here and one client process that send elements of the same sizes to and fro and do nothing else.

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

from referee.app.bots import load_bots
from referee.app.sitting import MatchOrder, Played, SittingOrder, Voided, play_sitting
from referee.core.dice import commitment
from referee.games.registry import game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.series import Games
from referee.rpc.codec.record_reader import decode_record

REPETITIONS = 9
SAMPLES = Path(__file__).parent.parent / "sample_bots" / "python"

# Means over matches of the sample bots.
QUESTION_BYTES = 200
ANSWER_BYTES = 46
ROUND_TRIPS = 2000
WARM_UP = 200

METHOD = ("echo.Echo", "Echo")


def order(seats: int, logs: Path) -> SittingOrder:
    bots = load_bots([SAMPLES / "random"] * seats)
    seed = bytes(32)
    return SittingOrder(
        league="",
        game=game_for("ravensburger", seats),
        series=Games(10),
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=commitment(seed),
        bots=bots,
        matches=(MatchOrder("match/1", "match/1", 1, tuple(bot.name for bot in bots), seed),),
        logs=logs,
    )


async def asks_per_second(seats: int, logs: Path) -> float:
    """One match: answered questions over the time from its start to its end."""
    reports: list[Played | Voided] = []
    await play_sitting(order(seats, logs), reports.append)
    (report,) = reports
    assert isinstance(report, Played), report
    record = decode_record(report.record)
    assert not record.infractions
    return len(record.asks) / (record.end_time - record.start_time).total_seconds()


async def echoes_per_second(folder: Path) -> float:
    """Round trips between this process and one other."""
    took: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def echo(
        _: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> None:
        await round_trips(context, WARM_UP)
        started = time.perf_counter()
        await round_trips(context, ROUND_TRIPS)
        took.set_result(time.perf_counter() - started)

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    service, method = METHOD
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    address = f"unix:{folder / 'echo'}"
    server.add_insecure_port(address)
    await server.start()
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.play", "echo", address
    )
    seconds = await took
    await client.wait()
    await server.stop(grace=None)
    return ROUND_TRIPS / seconds


async def round_trips(context: grpc.aio.ServicerContext[bytes, bytes], count: int) -> None:
    question = bytes(QUESTION_BYTES)
    for _ in range(count):
        await context.write(question)
        await context.read()


async def echo_client(address: str) -> None:
    answer = bytes(ANSWER_BYTES)
    async with grpc.aio.insecure_channel(address) as channel:
        stream: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
        stream = channel.stream_stream("/{}/{}".format(*METHOD))
        call = stream()
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)


async def measure(repetitions: int) -> None:
    print(f"{repetitions} repetitions, 10 games of ravensburger@1 each")
    for seats in (2, 4, 6):
        played, echoed = [], []
        for _ in range(repetitions):
            with tempfile.TemporaryDirectory(prefix="elfer-") as folder:
                echoed.append(await echoes_per_second(Path(folder)))
                played.append(await asks_per_second(seats, Path(folder)))
        ratios = sorted(mine / bare for mine, bare in zip(played, echoed, strict=True))
        print(
            f"{seats} seats   {statistics.median(played):5,.0f} asks/s"
            f"   echo {statistics.median(echoed):5,.0f}/s"
            f"   ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f};"
            " aim: 0.8 or more)"
        )


def main() -> None:
    match sys.argv[1:]:
        case ["echo", address]:
            asyncio.run(echo_client(address))
        case [repetitions]:
            asyncio.run(measure(int(repetitions)))
        case _:
            asyncio.run(measure(REPETITIONS))


if __name__ == "__main__":
    main()
