"""Protocol messages made wrong, at random: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

HUGE: Final = b"\xff" * 9 + b"\x01"
"""The largest varint there is."""
_DEEP: Final = 300
"""Deeper than protobuf reads."""

Mutation = Callable[[bytes, Random], bytes]


def mutated(message: bytes, random: Random) -> bytes:
    """One to three mutations of a message, one after the other."""
    for _ in range(random.randint(1, 3)):
        message = random.choice(MUTATIONS)(message, random)
    return message


def noise(_: bytes, random: Random) -> bytes:
    return random.randbytes(random.choice([0, 1, 2, 16, 256, 4096]))


def flipped(message: bytes, random: Random) -> bytes:
    """A few bits of it are others."""
    changed = bytearray(message)
    for _ in range(random.randint(1, 8)):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def truncated(message: bytes, random: Random) -> bytes:
    return message[: random.randint(0, len(message))]


def inserted(message: bytes, random: Random) -> bytes:
    """Noise, a huge number or a piece of itself somewhere in it."""
    start, end = sorted(random.randint(0, len(message)) for _ in range(2))
    new = random.choice([noise(message, random), HUGE, message[start:end]])
    at = random.randint(0, len(message))
    return message[:at] + new + message[at:]


def repeated(message: bytes, random: Random) -> bytes:
    """Many elements of every repeated field, at the top and below."""
    most = max(1, 200_000 // (len(message) + 1))
    return message * min(most, random.choice([2, 10, 65, 1000, 100_000]))


def nested(message: bytes, random: Random) -> bytes:
    """Within unknown fields, or a field of the message's own, within each other."""
    number = random.choice([1, 2, 10, 15, 2**28])
    for _ in range(random.choice([1, 2, _DEEP])):
        message = _field(number, 2, _varint(len(message)) + message)
    return message


def with_other_fields(message: bytes, random: Random) -> bytes:
    """Fields swap places, numbers, wire types or values, in every message within."""
    fields = _fields(message)
    if fields is None:
        return message
    random.shuffle(fields)
    return b"".join(_other_field(*field, random) for field in fields)


def _other_field(number: int, kind: int, value: bytes, random: Random) -> bytes:
    match random.randrange(8):
        case 0:
            return _field(random.choice([1, 2, 3, 5, 10, 2**29 - 1]), kind, value)
        case 1:
            return _field(number, random.randrange(8), value)
        case 2:
            return _field(number, kind, random.choice([HUGE, b"", b"\0", noise(b"", random)]))
        case 3 if kind == 2:
            inner = with_other_fields(_content(value), random)
            return _field(number, kind, _varint(len(inner)) + inner)
        case 4:
            return b""
    return _field(number, kind, value)


MUTATIONS: Final[tuple[Mutation, ...]] = (
    noise,
    flipped,
    truncated,
    inserted,
    repeated,
    nested,
    with_other_fields,
)


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _field(number: int, kind: int, value: bytes) -> bytes:
    return _varint(number << 3 | kind) + value


def _content(value: bytes) -> bytes:
    """Of a length-delimited value."""
    return value[_varint_end(value, 0) :]


def _varint_end(data: bytes, start: int) -> int:
    while start < len(data) and data[start] & 0x80:
        start += 1
    return start + 1


def _varint_at(data: bytes, start: int) -> int:
    end = _varint_end(data, start)
    return sum((byte & 0x7F) << 7 * place for place, byte in enumerate(data[start:end]))


def _fields(message: bytes) -> list[tuple[int, int, bytes]] | None:
    """Number, wire type and encoded value of each field; ``None``: it is no message."""
    fields = []
    start = 0
    while start < len(message):
        tag, at = _varint_at(message, start), _varint_end(message, start)
        match tag & 7:
            case 0:
                start = _varint_end(message, at)
            case 1:
                start = at + 8
            case 2:
                start = _varint_end(message, at) + _varint_at(message, at)
            case 5:
                start = at + 4
            case _:
                return None
        fields.append((tag >> 3, tag & 7, message[at:start]))
    return fields
