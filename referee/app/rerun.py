"""Bots put in a seat of a recorded match: what each would have answered in one turn.

A bot may remember and roll dice, so it sits there from the match's beginning: it is told and
asked all that the seat was, with the dice the seat had (§10.3). What it answers before that
turn changes nothing; the recorded answers stand.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.app.bots import Bot
from referee.app.cancelling import to_the_end, together
from referee.app.chair import BotChair
from referee.app.logs import LogLine, read_log
from referee.app.shadows import (
    FROM_THE_BEGINNING,
    Answered,
    Audience,
    Latecomer,
    Place,
    Shadowed,
    Spared,
)
from referee.core.errors import InputError
from referee.core.game import Ruling
from referee.files.temporary import make_temporary_folder, sweep
from referee.match.conduct import Consequence, Infraction
from referee.match.explain import RulingExplained, explain_ruling
from referee.match.moment import Moment
from referee.match.player import Fault, Player, Reply
from referee.match.record import GivenAnswer, MatchRecord
from referee.match.recorded import DiffersError, RecordedPlayer, table_of
from referee.match.replay import Replay
from referee.rpc.scribe import Heard
from referee.rpc.server import PlayServer

MOST_OUTPUT: Final = 30
"""Lines of the log of a bot that fails."""

_COMPARED: Final = 10
"""Of the last lines that a bot printed, to tell whether it fails in the same way."""


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a bot answered to a recorded turn."""

    bot: str
    version: str
    answer: GivenAnswer | None
    """``None`` when there was none that could be read."""
    act: str | None
    """What comes of the answer, where it is accepted."""
    ruling: RulingExplained | None
    """Why it is refused."""
    fault: Infraction | None
    """Why there is no answer, or none in time."""
    detail: str
    allowed_us: int
    """How long it might take."""
    elapsed_us: int
    excused_us: int
    excuse: str
    counted_us: int
    bot_cpu_us: int | None
    output: tuple[str, ...]
    """Where it failed, the last lines of its log, notes of the referee among them."""


class _Shadow(NamedTuple):
    """A bot to put in the seat."""

    bot: Bot
    since: Place
    """Where it is told and asked from on."""


class _Asked(NamedTuple):
    """What came of it."""

    reply: Reply | Fault
    allowed_us: int
    log: Sequence[LogLine]

    @property
    def late(self) -> bool:
        return self.reply.evidence.counted_us > self.allowed_us


def rerun(record: MatchRecord, moment: Moment, seat: int, bots: Sequence[Bot]) -> list[Rerun]:
    """Ask bots, all at one time, what the match seat was asked at ``moment``, a turn of ``record``.

    Has to be called from the main thread. Raises InputError where the seat was not asked then,
    DiffersError where the record does not hold up to there, HostFault.
    """
    asked, _ = _ask(record, moment, seat, [_Shadow(bot, FROM_THE_BEGINNING) for bot in bots])
    return [_outcome(moment, seat, *found) for found in zip(bots, asked, strict=True)]


def rerun_for_test(
    record: MatchRecord, moment: Moment, seat: int, bot: Bot
) -> tuple[Rerun, list[Heard]]:
    """The same with one bot, and what it has to hear so that it does the same again.

    That is as little as will do: the question alone, or all of its game, or of the match.
    Raises as ``rerun``.
    """
    game, turn = moment.pairing.number, moment.turn
    spans = [FROM_THE_BEGINNING]
    if not any(
        found.seat == seat and found.consequence is Consequence.RESTART
        for found in record.infractions
    ):
        # One that was started again has little to remember.
        spans += [(game, turn), (game, 0)]
    asked, heard = _ask(record, moment, seat, [_Shadow(bot, since) for since in spans])
    whole, *shorter = asked
    since = next(
        (since for since, found in zip(spans[1:], shorter, strict=True) if _alike(whole, found)),
        FROM_THE_BEGINNING,
    )
    return _outcome(moment, seat, bot, whole), [
        one for one in heard if one.hook == "match_started" or (one.game, one.turn) >= since
    ]


def _alike(one: _Asked, other: _Asked) -> bool:
    if isinstance(one.reply, Reply):
        return isinstance(other.reply, Reply) and one.reply.answer == other.reply.answer
    return (
        isinstance(other.reply, Fault)
        and one.reply.kind is other.reply.kind
        and _last_words(one.log) == _last_words(other.log)
    )


