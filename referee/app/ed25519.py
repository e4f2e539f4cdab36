"""Ed25519 by the package cryptography, which is an extra: ``referee.app.signing`` asks for it."""

from __future__ import annotations

from typing import Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)


class SigningKey:
    """A private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key: Final = key
        self.public: Final[bytes] = key.public_key().public_bytes_raw()
        """The 32 bytes that others check with."""

    @classmethod
    def generate(cls) -> Self:
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, content: bytes) -> Self:
        """Raises ``ValueError`` on anything but a private Ed25519 key without a password."""
        try:
            key = load_pem_private_key(content, password=None)
        except (TypeError, UnsupportedAlgorithm) as error:
            raise ValueError("no such key") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("a key of another kind")  # noqa: TRY004 - of the content
        return cls(key)

    def to_pem(self) -> bytes:
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, message: bytes) -> bytes:
        """64 bytes, the same whenever the message is the same."""
        return self._key.sign(message)


def signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature over the message is that of the key with these public bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (ValueError, InvalidSignature):
        return False
    return True
