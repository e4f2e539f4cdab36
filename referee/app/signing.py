"""The operator's key: who vouches for the records and archives that leave the referee.

The private key is a file of the operator's own, in PEM, as other tools write it too. Nothing
here shows it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.core.errors import InputError, RefereeError
from referee.core.text import sanitise
from referee.files.reading import read_file, refusing, shown
from referee.files.writing import OWNER_ONLY, make_folder, new_file, refuse_taken

if TYPE_CHECKING:
    from referee.app.ed25519 import SigningKey

SIGNATURE_BYTES: Final = 64

_PUBLIC: Final = re.compile(r"ed25519:([0-9a-f]{64})")
_MOST_MIB: Final = 1


def key_file() -> Path:
    """Where the operator's key belongs, be it there or not."""
    configured = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    try:
        folder = configured if configured.is_absolute() else Path.home() / ".config"
    except RuntimeError:
        raise InputError("this user has no home folder to keep a key in") from None
    return folder / "elfer-referee" / "signing-key.pem"


def new_key() -> SigningKey:
    """Make the operator's key. Raises InputError where there is one."""
    with _with_library():
        from referee.app.ed25519 import SigningKey
    key = SigningKey.generate()
    file = key_file()
    make_folder(file.parent)
    refuse_taken(file)
    with new_file(file, mode=OWNER_ONLY) as draft:
        draft.write(key.to_pem())
    return key


def load_key() -> SigningKey | None:
    """The operator's key, where there is one.

    Raises InputError where the file holds none, or others may use it.
    """
    file = key_file()
    with refusing(file, "read"):
        if not file.exists():
            return None
        mode = file.stat().st_mode
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(f"{shown(file)}: others than you may use it; chmod 600 makes it yours")
    with _with_library():
        from referee.app.ed25519 import SigningKey
    try:
        return SigningKey.from_pem(read_file(file, _MOST_MIB))
    except ValueError:
        raise InputError(
            f"{shown(file)}: holds no private Ed25519 key in PEM without a password"
        ) from None


def signed_by(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature over the message is that of the key with these public bytes."""
    with _with_library():
        from referee.app.ed25519 import signed_by as is_signed_by
    return is_signed_by(public, signature, message)


def shown_key(public: bytes) -> str:
    """A public key as text."""
    return f"ed25519:{public.hex()}"


def parse_key(text: str) -> bytes:
    """The inverse of ``shown_key``. Raises ``ValueError``."""
    match = _PUBLIC.fullmatch(text)
    if match is None:
        raise ValueError("no public key: ed25519: and 64 hex digits")
    return bytes.fromhex(match[1])


def read_key(text: str) -> bytes:
    """What ``--key`` names. Raises InputError."""
    try:
        return parse_key(text)
    except ValueError as error:
        raise InputError(
            f"--key {sanitise(text)[:100]!r}: {error}, as referee key show prints them"
        ) from None


@contextmanager
def _with_library() -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise RefereeError(
            "signatures need the package cryptography; run: pip install 'elfer-referee[signing]'"
        ) from None
