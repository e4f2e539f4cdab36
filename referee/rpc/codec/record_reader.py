"""Bytes or JSON to match records. Nothing in them is trusted.

Fields that a later format adds are passed over. What is known has to be there, whole and
within bounds; whether it is true is for ``referee.match.verify``.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from elfer.v1 import record_pb2
from referee.core.errors import VerificationError
from referee.core.game import Ruling
from referee.match.record import (
    FORMAT_VERSION,
    MOST_CARDS_KEPT,
    AskRecord,
    GivenAnswer,
    InfractionRecord,
    MatchRecord,
    Result,
    SeatRecord,
)
from referee.rpc.codec.checks import (
    DIGEST_BYTES,
    MOST_BYTES,
    check_least,
    check_length,
    check_member,
    check_seat,
    check_size,
    parse,
)
from referee.rpc.codec.enums import CONSEQUENCE_OF, FAULT_OF, INFRACTION_OF
from referee.rpc.codec.limits import read_conduct, read_time_control

MOST_SEATS: Final = 6
MOST_JSON_VALUES: Final = MOST_BYTES // 16
"""Beyond what a record of the largest size can hold; empty ones take time and memory too."""


def decode_record(data: bytes) -> MatchRecord:
    """The record that ``encode_record`` gave these bytes.

    Raises ``VerificationError``, naming the field, on anything else.
    """
    return _record(parse_record(data))


def decode_record_json(data: bytes) -> MatchRecord:
    """The record of a JSON text in UTF-8 (``record_json``).

    Raises ``VerificationError``, naming the field, on anything else.
    """
    check_size(data)
    if data.count(b",") > MOST_JSON_VALUES:
        raise VerificationError(f"more than {MOST_JSON_VALUES} values are no record")
    try:
        message = json_format.Parse(data, record_pb2.MatchRecord(), ignore_unknown_fields=True)
    except (json_format.ParseError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise VerificationError(f"this is no record in protobuf JSON: {reason}") from error
    return _record(message)


def record_json(data: bytes) -> str:
    """A record's bytes as JSON: the protocol's field names, every field written."""
    text = json_format.MessageToJson(
        parse_record(data),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    return text + "\n"


def parse_record(data: bytes) -> record_pb2.MatchRecord:
    return parse(record_pb2.MatchRecord, data, "record")


def _record(message: record_pb2.MatchRecord) -> MatchRecord:
    if message.format_version != FORMAT_VERSION:
        raise VerificationError(
            f"format_version is {message.format_version}; this referee reads {FORMAT_VERSION}"
        )
    for field in ("time_control", "conduct", "result", "start_time", "end_time"):
        if not message.HasField(field):
            raise VerificationError(f"{field} is missing")
    for field in ("match_key", "deal_key", "transcript", "referee_version"):
        if not getattr(message, field):
            raise VerificationError(f"{field} is empty")
    check_least("attempt", message.attempt, 1)
    seats = len(message.seats)
    if not 2 <= seats <= MOST_SEATS:
        raise VerificationError(f"seats are {seats}, not 2 to {MOST_SEATS}")
    return MatchRecord(
        league=message.league,
        match_key=message.match_key,
        deal_key=message.deal_key,
        attempt=message.attempt,
        seats=tuple(_seat(number, seat) for number, seat in enumerate(message.seats)),
        time_control=read_time_control(message.time_control),
        conduct=read_conduct(message.conduct),
        transcript=message.transcript,
        seed_commitment=check_length("seed_commitment", message.seed_commitment),
        asks=tuple(_ask(f"asks[{index}]", ask, seats) for index, ask in enumerate(message.asks)),
        infractions=tuple(
            _infraction(f"infractions[{index}]", infraction, seats)
            for index, infraction in enumerate(message.infractions)
        ),
        result=_result(message.result, seats),
        play_digest=check_length("play_digest", message.play_digest),
        start_time=_time("start_time", message.start_time),
        end_time=_time("end_time", message.end_time),
        referee_version=message.referee_version,
    )


def _seat(number: int, message: record_pb2.Seat) -> SeatRecord:
    field = f"seats[{number}]"
    if message.seat != number:
        raise VerificationError(f"{field}.seat is {message.seat}, not {number}")
    if not message.bot:
        raise VerificationError(f"{field}.bot is empty")
    return SeatRecord(
        seat=number,
        bot=message.bot,
        version=message.version,
        # A bot that somebody started by hand has no bundle.
        bundle_sha256=check_length(
            f"{field}.bundle_sha256", message.bundle_sha256, (0, DIGEST_BYTES)
        ),
        author=message.author,
        language=message.language,
        sandbox=message.sandbox,
    )


def _ask(field: str, message: record_pb2.Ask, seats: int) -> AskRecord:
    if not message.request_id:
        raise VerificationError(f"{field}.request_id is empty")
    check_least(f"{field}.game", message.game, 1)
    check_least(f"{field}.turn", message.turn, 1)
    try_: int = getattr(message, "try")
    check_least(f"{field}.try", try_, 1)
    return AskRecord(
        game=message.game,
        turn=message.turn,
        seat=check_seat(f"{field}.seat", message.seat, seats),
        request_id=message.request_id,
        try_=try_,
        limit_us=message.limit_us if message.HasField("limit_us") else None,
        bank_us=message.bank_us if message.HasField("bank_us") else None,
        match_left_us=message.match_left_us if message.HasField("match_left_us") else None,
        elapsed_us=message.elapsed_us,
        counted_us=message.counted_us,
        bot_cpu_us=message.bot_cpu_us if message.HasField("bot_cpu_us") else None,
        excused_us=message.excused_us,
        excuse=message.excuse,
        answer=_answer(f"{field}.answer", message.answer) if message.HasField("answer") else None,
        ruling=_ruling(f"{field}.ruling", message.ruling) if message.HasField("ruling") else None,
    )


def _answer(field: str, message: record_pb2.GivenAnswer) -> GivenAnswer:
    kept, count = len(message.cards), message.count
    if kept != min(count, MOST_CARDS_KEPT):
        raise VerificationError(
            f"{field}.cards has {kept} of {count} cards, not {min(count, MOST_CARDS_KEPT)}"
        )
    return GivenAnswer(tuple(message.cards), count)


def _ruling(field: str, message: record_pb2.GivenRuling) -> Ruling:
    if not message.code:
        raise VerificationError(f"{field}.code is empty")
    return Ruling(message.code, message.section, message.card, message.text)


def _infraction(field: str, message: record_pb2.Infraction, seats: int) -> InfractionRecord:
    return InfractionRecord(
        game=message.game,
        turn=message.turn,
        seat=check_seat(f"{field}.seat", message.seat, seats),
        kind=check_member(f"{field}.kind", message.kind, INFRACTION_OF),
        penalty=message.penalty,
        strikes=message.strikes,
        consequence=check_member(f"{field}.consequence", message.consequence, CONSEQUENCE_OF),
        fault=check_member(f"{field}.fault", message.fault, FAULT_OF),
        detail=message.detail,
    )


def _result(message: record_pb2.Result, seats: int) -> Result:
    for field in ("points", "penalties", "totals", "places", "forfeits"):
        count = len(getattr(message, field))
        if count != seats:
            raise VerificationError(f"result.{field} has {count} values, not {seats}")
    for index, place in enumerate(message.places):
        if not 1 <= place <= seats:
            raise VerificationError(f"result.places[{index}] is {place}, not 1 to {seats}")
    winners = tuple(message.winners)
    if winners != tuple(sorted(set(winners))):
        raise VerificationError("result.winners are not seats in ascending order")
    for index, winner in enumerate(winners):
        check_seat(f"result.winners[{index}]", winner, seats)
    return Result(
        points=tuple(message.points),
        penalties=tuple(message.penalties),
        totals=tuple(message.totals),
        places=tuple(message.places),
        forfeits=tuple(message.forfeits),
        winners=winners,
    )


def _time(field: str, message: Timestamp) -> datetime:
    try:
        return message.ToDatetime(UTC)
    except (ValueError, OverflowError) as error:
        raise VerificationError(f"{field} is no time: {error}") from error
