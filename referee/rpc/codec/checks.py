"""Checks on what was read, each naming the field that fails."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sized
from typing import Final, TypeVar

from google.protobuf.message import DecodeError, Message

from referee.core.errors import VerificationError

MOST_BYTES: Final = 64 * 2**20
"""The largest record, envelope or JSON text that is read."""
DIGEST_BYTES: Final = 32

OwnT = TypeVar("OwnT")
MessageT = TypeVar("MessageT", bound=Message)


def parse(kind: type[MessageT], data: bytes, what: str) -> MessageT:
    """A message of some bytes. Raises ``VerificationError`` on bytes that are none."""
    check_size(data)
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise VerificationError(f"this is no {what}, or not all of it") from error


def check_size(data: Sized) -> None:
    """Raises ``VerificationError`` on more than is read."""
    if len(data) > MOST_BYTES:
        raise VerificationError(
            f"{len(data)} bytes are too much; a record has at most {MOST_BYTES}"
        )


def check_length(field: str, data: bytes, allowed: Collection[int] = (DIGEST_BYTES,)) -> bytes:
    """Raises ``VerificationError`` unless ``data`` has one of the lengths ``allowed``."""
    if len(data) not in allowed:
        lengths = " or ".join(map(str, allowed))
        raise VerificationError(f"{field} has {len(data)} bytes, not {lengths}")
    return data


def check_member(field: str, number: int, members: Mapping[int, OwnT]) -> OwnT:
    try:
        return members[number]
    except KeyError:
        raise VerificationError(f"{field} is {number}, which has no meaning here") from None


def check_seat(field: str, seat: int, seats: int) -> int:
    if seat >= seats:
        raise VerificationError(f"{field} is {seat}, not 0 to {seats - 1}")
    return seat


def check_least(field: str, value: int, least: int) -> None:
    if value < least:
        raise VerificationError(f"{field} is {value}, not {least} or more")
