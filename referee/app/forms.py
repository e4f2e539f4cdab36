"""The forms that a match has outside the database."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Final

_FILE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._+@~-]{0,88}")


class Form(StrEnum):
    """What a match is written out as."""

    JSON = "json"
    """The record as protobuf JSON."""
    TRANSCRIPT = "transcript"
    """The transcript alone."""
    PB = "pb"
    """The envelope: the record's very bytes and their digest."""


_SUFFIX: Final = {Form.JSON: "json", Form.TRANSCRIPT: "txt", Form.PB: "pb"}


def file_name(match_key: str, form: Form) -> str:
    """The name of an exported file: from the key where it is short and plain, else its digest."""
    name = match_key.replace("/", "~")
    if not _FILE_NAME.fullmatch(name):
        name = hashlib.sha256(match_key.encode()).hexdigest()[:32]
    return f"{name}.{_SUFFIX[form]}"
