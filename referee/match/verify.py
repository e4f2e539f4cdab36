"""Checks a record by playing the match again from it. It trusts nothing that can be derived.

The table that plays live plays here too, with players that give what the record says their
bots gave. So every deal, ruling, retry, house act, forfeit and total is derived a second
time by the same code, and the first thing that comes out otherwise is named.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import fields
from itertools import zip_longest
from typing import Final, NamedTuple

from referee.core.dice import commitment, deal_seed, seated
from referee.core.errors import VerificationError
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, Message, Reply, Stray
from referee.match.record import (
    FORMAT_VERSION,
    MOST_CARDS_KEPT,
    AskRecord,
    GivenAnswer,
    InfractionRecord,
    MatchRecord,
    Result,
    digest_of,
)
from referee.match.replay import Replay, TranscriptError
from referee.match.table import MatchPlay, MatchSetup, Table

_SHOWN: Final = 200
MOST_CARDS_SENT: Final = 1_000_000
"""More than any message can hold."""


class Difference(NamedTuple):
    """The first thing that does not hold."""

    where: str
    """A transcript line, or a field of the record."""
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


class _Differs(Exception):  # noqa: N818 - a finding, caught below
    def __init__(self, where: str, expected: object, found: object) -> None:
        self.difference = Difference(where, str(expected)[:_SHOWN], str(found)[:_SHOWN])


def verify(record: MatchRecord, league_seed: bytes | None = None) -> Difference | None:
    """The first thing that differs, or ``None`` when the record holds.

    With the league's seed, the commitment, the deal's seed and the seats' order are
    derived from it as well.
    """
    try:
        replay = Replay(record.transcript)
        _check_frame(record, replay)
        _check_seed(record, replay, league_seed)
        # asyncio.run would take over Ctrl-C, for which it prints the whole match to itself.
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            play = loop.run_until_complete(_play_again(record, replay))
        _compare(record, play)
    except _Differs as differs:
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


def _same(where: str, expected: object, found: object) -> None:
    if expected != found:
        raise _Differs(where, expected, found)


def _check_frame(record: MatchRecord, replay: Replay) -> None:
    _same("format_version", FORMAT_VERSION, record.format_version)
    _same("play_digest", digest_of(record.transcript).hex(), record.play_digest.hex())
    _same("number of seats", replay.seats, len(record.seats))
    for index, seat in enumerate(record.seats):
        _same(f"seats[{index}].seat", index, seat.seat)
    if record.attempt < 1:
        raise _Differs("attempt", "1 or more", record.attempt)
    if record.end_time < record.start_time:
        raise _Differs("end_time", f"{record.start_time} or later", record.end_time)
    if record.league:
        table = "+".join(sorted(seat.bot for seat in record.seats))
        key = record.match_key.split("/")
        if len(key) != 4 or not (_is_number(key[2], least=1) and _is_number(key[3], least=0)):
            raise _Differs("match_key", "<league>/<table>/<deal>/<rotation>", record.match_key)
        _same("match_key", f"{record.league}/{table}", f"{key[0]}/{key[1]}")
        _same("deal_key", "/".join(key[:3]), record.deal_key)
    else:
        if not record.match_key.startswith("match/"):
            raise _Differs("match_key", "match/<id>", record.match_key)
        _same("deal_key", record.match_key, record.deal_key)


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
        _same("seed_commitment", commitment(replay.seed).hex(), record.seed_commitment.hex())
        return
    if league_seed is None:
        return
    _same("seed_commitment", commitment(league_seed).hex(), record.seed_commitment.hex())
    _same("seed", deal_seed(league_seed, record.deal_key).hex(), replay.seed.hex())
    _, table, deal, rotation = record.match_key.split("/")
    bots = seated(league_seed, table.split("+"), table, int(deal), int(rotation))
    _same("seats", " ".join(bots), " ".join(seat.bot for seat in record.seats))


async def _play_again(record: MatchRecord, replay: Replay) -> MatchPlay:
    setup = MatchSetup(
        game=replay.game,
        series=replay.series,
        seed=replay.seed,
        seed_commitment=record.seed_commitment,
        dice_seeds=(b"",) * replay.seats,
        match_id="",
        time_control=record.time_control,
        conduct=record.conduct,
    )
    ids = iter([ask.request_id for ask in record.asks])
    players = [_RecordedPlayer(record, seat) for seat in range(replay.seats)]
    return await Table(setup, players, lambda: next(ids, "")).play()


class _RecordedPlayer:
    """Gives the table what the record says that a seat's bot gave."""

    def __init__(self, record: MatchRecord, seat: int) -> None:
        self._seat = seat
        self._asks = deque(ask for ask in record.asks if ask.seat == seat)
        refused = Counter((ask.game, ask.turn) for ask in self._asks if ask.ruling is not None)
        infractions: dict[tuple[int, int], deque[InfractionRecord]] = defaultdict(deque)
        for infraction in record.infractions:
            if infraction.seat == seat:
                infractions[infraction.game, infraction.turn].append(infraction)
        # A turn's infractions are those found before its question, then one for each
        # refused try.
        self._strays = {
            at: tuple(Stray(*_seen(of_turn)) for _ in range(len(of_turn) - refused[at]))
            for at, of_turn in infractions.items()
        }
        self._refusals = infractions

    async def ask(self, ask: Ask) -> Reply | Fault:
        where = f"question to seat {self._seat} in game {ask.game}, turn {ask.turn}"
        if not self._asks:
            raise _Differs("asks", f"a {where}", "none")
        recorded = self._asks.popleft()
        evidence = Evidence(
            recorded.elapsed_us, recorded.bot_cpu_us, recorded.excused_us, recorded.excuse
        )
        refusals = self._refusals.get((recorded.game, recorded.turn))
        kind, detail = None, ""
        if recorded.ruling is not None and refusals:
            kind, detail = _seen(refusals)
        if recorded.answer is not None:
            return Reply(_whole(recorded.answer, where), evidence)
        if kind is None or recorded.ruling is None or recorded.ruling.code != kind:
            raise _Differs(where, "an answer, or an infraction that explains there is none", kind)
        return Fault(kind, evidence, detail)

    def strays(self) -> tuple[Stray, ...]:
        if self._asks:
            return self._strays.pop((self._asks[0].game, self._asks[0].turn), ())
        left = tuple(stray for strays in self._strays.values() for stray in strays)
        self._strays.clear()
        return left

    def tell(self, message: Message) -> None:
        """A record has no ears."""


