"""The kinds of value that more than one file has."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BeforeValidator, PlainSerializer, StringConstraints, WithJsonSchema

from referee.core.duration import format_duration, parse_duration

SLUG_TEXT: Final = "1 to 64 of a-z, 0-9, dot, underscore and hyphen, a letter or digit first"
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
"""A name that is safe in keys, in file names and on a terminal."""

OFF: Final = "off"


def _limit(value: object) -> int | None:
    return None if value == OFF else parse_duration(value)


def _limit_text(microseconds: int | None) -> str:
    return OFF if microseconds is None else format_duration(microseconds)


Duration = Annotated[
    int,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration),
    WithJsonSchema({"type": "string", "examples": ["2s", "250ms"]}),
]
"""Microseconds in the model, ``"10s"`` in the file."""

DurationOrOff = Annotated[
    int | None,
    BeforeValidator(_limit),
    PlainSerializer(_limit_text),
    WithJsonSchema({"type": "string", "examples": ["2s", "250ms", OFF]}),
]
"""A ``Duration``, or ``"off"``: ``None``."""
