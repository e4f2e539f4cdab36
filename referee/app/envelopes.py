"""Records in their envelopes: signed on the way out, checked on the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.app.signing import shown_key, signed_by
from referee.match.recorded import Difference
from referee.rpc.codec import Envelope, encode_envelope
from referee.store.entries import StoredRecord

if TYPE_CHECKING:
    from referee.app.ed25519 import SigningKey


def envelope_of(stored: StoredRecord) -> Envelope:
    """A record of the database in its envelope."""
    return Envelope(stored.record, stored.sha256, stored.signature or b"", stored.public_key or b"")


def encoded(envelope: Envelope, key: SigningKey | None) -> bytes:
    """The bytes of an envelope, signed with ``key`` where nobody has signed it yet."""
    record, sha256, signature, public_key = envelope
    if key is not None and not signature:
        signature, public_key = key.sign(sha256), key.public
    return encode_envelope(record, signature, public_key)


def stored_record(envelope: Envelope) -> StoredRecord:
    """An envelope as the database keeps it."""
    record, sha256, signature, public_key = envelope
    return StoredRecord(record, sha256, signature or None, public_key or None)


def check_signature(envelope: Envelope | None, key: bytes | None = None) -> Difference | None:
    """What is wrong with a record's signature.

    That there is none is wrong where ``key`` is given, the public key that has to have signed
    it. Raises RefereeError where nothing is installed to check one.
    """
    if envelope is None or not envelope.signature:
        return None if key is None else Difference("signature", f"one by {shown_key(key)}", "none")
    by = f"one by {shown_key(envelope.public_key)}"
    if key not in {None, envelope.public_key}:
        return Difference("signature", f"one by {shown_key(key)}", by)
    if not signed_by(envelope.public_key, envelope.signature, envelope.sha256):
        return Difference("signature", by, "another")
    return None
