"""Checks a record by playing the match again from it. It trusts nothing that can be derived.

The table that plays live plays here too, with players that give what the record says their
bots gave. So every deal, ruling, retry, house act, forfeit and total is derived a second
time by the same code, and the first thing that comes out otherwise is named.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import fields
from itertools import zip_longest

from referee.core.dice import commitment, deal_seed, seated
from referee.core.errors import VerificationError
from referee.match.record import (
    FORMAT_VERSION,
    AskRecord,
    InfractionRecord,
    MatchRecord,
    Result,
    digest_of,
)
from referee.match.recorded import Difference, DiffersError, RecordedPlayer, same, table_of
from referee.match.replay import Replay, TranscriptError
from referee.match.table import MatchPlay


def verify(record: MatchRecord, league_seed: bytes | None = None) -> Difference | None:
    """The first thing that differs, or ``None`` when the record holds.

    With the league's seed, the commitment, the deal's seed and the seats' order are
    derived from it as well.
    """
    try:
        replay = Replay(record.transcript)
        _check_frame(record, replay)
        _check_seed(record, replay, league_seed)
        players = [RecordedPlayer(record, seat) for seat in range(replay.seats)]
        # asyncio.run would take over Ctrl-C, for which it prints the whole match to itself.
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            play = loop.run_until_complete(table_of(record, replay, players).play())
        _compare(record, play)
    except DiffersError as differs:
        return differs.difference
    except TranscriptError as error:
        return Difference(f"transcript line {error.line}", error.expected, error.found)
    except VerificationError as error:
        return Difference("transcript", "one that can be read", str(error))
    return None


def verify_transcript(text: str) -> Difference | None:
    """The same for a transcript alone: all that its seed, rules and lines can show."""
    try:
        for _ in Replay(text).steps():
            pass
    except TranscriptError as error:
        return Difference(f"transcript line {error.line}", error.expected, error.found)
    except VerificationError as error:
        return Difference("transcript", "one that can be read", str(error))
    return None


def _check_frame(record: MatchRecord, replay: Replay) -> None:
    same("format_version", FORMAT_VERSION, record.format_version)
    same("number of seats", replay.seats, len(record.seats))
    for index, seat in enumerate(record.seats):
        same(f"seats[{index}].seat", index, seat.seat)
    if record.attempt < 1:
        raise DiffersError("attempt", "1 or more", record.attempt)
    if record.end_time < record.start_time:
        raise DiffersError("end_time", f"{record.start_time} or later", record.end_time)
    if record.league:
        table = "+".join(sorted(seat.bot for seat in record.seats))
        key = record.match_key.split("/")
        if len(key) != 4 or not (_is_number(key[2], least=1) and _is_number(key[3], least=0)):
            raise DiffersError("match_key", "<league>/<table>/<deal>/<rotation>", record.match_key)
        same("match_key", f"{record.league}/{table}", f"{key[0]}/{key[1]}")
        same("deal_key", "/".join(key[:3]), record.deal_key)
    else:
        if not record.match_key.startswith("match/"):
            raise DiffersError("match_key", "match/<id>", record.match_key)
        same("deal_key", record.match_key, record.deal_key)


def _is_number(text: str, *, least: int) -> bool:
    return (
        text.isascii()
        and text.isdecimal()
        and len(text) < 10
        and str(int(text)) == text
        and int(text) >= least
    )


def _check_seed(record: MatchRecord, replay: Replay, league_seed: bytes | None) -> None:
    if not record.league:
        same("seed_commitment", commitment(replay.seed).hex(), record.seed_commitment.hex())
        return
    if league_seed is None:
        return
    same("seed_commitment", commitment(league_seed).hex(), record.seed_commitment.hex())
    same("seed", deal_seed(league_seed, record.deal_key).hex(), replay.seed.hex())
    _, table, deal, rotation = record.match_key.split("/")
    bots = seated(league_seed, table.split("+"), table, int(deal), int(rotation))
    same("seats", " ".join(bots), " ".join(seat.bot for seat in record.seats))


def _compare(record: MatchRecord, play: MatchPlay) -> None:
    lines = zip_longest(play.transcript.split("\n"), record.transcript.split("\n"))
    for number, (expected, found) in enumerate(lines, 1):
        if expected != found:
            raise DiffersError(f"transcript line {number}", _line(expected), _line(found))
    same("play_digest", digest_of(play.transcript).hex(), record.play_digest.hex())
    _compare_rows("asks", play.asks, record.asks)
    _compare_rows("infractions", play.infractions, record.infractions)
    for field in fields(Result):
        expected, found = (getattr(of.result, field.name) for of in (play, record))
        same(f"result.{field.name}", expected, found)


def _line(line: str | None) -> str:
    return "the end of the text" if line is None else repr(line)


def _compare_rows(
    name: str,
    expected: Sequence[AskRecord | InfractionRecord],
    found: Sequence[AskRecord | InfractionRecord],
) -> None:
    for index, (want, have) in enumerate(zip(expected, found, strict=False)):
        if want != have:
            for field in fields(want):
                left, right = getattr(want, field.name), getattr(have, field.name)
                same(f"{name}[{index}].{field.name.rstrip('_')}", left, right)
    same(f"number of {name}", len(expected), len(found))
