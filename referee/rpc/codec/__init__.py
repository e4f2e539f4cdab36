"""Messages and records, to bytes and back."""

from __future__ import annotations

from referee.rpc.codec.envelope import Envelope, decode_envelope, encode_envelope
from referee.rpc.codec.record_reader import decode_record, decode_record_json, record_json
from referee.rpc.codec.records import encode_record

__all__ = [
    "Envelope",
    "decode_envelope",
    "decode_record",
    "decode_record_json",
    "encode_envelope",
    "encode_record",
    "record_json",
]