def _seen(infractions: deque[InfractionRecord]) -> tuple[Infraction, str]:
    infraction = infractions.popleft()
    return infraction.kind, infraction.detail


def _whole(answer: GivenAnswer, where: str) -> tuple[int, ...]:
    """The answer at its full length. Its fault lies in the cards kept: no hand is so large."""
    if not len(answer.cards) <= answer.count <= MOST_CARDS_SENT or (
        len(answer.cards) < min(answer.count, MOST_CARDS_KEPT)
    ):
        raise _Differs(f"answer to the {where}", f"{len(answer.cards)} cards", answer.count)
    return answer.cards + (0,) * (answer.count - len(answer.cards))


def _compare(record: MatchRecord, play: MatchPlay) -> None:
    lines = zip_longest(play.transcript.split("\n"), record.transcript.split("\n"))
    for number, (expected, found) in enumerate(lines, 1):
        if expected != found:
            raise _Differs(f"transcript line {number}", _line(expected), _line(found))
    _compare_rows("asks", play.asks, record.asks)
    _compare_rows("infractions", play.infractions, record.infractions)
    for field in fields(Result):
        expected, found = (getattr(of.result, field.name) for of in (play, record))
        _same(f"result.{field.name}", expected, found)


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
                _same(f"{name}[{index}].{field.name.rstrip('_')}", left, right)
    _same(f"number of {name}", len(expected), len(found))
