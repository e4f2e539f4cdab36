"""The envelope in which a record's bytes travel."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from elfer.v1 import record_pb2
from referee.core.errors import VerificationError
from referee.rpc.codec.checks import DIGEST_BYTES, check_length, parse

SIGNATURE_BYTES: Final = 64
PUBLIC_KEY_BYTES: Final = 32


class Envelope(NamedTuple):
    """A record's bytes as they are kept, and who vouches for them."""

    record: bytes
    sha256: bytes
    signature: bytes = b""
    """Ed25519 over ``sha256``; empty when unsigned. Nothing here checks it."""
    public_key: bytes = b""


def encode_envelope(record: bytes, signature: bytes = b"", public_key: bytes = b"") -> bytes:
    """Put a record's bytes, as they are, into an envelope."""
    return record_pb2.MatchEnvelope(
        record=record,
        record_sha256=hashlib.sha256(record).digest(),
        signature=signature,
        public_key=public_key,
    ).SerializeToString(deterministic=True)


def decode_envelope(data: bytes) -> Envelope:
    """What an envelope holds. Raises ``VerificationError`` unless its SHA-256 is the record's."""
    message = parse(record_pb2.MatchEnvelope, data, "envelope of a record")
    if not message.record:
        raise VerificationError("the envelope holds no record")
    check_length("record_sha256", message.record_sha256, (DIGEST_BYTES,))
    if hashlib.sha256(message.record).digest() != message.record_sha256:
        raise VerificationError("record_sha256 is not the record's: the record was altered")
    if bool(message.signature) != bool(message.public_key):
        raise VerificationError("signature and public_key go together; one is missing")
    check_length("signature", message.signature, (0, SIGNATURE_BYTES))
    check_length("public_key", message.public_key, (0, PUBLIC_KEY_BYTES))
    return Envelope(message.record, message.record_sha256, message.signature, message.public_key)
