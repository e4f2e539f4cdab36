"""What commands print: tables for people, JSON and CSV for programs, errors for both.

Everything may hold text that bots and their authors wrote. Tables show it sanitised and never
as markup; JSON escapes whatever is not ASCII.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from fractions import Fraction
from typing import Any, Final, Generic, NamedTuple, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from referee.core.text import sanitise

RowT = TypeVar("RowT")

_UNBOUNDED: Final = 10_000
"""Columns of an output that is no terminal: nothing is cut or folded for a program's sake."""


_GAP: Final = 2
_LEAST_TEXT: Final = 8
"""What a narrow terminal leaves of a column of text, before lines run on beyond its edge."""


class Column(NamedTuple, Generic[RowT]):
    """One column of a table: what stands above it, and a row's text in it."""

    title: str
    cell: Callable[[RowT], str]
    number: bool = False


def terminal(*, errors: bool = False) -> Console:
    """The output as people see it: colours on a terminal only, and none under ``NO_COLOR``."""
    console = Console(stderr=errors, markup=False, highlight=False, emoji=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console


def safe(text: str, style: str = "") -> Text:
    """Any text, as one that neither steers the terminal nor is read as markup."""
    return Text(sanitise(text), style=style)


def say(text: str) -> None:
    """Print a line for people to standard output."""
    print(sanitise(text))


def remark(text: str) -> None:
    """Print a line about the run itself to standard error, away from what it reports."""
    terminal(errors=True).print(safe(text, "dim"), soft_wrap=True)


def warn(text: str) -> None:
    _to_errors("warning: ", "yellow", text)


def complain(text: str, cause: BaseException | None = None) -> None:
    """Print an error to standard error, a line each, after the traceback of its ``cause``."""
    if cause is not None:
        for line in "".join(traceback.format_exception(cause)).splitlines():
            print(sanitise(line), file=sys.stderr)
    for line in text.splitlines():
        _to_errors("error: ", "bold red", line)


def _to_errors(word: str, style: str, text: str) -> None:
    terminal(errors=True).print(safe(word, style) + safe(text), soft_wrap=True)


def print_table(columns: Sequence[Column[RowT]], rows: Iterable[RowT], *, empty: str) -> None:
    """Print rows for people; ``empty`` is the line that stands where there is none."""
    console = terminal()
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            Text(column.title),
            justify="right" if column.number else "left",
            overflow="fold",
            no_wrap=column.number,
        )
    least = [len(column.title) for column in columns]
    for row in rows:
        cells = [safe(column.cell(row)) for column in columns]
        least = list(map(max, least, (cell.cell_len for cell in cells)))
        table.add_row(*cells)
    kept = (
        width if column.number else min(width, _LEAST_TEXT)
        for column, width in zip(columns, least, strict=True)
    )
    console.width = max(console.width, sum(kept) + _GAP * (len(columns) - 1))
    if not table.row_count:
        say(empty)
    elif console.is_terminal:
        console.print(table)
    else:
        with console.capture() as capture:
            console.print(table)
        for line in capture.get().splitlines():
            print(line.rstrip())


def print_json(data: object) -> None:
    """Print data as JSON: dataclasses by their field names, bytes in hex, times in ISO 8601."""
    print(json.dumps(plain(data), indent=2, allow_nan=False))


def print_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n", extrasaction="raise")
    writer.writeheader()
    writer.writerows(rows)


def plain(data: Any) -> Any:
    """Give data as what JSON knows.

    Raises TypeError for a type that it has no meaning for.
    """
    if isinstance(data, Enum):
        return data.value
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, Fraction):
        return float(data)
    if isinstance(data, bytes):
        return data.hex()
    if isinstance(data, datetime):
        return data.isoformat()
    if dataclasses.is_dataclass(data):
        return {
            field.name.rstrip("_"): plain(getattr(data, field.name))
            for field in dataclasses.fields(data)
        }
    if isinstance(data, Mapping):
        return {str(plain(key)): plain(value) for key, value in data.items()}
    if hasattr(data, "_asdict"):
        return {key: plain(value) for key, value in data._asdict().items()}
    if isinstance(data, Iterable):
        return [plain(value) for value in data]
    raise TypeError(f"{type(data).__name__} has no JSON form")
