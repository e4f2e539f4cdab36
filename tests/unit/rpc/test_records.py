"""Records to bytes, to JSON and back; what is altered is refused by the name of its field."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elfer.v1 import play_pb2, record_pb2
from referee.core.errors import VerificationError
from referee.core.game import Ruling
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Fault, Infraction, Measure
from referee.match.record import (
    MOST_CARDS_KEPT,
    AskRecord,
    GivenAnswer,
    InfractionRecord,
    MatchRecord,
    Result,
    SeatRecord,
)
from referee.rpc.codec import (
    decode_envelope,
    decode_record,
    decode_record_json,
    encode_envelope,
    encode_record,
    record_json,
)
from referee.rpc.codec.checks import MOST_BYTES
from referee.rpc.codec.enums import CONSEQUENCE_NUMBER, FAULT_NUMBER, INFRACTION_NUMBER
from referee.rpc.codec.record_reader import MOST_JSON_VALUES
from tests.support.records import make_infraction, make_record

uint32 = st.integers(0, 2**32 - 1)
uint64 = st.integers(0, 2**64 - 1)
maybe_uint64 = st.none() | uint64
word = st.text(min_size=1, max_size=8)
text = st.text(max_size=20)
digest = st.binary(min_size=32, max_size=32)
times = st.datetimes(timezones=st.just(UTC))
card = st.integers(-(2**31), 2**31 - 1)
rulings = st.builds(Ruling, code=word, section=text, card=card, text=text)
answers = st.lists(card, max_size=100).map(lambda cards: GivenAnswer.of(tuple(cards)))
measures = st.fixed_dictionaries(
    {
        kind: st.builds(
            Measure, penalty=uint32, strikes=uint32, consequence=st.sampled_from(breach.allowed)
        )
        for kind, breach in BREACHES.items()
    }
)


@st.composite
def time_controls(draw: st.DrawFn) -> TimeControl:
    move_limit_us = draw(maybe_uint64)
    bank_us = None if move_limit_us is None else draw(maybe_uint64)
    return TimeControl(
        move_limit_us=move_limit_us,
        bank_us=bank_us,
        increment_us=None if bank_us is None else draw(maybe_uint64),
        match_limit_us=draw(maybe_uint64),
        handshake_limit_us=draw(maybe_uint64),
        start_limit_us=draw(maybe_uint64),
    )


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    seats = draw(st.integers(2, 6))
    seat = st.integers(0, seats - 1)
    each = st.lists(uint32, min_size=seats, max_size=seats).map(tuple)
    asks = st.builds(
        AskRecord,
        game=st.integers(1, 9),
        turn=st.integers(1, 99),
        seat=seat,
        request_id=word,
        try_=st.integers(1, 3),
        limit_us=maybe_uint64,
        bank_us=maybe_uint64,
        match_left_us=maybe_uint64,
        elapsed_us=uint64,
        counted_us=uint64,
        bot_cpu_us=maybe_uint64,
        excused_us=uint64,
        excuse=text,
        answer=st.none() | answers,
        ruling=st.none() | rulings,
    )
    infractions = st.builds(
        InfractionRecord,
        game=uint32,
        turn=uint32,
        seat=seat,
        kind=st.sampled_from(Infraction),
        penalty=uint32,
        strikes=uint32,
        consequence=st.sampled_from(Consequence),
        fault=st.sampled_from(Fault),
        detail=text,
    )
    return MatchRecord(
        league=draw(text),
        match_key=draw(word),
        deal_key=draw(word),
        attempt=draw(st.integers(1, 9)),
        seats=tuple(
            SeatRecord(
                number,
                draw(word),
                draw(text),
                draw(st.just(b"") | digest),
                draw(text),
                draw(text),
                draw(text),
            )
            for number in range(seats)
        ),
        time_control=draw(time_controls()),
        conduct=Conduct(
            retries=draw(uint32),
            restarts=draw(uint32),
            strike_limit=draw(st.none() | uint32),
            grace_us=draw(uint64),
            measures=draw(measures),
            list_only=draw(st.booleans()),
        ),
        transcript=draw(word),
        seed_commitment=draw(digest),
        asks=tuple(draw(st.lists(asks, max_size=4))),
        infractions=tuple(draw(st.lists(infractions, max_size=3))),
        result=Result(
            draw(each),
            draw(each),
            draw(each),
            tuple(draw(st.integers(1, seats)) for _ in range(seats)),
            tuple(draw(st.booleans()) for _ in range(seats)),
            tuple(sorted(draw(st.sets(seat)))),
        ),
        play_digest=draw(digest),
        start_time=draw(times),
        end_time=draw(times),
        referee_version=draw(word),
    )


@given(records())
def test_bytes_and_back(record: MatchRecord) -> None:
    assert decode_record(encode_record(record)) == record


@given(records())
def test_json_and_back(record: MatchRecord) -> None:
    assert decode_record_json(record_json(encode_record(record)).encode()) == record


def test_json_has_the_protocols_names_and_what_is_default() -> None:
    written = json.loads(record_json(encode_record(make_record())))
    assert written["match_key"] == "match/1"
    assert written["league"] == ""
    assert written["infractions"] == []
    assert written["conduct"]["list_only"] is False
    assert written["asks"][0]["seat"] == 0
    assert "bot_cpu_us" not in written["asks"][0]


def test_json_shows_no_character_that_steers_a_terminal() -> None:
    record = replace(make_record(), referee_version="\u202e\x1b[31m")
    assert record_json(encode_record(record)).isascii()


@pytest.mark.parametrize(
    ("numbers", "enumeration", "prefix"),
    [
        (INFRACTION_NUMBER, Infraction, "INFRACTION_KIND_"),
        (CONSEQUENCE_NUMBER, Consequence, "CONSEQUENCE_"),
        (FAULT_NUMBER, Fault, "FAULT_"),
    ],
    ids=["infractions", "consequences", "faults"],
)
def test_every_number_of_the_protocol_has_its_member(
    numbers: dict[Any, int], enumeration: type[StrEnum], prefix: str
) -> None:
    files = (record_pb2.DESCRIPTOR, *record_pb2.DESCRIPTOR.dependencies)
    enums = [enum for file in files for enum in file.enum_types_by_name.values()]
    values = [value for enum in enums for value in enum.values if value.name.startswith(prefix)]
    assert set(numbers) == set(enumeration)
    assert {value.number for value in values} == {0, *numbers.values()}


def test_a_field_of_a_later_format_is_passed_over() -> None:
    record = make_record()
    assert decode_record(encode_record(record) + b"\xc2\x3e\x03new") == record
    written = json.loads(record_json(encode_record(record)))
    assert decode_record_json(json.dumps(written | {"new": 1}).encode()) == record


def test_an_answer_is_kept_up_to_80_cards_with_its_count() -> None:
    ask = replace(make_record().asks[0], answer=GivenAnswer.of((7,) * 1000))
    record = replace(make_record(), asks=(ask,))
    answer = decode_record(encode_record(record)).asks[0].answer
    assert answer == GivenAnswer((7,) * MOST_CARDS_KEPT, 1000)


def test_times_of_any_zone_are_the_same_moment() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert decode_record(encode_record(replace(make_record(), end_time=noon))).end_time == noon


def test_a_time_without_a_zone_is_an_error_of_ours() -> None:
    with pytest.raises(ValueError, match="time zone"):
        encode_record(replace(make_record(), end_time=datetime(2026, 1, 1)))  # noqa: DTZ001


Alter = Callable[[record_pb2.MatchRecord], object]

ALTERATIONS: dict[str, tuple[Alter, str]] = {
    "format": (lambda r: setattr(r, "format_version", 2), "format_version is 2"),
    "no time control": (lambda r: r.ClearField("time_control"), "time_control is missing"),
    "no conduct": (lambda r: r.ClearField("conduct"), "conduct is missing"),
    "no result": (lambda r: r.ClearField("result"), "result is missing"),
    "no start": (lambda r: r.ClearField("start_time"), "start_time is missing"),
    "no match key": (lambda r: r.ClearField("match_key"), "match_key is empty"),
    "no deal key": (lambda r: r.ClearField("deal_key"), "deal_key is empty"),
    "no transcript": (lambda r: r.ClearField("transcript"), "transcript is empty"),
    "no attempt": (lambda r: r.ClearField("attempt"), "attempt is 0"),
    "one seat": (lambda r: r.seats.pop(), "seats are 1, not 2 to 6"),
    "many seats": (lambda r: r.seats.extend([r.seats[0]] * 10**5), "seats are 100002"),
    "seats out of order": (lambda r: r.seats.reverse(), r"seats\[0\].seat is 1, not 0"),
    "no bot": (lambda r: r.seats[1].ClearField("bot"), r"seats\[1\].bot is empty"),
    "bundle": (
        lambda r: setattr(r.seats[1], "bundle_sha256", b"x"),
        r"seats\[1\].bundle_sha256 has 1 bytes, not 0 or 32",
    ),
    "commitment": (lambda r: r.ClearField("seed_commitment"), "seed_commitment has 0 bytes"),
    "digest": (lambda r: setattr(r, "play_digest", bytes(33)), "play_digest has 33 bytes"),
    "penalty kind": (
        lambda r: setattr(r.conduct.penalties[2], "kind", 99),
        r"conduct.penalties\[2\].kind is 99",
    ),
    "penalty twice": (
        lambda r: r.conduct.penalties.extend([r.conduct.penalties[0]]),
        r"conduct.penalties\[13\].kind is late, which has its penalty already",
    ),
    "no penalty": (
        lambda r: r.conduct.penalties.pop(4),
        "conduct.penalties has none for duplicate",
    ),
    "penalty's consequence": (
        lambda r: setattr(r.conduct.penalties[2], "consequence", 6),
        r"conduct.penalties\[2\].consequence is 6, which has no meaning here",
    ),
    "a consequence of other kinds": (
        lambda r: setattr(r.conduct.penalties[0], "consequence", 1),
        r"conduct.penalties\[0\].consequence is none, which does not follow late",
    ),
    "a bank alone": (
        lambda r: r.time_control.CopyFrom(play_pb2.TimeControl(bank_us=1)),
        "time_control has a bank without a move limit",
    ),
    "an increment alone": (
        lambda r: setattr(r.time_control, "increment_us", 1),
        "time_control has an increment without a bank",
    ),
    "ask's seat": (lambda r: setattr(r.asks[1], "seat", 2), r"asks\[1\].seat is 2, not 0 to 1"),
    "ask's game": (lambda r: setattr(r.asks[1], "game", 0), r"asks\[1\].game is 0"),
    "ask's turn": (lambda r: setattr(r.asks[1], "turn", 0), r"asks\[1\].turn is 0"),
    "ask's try": (lambda r: setattr(r.asks[1], "try", 0), r"asks\[1\].try is 0"),
    "ask's id": (lambda r: r.asks[1].ClearField("request_id"), r"asks\[1\].request_id is empty"),
    "too few cards": (
        lambda r: setattr(r.asks[1].answer, "count", 9),
        r"asks\[1\].answer.cards has \d+ of 9 cards, not 9",
    ),
    "too many cards": (
        lambda r: r.asks[1].answer.MergeFrom(
            record_pb2.GivenAnswer(cards=[1] * 81, count=len(r.asks[1].answer.cards) + 81)  # type: ignore[list-item]
        ),
        r"asks\[1\].answer.cards has 8\d of 8\d cards, not 80",
    ),
    "ruling without code": (
        lambda r: r.asks[1].ruling.SetInParent(),
        r"asks\[1\].ruling.code is empty",
    ),
    "kind": (
        lambda r: r.infractions[0].ClearField("kind"),
        r"infractions\[0\].kind is 0, which has no meaning here",
    ),
    "consequence": (
        lambda r: setattr(r.infractions[0], "consequence", -1),
        r"infractions\[0\].consequence is -1",
    ),
    "fault": (lambda r: setattr(r.infractions[0], "fault", 4), r"infractions\[0\].fault is 4"),
    "infraction's seat": (
        lambda r: setattr(r.infractions[0], "seat", 2**32 - 1),
        r"infractions\[0\].seat is 4294967295",
    ),
    "points": (lambda r: r.result.points.pop(), "result.points has 1 values, not 2"),
    "forfeits": (lambda r: r.result.forfeits.append(True), "result.forfeits has 3 values"),
    "place": (lambda r: r.result.places.__setitem__(1, 3), r"result.places\[1\] is 3, not 1 to 2"),
    "winner": (lambda r: r.result.winners.append(2), r"result.winners\[\d\] is 2, not 0 to 1"),
    "winner twice": (lambda r: r.result.winners.extend([0, 0]), "result.winners are not seats"),
    "year 10000": (lambda r: setattr(r.end_time, "seconds", 253402300800), "end_time is no time"),
    "nanoseconds": (lambda r: setattr(r.start_time, "nanos", -1), "start_time is no time"),
}


@pytest.mark.parametrize(("alter", "message"), ALTERATIONS.values(), ids=ALTERATIONS.keys())
def test_what_is_altered_is_refused_by_name(alter: Alter, message: str) -> None:
    original = make_record(infractions=[make_infraction(1)])
    altered = record_pb2.MatchRecord.FromString(encode_record(original))
    alter(altered)
    with pytest.raises(VerificationError, match=message):
        decode_record(altered.SerializeToString())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff",
        b'{"format_version": 1e99}',
        b'{"format_version": "x"}',
        b'{"match_key": "\\ud800"}',
        b'{"attempt": ' + b"9" * 5000 + b"}",
        b'{"x":' * 10**5,
        b"[" * 10**6,
        b'{"a": 1, "a": 1}',
        b'{"start_time": "yesterday"}',
    ],
    ids=lambda data: data[:20],
)
def test_json_that_is_none_is_refused_on_one_line(data: bytes) -> None:
    with pytest.raises(VerificationError) as refusal:
        decode_record_json(data)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 500


def test_json_of_empty_values_without_end_is_refused_unread() -> None:
    with pytest.raises(VerificationError, match="more than 4194304 values"):
        decode_record_json(b'{"asks": [' + b"{}," * (MOST_JSON_VALUES + 1) + b"{}]}")


def test_an_unknown_name_in_json_is_refused() -> None:
    written = json.loads(record_json(encode_record(make_record(infractions=[make_infraction(1)]))))
    written["infractions"][0]["kind"] = "INFRACTION_KIND_RUDE"
    with pytest.raises(VerificationError, match="kind"):
        decode_record_json(json.dumps(written).encode())


@given(st.binary(max_size=200))
def test_garbage_is_refused(data: bytes) -> None:
    for decode in (decode_record, decode_record_json, decode_envelope):
        with pytest.raises(VerificationError):
            decode(data)


@given(st.data())
def test_half_a_record_is_refused(data: st.DataObject) -> None:
    whole = encode_record(make_record())
    with pytest.raises(VerificationError):
        decode_record(whole[: data.draw(st.integers(0, len(whole) - 1))])


def test_too_much_is_refused() -> None:
    data = bytes(MOST_BYTES + 1)
    for decode in (decode_record, decode_record_json, decode_envelope):
        with pytest.raises(VerificationError, match="too much"):
            decode(data)


def test_what_would_be_too_much_to_read_is_not_written() -> None:
    """So that it voids a match, where it could neither count nor be checked."""
    with pytest.raises(VerificationError, match="too much"):
        encode_record(replace(make_record(), transcript="x" * MOST_BYTES))


def test_an_envelope_keeps_the_very_bytes() -> None:
    record = encode_record(make_record()) + b"\xc2\x3e\x03new"
    envelope = decode_envelope(encode_envelope(record, b"s" * 64, b"k" * 32))
    assert envelope.record == record
    assert (envelope.signature, envelope.public_key) == (b"s" * 64, b"k" * 32)


@given(st.data())
def test_an_envelope_with_any_bit_of_its_record_changed_is_refused(data: st.DataObject) -> None:
    record = encode_record(make_record())
    sealed = bytearray(encode_envelope(record))
    start = bytes(sealed).index(record)
    place = start + data.draw(st.integers(0, len(record) - 1))
    sealed[place] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(VerificationError, match="record_sha256"):
        decode_envelope(bytes(sealed))


@given(st.data())
def test_half_an_envelope_is_refused(data: st.DataObject) -> None:
    whole = encode_envelope(encode_record(make_record()))
    with pytest.raises(VerificationError):
        decode_envelope(whole[: data.draw(st.integers(0, len(whole) - 1))])


@pytest.mark.parametrize(
    ("signature", "key", "message"),
    [
        (b"s" * 64, b"", "go together"),
        (b"", b"k" * 32, "go together"),
        (b"s", b"k" * 32, "signature has 1 bytes"),
        (b"s" * 64, b"k", "public_key has 1 bytes"),
    ],
    ids=["no key", "no signature", "short signature", "short key"],
)
def test_half_a_signature_is_refused(signature: bytes, key: bytes, message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        decode_envelope(encode_envelope(encode_record(make_record()), signature, key))