def _last_words(log: Sequence[LogLine]) -> list[str]:
    return [line.in_match for line in log if not line.note][-_COMPARED:]


def _outcome(moment: Moment, seat: int, bot: Bot, asked: _Asked) -> Rerun:
    reply, evidence = asked.reply, asked.reply.evidence
    found = Rerun(
        bot=bot.name,
        version=bot.manifest.version,
        answer=None,
        act=None,
        ruling=None,
        fault=Infraction.LATE if asked.late else None,
        detail="",
        allowed_us=asked.allowed_us,
        elapsed_us=evidence.elapsed_us,
        excused_us=evidence.excused_us,
        excuse=evidence.excuse,
        counted_us=evidence.counted_us,
        bot_cpu_us=evidence.bot_cpu_us,
        output=tuple(line.in_match for line in asked.log[-MOST_OUTPUT:]),
    )
    if isinstance(reply, Fault):
        return replace(found, fault=reply.kind, detail=reply.detail)
    found = replace(found, answer=GivenAnswer.of(reply.answer))
    if asked.late:
        return found
    judged = moment.state.judge(moment.pairing.seats.index(seat), reply.answer)
    if isinstance(judged, Ruling):
        ruling = explain_ruling(moment, seat, reply.answer, judged)
        return replace(found, ruling=ruling, output=())
    return replace(found, act=moment.game.text(judged), output=())


def _ask(
    record: MatchRecord, moment: Moment, seat: int, shadows: Sequence[_Shadow]
) -> tuple[list[_Asked], list[Heard]]:
    """What came of each, and what one that was there from the beginning heard."""
    at = (moment.pairing.number, moment.turn, seat)
    if not any((ask.game, ask.turn, ask.seat) == at for ask in record.asks):
        raise InputError("game {}, turn {}: seat {} was not asked".format(*at))
    sweep()
    with make_temporary_folder("rerun") as folder:
        logs = [folder / f"{number}.log" for number in range(len(shadows))]
        audience = Audience()
        answered = asyncio.run(_seat(record, moment, seat, shadows, audience, logs))
        return [
            _Asked(reply, answered.allowed_us, list(read_log(log)))
            for reply, log in zip(answered.replies, logs, strict=False)
        ], audience.scribe.heard


async def _seat(
    record: MatchRecord,
    moment: Moment,
    seat: int,
    shadows: Sequence[_Shadow],
    audience: Audience,
    logs: Sequence[Path],
) -> Answered:
    control = record.time_control
    server = PlayServer(
        handshake_limit_us=control.handshake_limit_us, grace_us=record.conduct.grace_us
    )
    chairs: list[BotChair] = []
    try:
        # Cancelled half way, gRPC's server can be neither used nor stopped.
        await to_the_end(server.start())
        for shadow, log in zip(shadows, logs, strict=True):
            limit_us = control.start_limit_us
            chairs.append(BotChair(shadow.bot, server, log, start_limit_us=limit_us))
        await together(chair.sit(record.match_key) for chair in chairs)
        players = [
            Latecomer(Spared(chair.player(record.match_key)), shadow.since)
            for chair, shadow in zip(chairs, shadows, strict=True)
        ]
        return await _play_up_to(record, moment, seat, [*players, audience])
    finally:
        await to_the_end(_clear(chairs, server))


async def _clear(chairs: Sequence[BotChair], server: PlayServer) -> None:
    try:
        await together(chair.close() for chair in chairs)
    finally:
        await server.stop()


async def _play_up_to(
    record: MatchRecord, moment: Moment, seat: int, shadows: Sequence[Player]
) -> Answered:
    replay = Replay(record.transcript)
    shadowed = Shadowed(record, moment, seat, shadows)
    players: list[Player] = [RecordedPlayer(record, number) for number in range(replay.seats)]
    players[seat] = shadowed
    table = table_of(record, replay, players, match_id=secrets.token_hex(8))
    playing = asyncio.create_task(table.play())
    try:
        either: set[asyncio.Future[Any]] = {playing, shadowed.answered}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not shadowed.answered.done():
            await playing
            raise DiffersError("asks", "a question in this turn", "none")
        return shadowed.answered.result()
    finally:
        playing.cancel()
        await asyncio.wait({playing})
