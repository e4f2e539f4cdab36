"""One sitting: a table's bots come, play their matches one after another, and go.

``play_sitting`` is one function on serialisable values, so it runs in this process or in
any executor's. What it makes of each match goes to ``report`` at once.
"""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import referee
from referee.app.bots import Bot
from referee.app.cancelling import to_the_end, together
from referee.app.chair import BotChair, Chair
from referee.app.collecting import no_collections, quick_collections
from referee.app.guest import Guest, GuestChair
from referee.app.logs import log_path
from referee.core.dice import bot_seed
from referee.core.errors import HostFault
from referee.games.registry import AnyGame
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.player import MatchEnd
from referee.match.record import MatchRecord, digest_of
from referee.match.series import Series
from referee.match.table import MatchSetup, Table
from referee.rpc.codec.records import encode_record
from referee.rpc.server import PlayServer
from referee.store.entries import VoidCause

MOST_SPARED: Final = 5
"""How often in a league a bot's lateness may void a match, being as likely the host's."""

_DETAIL_LINES: Final = 12


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """One attempt at one match."""

    match_key: str
    deal_key: str
    attempt: int
    bots: tuple[str, ...]
    """Names by seat, guests' too."""
    seed: bytes


@dataclass(frozen=True, slots=True)
class SittingOrder:
    """A sitting, ready to be played anywhere that has the bots' folders."""

    league: str
    """Empty for a single match."""
    game: AnyGame
    series: Series
    time_control: TimeControl
    conduct: Conduct
    seed_commitment: bytes
    bots: tuple[Bot, ...]
    spare: tuple[int, ...]
    """For each bot: how many latenesses more may void a match, being as likely the host's."""
    matches: tuple[MatchOrder, ...]
    logs: Path

    @property
    def id(self) -> str:
        """Names this sitting and no other, another attempt at it included."""
        return f"{self.matches[0].match_key}#{self.matches[0].attempt}"


@dataclass(frozen=True, slots=True)
class Played:
    """An attempt that can count."""

    match_key: str
    record: bytes


@dataclass(frozen=True, slots=True)
class Voided:
    """An attempt that cannot, through no bot's fault."""

    match_key: str
    cause: VoidCause
    detail: str
    bot: str | None = None
    """At whose question it broke off, where it was at one's."""
    standing: Mapping[str, int] | None = None
    """The points by bot when it broke off, where they were at the table."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The points by bot in a match that is being played."""

    match_key: str
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Awaited:
    """A bot that somebody else starts, whenever they like."""

    name: str
    announce: Callable[[str, str], None]
    """Is told the address and the token to come with."""


Report = Callable[[Played | Voided], None]
Watch = Callable[[Standing], None]


async def play_sitting(
    order: SittingOrder,
    report: Report,
    *,
    awaited: Awaited | None = None,
    guests: Sequence[Guest] = (),
    watch: Watch = lambda _: None,
) -> None:
    """Play a sitting's matches in order; report each as soon as it is over.

    ``guests`` play beside the order's bots, in this process. ``watch`` is told how a match
    stands as it begins and after each of its games. When the sitting is cancelled, the match
    under way and those still to come are not reported.
    """
    # One each: a bot that takes up all connections of a server keeps out nobody but itself.
    servers = [
        PlayServer(
            handshake_limit_us=order.time_control.handshake_limit_us,
            grace_us=order.conduct.grace_us,
            keepalive=awaited is None,
        )
        for _ in order.bots
    ]
    chairs: dict[str, Chair] = {guest.name: GuestChair(guest) for guest in guests}
    try:
        # Cancelled half way, gRPC's server can be neither used nor stopped.
        await to_the_end(together(server.start() for server in servers))
        for bot, spare, server in zip(order.bots, order.spare, servers, strict=True):
            chairs[bot.name] = BotChair(
                bot,
                server,
                log_path(order.logs, bot.name, order.id),
                start_limit_us=order.time_control.start_limit_us,
                spare=spare,
                announce=awaited.announce if awaited and awaited.name == bot.name else None,
            )
        with quick_collections():
            for match in order.matches:
                report(await _play_match(order, match, chairs, watch))
    finally:
        await to_the_end(_clear(chairs, servers))


async def _clear(chairs: dict[str, Chair], servers: Sequence[PlayServer]) -> None:
    """Leave no process, file or stream of the sitting behind."""
    try:
        await together(chair.close() for chair in chairs.values())
    finally:
        await together(server.stop() for server in servers)


async def _play_match(
    order: SittingOrder, match: MatchOrder, chairs: dict[str, Chair], watch: Watch
) -> Played | Voided:
    seated = [chairs[name] for name in match.bots]
    table: Table | None = None
    try:
        await together(chair.sit(match.match_key) for chair in seated)
        table = _table(order, match, seated, watch)
        return Played(match.match_key, encode_record(await _record(order, match, seated, table)))
    except HostFault as fault:
        cause, detail = VoidCause.HOST, str(fault)
    except Exception:  # noqa: BLE001 - whatever we do wrong voids, and is told
        cause, detail = VoidCause.REFEREE, _last_lines(traceback.format_exc())
    for chair in seated:
        chair.tell(MatchEnd(None))
    # What the bots make of a match that broke off is unknown: the next one gets fresh ones.
    await together(chair.leave() for chair in seated)
    if table is None:
        return Voided(match.match_key, cause, detail)
    seat = table.broke_off_at
    bot = None if seat is None else match.bots[seat]
    return Voided(match.match_key, cause, detail, bot, _standing(match, table).points)


def _standing(match: MatchOrder, table: Table) -> Standing:
    return Standing(match.match_key, dict(zip(match.bots, table.points, strict=True)))


def _table(order: SittingOrder, match: MatchOrder, seated: list[Chair], watch: Watch) -> Table:
    setup = MatchSetup(
        game=order.game,
        series=order.series,
        seed=match.seed,
        seed_commitment=order.seed_commitment,
        dice_seeds=tuple(
            bot_seed(match.seed, match.match_key, seat) for seat in range(len(seated))
        ),
        match_id=secrets.token_hex(8),
        time_control=order.time_control,
        conduct=order.conduct,
    )
    players = [chair.player(match.match_key) for chair in seated]

    def tell() -> None:
        watch(_standing(match, table))

    table = Table(setup, players, lambda: secrets.token_hex(8), tell)
    tell()
    return table


async def _record(
    order: SittingOrder, match: MatchOrder, seated: list[Chair], table: Table
) -> MatchRecord:
    started = datetime.now(UTC)
    with no_collections():
        play = await table.play()
    return MatchRecord(
        league=order.league,
        match_key=match.match_key,
        deal_key=match.deal_key,
        attempt=match.attempt,
        seats=tuple(chair.at_seat(seat) for seat, chair in enumerate(seated)),
        time_control=order.time_control,
        conduct=order.conduct,
        transcript=play.transcript,
        seed_commitment=order.seed_commitment,
        asks=play.asks,
        infractions=play.infractions,
        result=play.result,
        play_digest=digest_of(play.transcript),
        start_time=started,
        end_time=datetime.now(UTC),
        referee_version=referee.__version__,
    )


def _last_lines(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-_DETAIL_LINES:])
