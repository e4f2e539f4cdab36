"""The program of a bot that is written in Python with the SDK: read, never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from referee.bots.manifest import MANIFEST_NAME, Manifest
from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.files.reading import read_file, shown

MOST_MIB: Final = 8

_SDK: Final = "elfer"


class BotClass(NamedTuple):
    """Where a program's bot is found: what it gives to the SDK's ``run``."""

    folder: Path
    """The one that Python imports the program from."""
    module: str
    name: str


def bot_class(manifest: Manifest, folder: Path) -> BotClass:
    """Find the bot of a program that a test can import it from.

    Raises InputError, saying why, where there is none.
    """
    file = _script(manifest, folder)
    try:
        with warnings.catch_warnings(action="ignore"):  # the program's are not ours
            tree = ast.parse(read_file(file, MOST_MIB))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{shown(file)}: no Python program: {sanitise(str(error))}") from error
    calls = list(_calls_of_run(tree))
    if not calls:
        raise InputError(f"{shown(file)}: does not call run of the SDK")
    given = calls[0].args[0] if calls[0].args else None
    if not isinstance(given, ast.Name):
        raise InputError(f"{shown(file)}: run is not given the bot's class by its name")
    if any(isinstance(line, ast.Expr) and line.value in calls for line in tree.body):
        raise InputError(
            f"{shown(file)}: importing it runs the bot; put the call of run below "
            'if __name__ == "__main__":'
        )
    if not file.stem.isidentifier():
        raise InputError(f"{shown(file)}: this name cannot be imported")
    return BotClass(file.parent, file.stem, given.id)


def _script(manifest: Manifest, folder: Path) -> Path:
    for argument in manifest.command[1:]:
        if argument.endswith(".py"):
            return folder / argument
    raise InputError(f"{shown(folder / MANIFEST_NAME)}: the command names no Python file")


def _calls_of_run(tree: ast.Module) -> Iterator[ast.Call]:
    names: set[str] = set()
    modules: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module) if module in (_SDK, f"{_SDK}.runner"):
                names |= {name.asname or name.name for name in node.names if name.name == "run"}
            case ast.Import():
                modules |= {name.asname or _SDK for name in node.names if name.name == _SDK}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in names:
                yield node
            case ast.Call(func=ast.Attribute(attr="run", value=ast.Name(id=name))) if (
                name in modules
            ):
                yield node
