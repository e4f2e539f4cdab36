"""Match records to bytes. ``record_reader`` is the way back."""

from __future__ import annotations

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from elfer.v1 import card_pb2, record_pb2
from referee.core.game import Ruling
from referee.match.record import (
    AskRecord,
    GivenAnswer,
    InfractionRecord,
    MatchRecord,
    Result,
    SeatRecord,
)
from referee.rpc.codec.checks import check_size
from referee.rpc.codec.enums import CONSEQUENCE_NUMBER, FAULT_NUMBER, INFRACTION_NUMBER
from referee.rpc.codec.limits import conduct_message, time_control_message


def encode_record(record: MatchRecord) -> bytes:
    """The bytes of a record, to be made once and kept as they are.

    Raises ``ValueError`` on a value that no field can hold, ``VerificationError`` on more
    bytes than anybody reads.
    """
    data = record_pb2.MatchRecord(
        format_version=record.format_version,
        league=record.league,
        match_key=record.match_key,
        deal_key=record.deal_key,
        attempt=record.attempt,
        seats=[_seat(seat) for seat in record.seats],
        time_control=time_control_message(record.time_control),
        conduct=conduct_message(record.conduct),
        transcript=record.transcript,
        seed_commitment=record.seed_commitment,
        asks=[_ask(ask) for ask in record.asks],
        infractions=[_infraction(infraction) for infraction in record.infractions],
        result=_result(record.result),
        play_digest=record.play_digest,
        start_time=_timestamp(record.start_time),
        end_time=_timestamp(record.end_time),
        referee_version=record.referee_version,
    ).SerializeToString(deterministic=True)
    check_size(data)
    return data


def _seat(seat: SeatRecord) -> record_pb2.Seat:
    return record_pb2.Seat(
        seat=seat.seat,
        bot=seat.bot,
        version=seat.version,
        bundle_sha256=seat.bundle_sha256,
        author=seat.author,
        language=seat.language,
        sandbox=seat.sandbox,
    )


def _ask(ask: AskRecord) -> record_pb2.Ask:
    message = record_pb2.Ask(
        game=ask.game,
        turn=ask.turn,
        seat=ask.seat,
        request_id=ask.request_id,
        limit_us=ask.limit_us,
        bank_us=ask.bank_us,
        match_left_us=ask.match_left_us,
        elapsed_us=ask.elapsed_us,
        counted_us=ask.counted_us,
        bot_cpu_us=ask.bot_cpu_us,
        excused_us=ask.excused_us,
        excuse=ask.excuse,
        answer=None if ask.answer is None else _answer(ask.answer),
        ruling=None if ask.ruling is None else _ruling(ask.ruling),
    )
    setattr(message, "try", ask.try_)  # a keyword of Python
    return message


def _answer(answer: GivenAnswer) -> record_pb2.GivenAnswer:
    return record_pb2.GivenAnswer(
        cards=map(card_pb2.Card.ValueType, answer.cards), count=answer.count
    )


def _ruling(ruling: Ruling) -> record_pb2.GivenRuling:
    return record_pb2.GivenRuling(
        code=ruling.code,
        section=ruling.section,
        card=card_pb2.Card.ValueType(ruling.card),
        text=ruling.text,
    )


def _infraction(infraction: InfractionRecord) -> record_pb2.Infraction:
    return record_pb2.Infraction(
        game=infraction.game,
        turn=infraction.turn,
        seat=infraction.seat,
        kind=INFRACTION_NUMBER[infraction.kind],
        penalty=infraction.penalty,
        strikes=infraction.strikes,
        consequence=CONSEQUENCE_NUMBER[infraction.consequence],
        fault=FAULT_NUMBER[infraction.fault],
        detail=infraction.detail,
    )


def _result(result: Result) -> record_pb2.Result:
    return record_pb2.Result(
        points=result.points,
        penalties=result.penalties,
        totals=result.totals,
        places=result.places,
        forfeits=result.forfeits,
        winners=result.winners,
    )


def _timestamp(time: datetime) -> Timestamp:
    if time.tzinfo is None:
        raise ValueError(f"{time} names no time zone")
    message = Timestamp()
    message.FromDatetime(time)
    return message
