"""TOML files that people write: read with limits, and every error names file, key and value."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Final, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, PlainSerializer, ValidationError, WithJsonSchema

from referee.core.duration import format_duration, parse_duration
from referee.core.errors import InputError
from referee.core.text import sanitise

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

Duration = Annotated[
    int,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration),
    WithJsonSchema({"type": "string", "examples": ["10s", "500ms"]}),
]
"""Microseconds in the model, ``"10s"`` in the file."""

FILE_LIMIT: Final = 64 * 1024
_SHOWN_VALUE: Final = 80

_REASONS: Final = {
    "bool_type": "not true or false",
    "dict_type": "not a table",
    "int_type": "not a whole number",
    "list_type": "not a list",
    "model_type": "not a table",
    "string_pattern_mismatch": "not of the allowed form",
    "string_type": "not a text",
    "tuple_type": "not a list",
}
"""pydantic's kinds of error in the words of a TOML file; the others keep their message."""

Model = TypeVar("Model", bound=BaseModel)


def load_toml(path: Path, model: type[Model], *, limit: int = FILE_LIMIT) -> Model:
    """Read the TOML file at ``path`` as a ``model``.

    Raises InputError, one line that names the file and what is wrong with it; for a wrong
    value also its key, and what is allowed (the field's description where it has one).
    """
    try:
        return model.model_validate(tomllib.loads(_read_text(path, limit)))
    except ValidationError as error:
        raise InputError(f"{_shown(path)}: {_describe(error, model)}") from error
    except RecursionError:
        raise InputError(f"{_shown(path)}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{_shown(path)}: not valid TOML: {sanitise(str(error))}") from error


def _read_text(path: Path, limit: int) -> str:
    try:
        if not path.exists():
            raise InputError(f"{_shown(path)}: there is no such file")
        if not path.is_file():
            raise InputError(f"{_shown(path)}: not a regular file")
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"{_shown(path)}: cannot be read: {error.strerror}") from error
    if len(content) > limit:
        raise InputError(f"{_shown(path)}: larger than {limit} bytes, which is the most allowed")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{_shown(path)}: not UTF-8 at byte {error.start}") from error


def _describe(error: ValidationError, model: type[BaseModel]) -> str:
    first, *others = error.errors(include_url=False)
    key = _key(first)
    if first["type"] == "missing":
        text = f"{key} is missing"
    elif first["type"] == "extra_forbidden":
        text = f"{key} is not a known key"
    else:
        reason = _REASONS.get(first["type"]) or first["msg"].removeprefix("Value error, ")
        text = f"{key} = {_value(first['input'])}: {reason}"
    allowed = _allowed(first, model)
    if allowed and "allowed:" not in text:
        text += f"; allowed: {allowed}"
    return text + (f" (and {len(others)} more)" if others else "")


def _key(details: ErrorDetails) -> str:
    key = ""
    for part in details["loc"]:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else part
    return sanitise(key[:_SHOWN_VALUE])


def _value(value: object) -> str:
    shown = sanitise(repr(value))
    return shown if len(shown) <= _SHOWN_VALUE else shown[:_SHOWN_VALUE] + "..."


def _allowed(details: ErrorDetails, model: type[BaseModel]) -> str | None:
    allowed = None
    for part in details["loc"]:
        if isinstance(part, int):
            continue
        field = model.model_fields.get(part)
        if field is None:
            return ", ".join(model.model_fields)
        allowed = field.description or allowed
        model = _nested_model(field.annotation) or model
    return allowed


def _nested_model(annotation: object) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _shown(path: Path) -> str:
    return sanitise(str(path))
