"""TOML files that people write: read with limits; all that is wrong is told at once.

Each complaint is a line of its own: file, key, value, what is wrong, and what is allowed,
which is the description of the model's field, if its validator does not say (``complaint``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.files.reading import read_file, shown

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic_core import ErrorDetails

MOST_MIB: Final = 1
_MOST_PARTS: Final = 16
_MOST_SHOWN: Final = 60
_MOST_COMPLAINTS: Final = 50

_REASONS: Final[Mapping[str, str]] = {
    "bool_type": "not true or false",
    "dict_type": "not a table",
    "enum": "not one of these",
    "int_type": "not a whole number",
    "list_type": "not a list",
    "literal_error": "not one of these",
    "model_type": "not a table",
    "string_pattern_mismatch": "not of the allowed form",
    "string_too_long": "too long",
    "string_too_short": "empty",
    "string_type": "not a text",
    "too_long": "too many",
    "too_short": "too few",
    "tuple_type": "not a list",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
}
"""pydantic's kinds of error in the words of a TOML file; the others keep their message."""

_PART: Final = (
    r"(?:(?<![\w-])[\w-]++"
    r'|(?<!\\)"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+')[ \t]*+"
)
_LONG_KEY: Final = re.compile(rf"(?:{_PART}\.[ \t]*+){{{_MOST_PARTS}}}")
"""A dotted key of too many parts: the parser's time grows with their square."""

Model = TypeVar("Model", bound=BaseModel)


def load_toml(path: Path, model: type[Model]) -> Model:
    """Read the TOML file at ``path`` as a ``model``.

    Raises ``InputError`` with everything that is wrong, one line each.
    """
    values = _read(path)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        complaints = [_complaint(details, model) for details in error.errors(include_url=False)]
    more = len(complaints) - _MOST_COMPLAINTS
    del complaints[_MOST_COMPLAINTS:]
    if more > 0:
        complaints.append(f"and {more} more")
    raise InputError("\n".join(f"{shown(path)}: {complaint}" for complaint in complaints))


def complaint(key: tuple[str, ...], value: object, reason: str, allowed: str) -> ValidationError:
    """For a model's validator to raise: about one of its keys, with what is allowed just there."""
    kind = PydanticCustomError("complaint", "{reason}", {"reason": reason, "allowed": allowed})
    return ValidationError.from_exception_data(
        "complaint", [InitErrorDetails(type=kind, loc=key, input=value)]
    )


def shown_value(value: object) -> str:
    """A value of the user's, safe and short enough for an error's line."""
    match value:
        case bool():
            return str(value).lower()
        case int() if value.bit_length() > 64:
            return "a number of more than 64 bits"
        case str():
            return _cut(sanitise(value), _MOST_SHOWN)
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = read_file(path, MOST_MIB).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown(path)}: not UTF-8 at byte {error.start}") from None
    if _LONG_KEY.search(text):
        raise InputError(f"{shown(path)}: a key has more than {_MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{shown(path)}: nested too deeply") from None
    except ValueError as error:
        raise InputError(
            f"{shown(path)}: not valid TOML: {_cut(sanitise(str(error)), 200)}"
        ) from None


def _complaint(details: ErrorDetails, model: type[BaseModel]) -> str:
    key = _key(details["loc"])
    allowed = details.get("ctx", {}).get("allowed") or _allowed(details["loc"], model)
    match details["type"]:
        case "missing":
            text = f"{key} is missing"
        case "extra_forbidden":
            text = f"{key} is not a known key"
        case kind:
            reason = _REASONS.get(kind) or details["msg"].removeprefix("Value error, ")
            value = details["input"]
            told = f"{value!r:.{_MOST_SHOWN}}" if isinstance(value, str) else shown_value(value)
            text = f"{key} = {sanitise(told)}: {reason}"
    return f"{text}; allowed: {allowed}"


def _key(loc: tuple[int | str, ...]) -> str:
    key = ""
    for part in loc:
        if part != "[key]":
            key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else part
    return shown_value(key)


def _allowed(loc: tuple[int | str, ...], model: type[BaseModel]) -> str:
    """What may stand at a place: the description of the nearest field, or a table's keys."""
    level: type[BaseModel] | None = model
    allowed = ""
    for part in loc:
        if isinstance(part, int):
            continue
        if level is None:
            break
        if part not in level.model_fields:
            return ", ".join(level.model_fields)
        field = level.model_fields[part]
        allowed = field.description or ""
        level = _table_in(field.annotation)
    return allowed


def _table_in(annotation: object) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "..."
