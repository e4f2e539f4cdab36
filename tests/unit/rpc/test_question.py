"""A question's clock: what counts, who is late, and what is in doubt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from elfer.v1 import play_pb2
from referee.core.errors import HostFault
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.excuse import MARGIN_US, BotWaits, Waits
from referee.match.player import Fault, Reply
from referee.rpc.meter import Unmetered
from referee.rpc.question import MOST_TICKS_TO_DOUBLE, MOST_WAITING_US, TICK_US
from tests.support.meters import NO_WAITS
from tests.support.rpc import Asking, Seated, answer, resign

LIMIT_US = 50_000
WATCHED = BotWaits(
    waited_us=0, most_us=0, cpu_us=0, busiest_us=0, watched_us=10_000_000, sharers=5.0
)
STARVED = Waits(bot=replace(WATCHED, waited_us=20_000, most_us=20_000))
"""A bot that ran next to nothing and waited 20 ms."""
DOUBTFUL = Waits(bot=replace(WATCHED, most_us=60_000, cpu_us=15_000))
"""One that waited much and had its fair share too, up to 75 ms."""


@pytest.fixture
async def seat() -> AsyncIterator[Seated]:
    async with Seated() as seated:
        yield seated


@pytest.fixture
async def asking(seat: Seated) -> Asking:
    """A question under the limit."""
    return await seat.asked("a", left_us=LIMIT_US)


async def answered(seat: Seated, asking: Asking) -> Reply:
    await seat.send(answer("a"))
    reply = await asking
    assert isinstance(reply, Reply)
    return reply


async def late(asking: Asking) -> Fault:
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.LATE
    return fault


async def test_the_evidence_has_what_was_measured(seat: Seated) -> None:
    seat.meter.cpu = 7_000
    asking = await seat.asked("a", left_us=LIMIT_US)
    seat.timers.advance(30_000)
    seat.meter.cpu = 9_500
    seat.meter.shown = STARVED
    reply = await answered(seat, asking)
    text = "referee waited 0.0 ms, bot 20.0 ms"
    assert reply.evidence == Evidence(30_000, 2_500, 20_000, text)


@pytest.mark.parametrize(("before", "after"), [(None, 5), (5, None), (None, None)])
async def test_a_process_that_tells_no_cpu_time(
    seat: Seated, before: int | None, after: int | None
) -> None:
    seat.meter.cpu = before
    asking = await seat.asked("a")
    seat.meter.cpu = after
    assert (await answered(seat, asking)).evidence.bot_cpu_us is None


async def test_it_is_looked_around_every_tick(seat: Seated, asking: Asking) -> None:
    started = seat.timers.now()
    seat.timers.advance(3 * TICK_US + 1)
    assert seat.meter.ticks == [(started + n * TICK_US * 1000, 0) for n in (1, 2, 3)]
    await answered(seat, asking)
    seat.timers.advance(10 * TICK_US)
    assert len(seat.meter.ticks) == 3


async def test_a_question_that_stays_open_for_a_day_is_looked_at_ever_less(seat: Seated) -> None:
    asking = await seat.asked("a", left_us=None)
    seat.timers.advance(24 * 3_600_000_000)
    assert len(seat.meter.ticks) < 20 * MOST_TICKS_TO_DOUBLE
    await answered(seat, asking)


async def test_in_time_by_excuse(seat: Seated, asking: Asking) -> None:
    seat.meter.shown = STARVED
    seat.timers.advance(LIMIT_US + 20_000)
    reply = await answered(seat, asking)
    assert reply.evidence.elapsed_us == LIMIT_US + 20_000
    assert reply.evidence.counted_us == LIMIT_US


async def test_late_for_certain_as_soon_as_no_excuse_is_left(seat: Seated, asking: Asking) -> None:
    seat.meter.shown = STARVED
    seat.timers.advance(LIMIT_US + 20_000 + TICK_US)
    fault = await late(asking)
    assert fault.detail == ""
    assert LIMIT_US < fault.evidence.counted_us <= LIMIT_US + TICK_US


async def test_an_answer_that_is_late_for_certain_is_handed_on(
    seat: Seated, asking: Asking
) -> None:
    """The table sees from the evidence that it is late, and the record has it."""
    seat.meter.shown = STARVED
    seat.timers.advance(LIMIT_US + 20_000)
    seat.meter.shown = NO_WAITS
    assert (await answered(seat, asking)).evidence.counted_us > LIMIT_US


async def test_while_it_is_in_doubt_an_answer_is_waited_for(seat: Seated, asking: Asking) -> None:
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 20_000)
    await asyncio.sleep(0)
    assert not asking.done()
    seat.meter.shown = Waits(bot=replace(WATCHED, waited_us=40_000, most_us=60_000, cpu_us=4_000))
    assert (await answered(seat, asking)).evidence.counted_us == 30_000, "in time after all"


async def test_a_doubt_that_is_settled_against_the_bot(seat: Seated, asking: Asking) -> None:
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 20_000)
    seat.meter.shown = NO_WAITS
    seat.timers.advance(TICK_US)
    assert (await late(asking)).detail == ""


async def test_an_answer_in_doubt_is_the_hosts_fault(seat: Seated, asking: Asking) -> None:
    seat.session.spare = 1
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 20_000)
    await seat.send(answer("a"))
    with pytest.raises(HostFault) as caught:
        await asking
    assert str(caught.value) == (
        "bot was late, perhaps by the host's doing: of 70.0 ms 70.0 ms count, and for certain "
        "only 10.0 ms: referee waited 0.0 ms (stood still 0.0 ms), bot 0.0 ms (at most 60.0 ms), "
        "CPU time 15.0 ms (one thread 0.0 ms), 5.0 tasks to a CPU"
    )


@pytest.mark.parametrize(
    ("broken", "kind"),
    [(play_pb2.BotMessage(), Infraction.LATE), (resign(), Infraction.RESIGNED)],
    ids=["malformed", "resigned"],
)
async def test_only_what_is_worse_than_late_ends_a_doubt(
    seat: Seated, asking: Asking, broken: play_pb2.BotMessage, kind: Infraction
) -> None:
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 20_000)
    await seat.send(broken)
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is kind


async def test_a_bot_that_is_spared_no_more_is_late(seat: Seated, asking: Asking) -> None:
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 20_000)
    await seat.send(answer("a"))
    fault = await late(asking)
    assert fault.detail.startswith("of 70.0 ms 70.0 ms count, and for certain only 10.0 ms")
    assert fault.evidence == Evidence(70_000)


@pytest.mark.parametrize("starved", [False, True], ids=["in doubt", "in time"])
async def test_nobody_is_waited_for_without_end(
    seat: Seated, asking: Asking, starved: bool
) -> None:
    seat.session.spare = 1
    ever = 60_000_000
    seat.meter.shown = Waits(
        bot=replace(WATCHED, waited_us=starved * ever, most_us=ever, watched_us=ever)
    )
    seat.timers.advance(LIMIT_US + MOST_WAITING_US)
    await asyncio.sleep(0)
    assert not asking.done()
    seat.timers.advance((LIMIT_US + MOST_WAITING_US) // MOST_TICKS_TO_DOUBLE)
    with pytest.raises(HostFault):
        await asking


async def test_at_the_end_of_waiting_a_bot_that_is_spared_no_more_is_late(
    seat: Seated, asking: Asking
) -> None:
    seat.meter.shown = Waits(bot=replace(WATCHED, most_us=60_000_000))
    seat.timers.advance(2 * MOST_WAITING_US)
    assert (await late(asking)).detail != ""


async def test_that_the_process_has_ended_goes_before_a_doubt(seat: Seated, asking: Asking) -> None:
    seat.session.spare = 1
    exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    seat.session.watch(exited)
    seat.meter.shown = DOUBTFUL
    seat.timers.advance(LIMIT_US + 10_000)
    exited.set_result("exited with status 1")
    fault = await asking
    assert isinstance(fault, Fault)
    assert fault.kind is Infraction.CRASHED
    assert fault.evidence.elapsed_us == LIMIT_US + 10_000


async def test_a_meter_is_closed_with_its_session(seat: Seated) -> None:
    assert not seat.meter.closed
    closing = asyncio.create_task(seat.session.close())
    await seat.sent()
    seat.stream.end()
    await closing
    assert seat.meter.closed


async def test_without_a_meter_there_is_a_margin(seat: Seated) -> None:
    seat.session.meter = Unmetered()
    asking = await seat.asked("a", left_us=LIMIT_US)
    seat.timers.advance(LIMIT_US + MARGIN_US)
    reply = await answered(seat, asking)
    assert reply.evidence == Evidence(
        LIMIT_US + MARGIN_US, None, MARGIN_US, "referee waited 0.0 ms, bot unknown: margin used"
    )
    asking = await seat.asked("b", left_us=LIMIT_US)
    seat.timers.advance(LIMIT_US + MARGIN_US + TICK_US)
    assert (await late(asking)).evidence.excused_us == 0


async def test_a_loop_that_is_late_is_no_fault_of_the_bots(seat: Seated) -> None:
    """The answer waits to be read while a tick is overdue."""
    seat.session.meter = Unmetered()
    asking = await seat.asked("a", left_us=LIMIT_US)
    seat.timers.pass_over(LIMIT_US + 30_000)
    reply = await answered(seat, asking)
    assert reply.evidence.excused_us == LIMIT_US + 30_000 - TICK_US
