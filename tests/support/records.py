"""Small records made by hand: plausible, quick, and free to hold whatever a test needs.

They do not verify, since nobody played them; ``tests.support.matches`` has some that do.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from referee.core.game import Ruling
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Fault, Infraction
from referee.match.record import (
    AskRecord,
    GivenAnswer,
    InfractionRecord,
    MatchRecord,
    Result,
    SeatRecord,
    digest_of,
)
from referee.match.result import derive
from referee.match.series import Games, Played, Series
from referee.store.entries import StoredRecord

START = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


def make_record(
    match_key: str = "match/1",
    *,
    attempt: int = 1,
    bots: Sequence[str] = ("ann", "bob"),
    games: Sequence[Sequence[int]] = ((0, 12), (31, 0)),
    series: Series | None = None,
    infractions: Sequence[InfractionRecord] = (),
    forfeits: Sequence[int] = (),
    answer_us: Sequence[int] = (100, 2_000),
    conduct: Conduct | None = None,
) -> MatchRecord:
    """A match of ``games``, each its points by seat; every bot answers in ``answer_us``."""
    conduct = conduct or Conduct()
    series = series or Games(len(games))
    transcript = make_transcript(len(bots), games, series)
    words = match_key.split("/")
    in_league = len(words) == 4
    return MatchRecord(
        league=words[0] if in_league else "",
        match_key=match_key,
        deal_key="/".join(words[:3]) if in_league else match_key,
        attempt=attempt,
        seats=tuple(
            SeatRecord(seat, bot, "1.0.0", hashlib.sha256(bot.encode()).digest(), "Ann", "python")
            for seat, bot in enumerate(bots)
        ),
        time_control=TimeControl(),
        conduct=conduct,
        transcript=transcript,
        seed_commitment=bytes(32),
        asks=tuple(
            make_ask(seat, turn, counted_us)
            for turn, counted_us in enumerate(answer_us, 2)
            for seat in range(len(bots))
        ),
        infractions=tuple(infractions),
        result=make_result(len(bots), games, series, forfeits, infractions, conduct),
        play_digest=digest_of(transcript),
        start_time=START,
        end_time=START + timedelta(seconds=5),
        referee_version="0.1.0",
    )


def make_ask(seat: int, turn: int, counted_us: int, *, ruling: Ruling | None = None) -> AskRecord:
    return AskRecord(
        game=1,
        turn=turn,
        seat=seat,
        request_id=f"{seat:04x}{turn:04x}",
        try_=1,
        limit_us=2_000_000,
        bank_us=None,
        match_left_us=None,
        elapsed_us=counted_us,
        counted_us=counted_us,
        bot_cpu_us=None,
        excused_us=0,
        excuse="",
        answer=GivenAnswer.of((12,)),
        ruling=ruling,
    )


def make_infraction(
    seat: int,
    kind: Infraction = Infraction.LATE,
    *,
    fault: Fault = Fault.BOT,
    detail: str = "after 2.1 s",
    strikes: int = 1,
) -> InfractionRecord:
    default = BREACHES[kind].default
    penalty = default.penalty if fault is Fault.BOT else 0
    return InfractionRecord(1, 2, seat, kind, penalty, strikes, default.consequence, fault, detail)


def make_transcript(seats: int, games: Sequence[Sequence[int]], series: Series) -> str:
    """Three turns to each game."""
    lines = [
        "elfer 1 house 1",
        "rules ravensburger@1",
        f"series {series}",
        f"seats {seats}",
        f"seed {bytes(32).hex()}",
    ]
    everybody = " ".join(map(str, range(seats)))
    for number, points in enumerate(games, 1):
        dealer = (number - 1) % seats
        lines += [
            f"game {number} dealer {dealer} seats {everybody} deal 0",
            "1 0 open R11",
            "2 1 lay R12",
            "3 0 stuck",
            f"end {points.index(0)} points {' '.join(map(str, points))}",
        ]
    return "\n".join(lines) + "\n"


def make_result(
    seats: int,
    games: Sequence[Sequence[int]],
    series: Series,
    forfeits: Sequence[int],
    infractions: Sequence[InfractionRecord],
    conduct: Conduct,
) -> Result:
    played: list[Played] = []
    for points in games:
        pairing = series.next(seats, played)
        assert pairing is not None, "more games than the series has"
        played.append(Played(pairing, tuple(points)))
    return derive(seats, played, forfeits, infractions, conduct)


def make_stored(record: MatchRecord) -> StoredRecord:
    """Bytes that stand for a record's: different records, different bytes."""
    content = repr(record).encode()
    return StoredRecord(content, hashlib.sha256(content).digest())
