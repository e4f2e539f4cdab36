"""Where the output of bots is kept, and how it is found again: ``<logs>/<bot>/<sitting>.log``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.core.errors import InputError, NotFoundError
from referee.core.text import sanitise

_SUFFIX: Final = ".log"


def log_path(logs: Path, bot: str, sitting: str) -> Path:
    """The file of one bot and sitting. A ``sitting`` is any text that no other shares.

    The name comes from a digest: tables of many bots make texts that no file system takes.
    """
    name = hashlib.sha256(sitting.encode()).hexdigest()[:24]
    return logs / bot / f"{name}{_SUFFIX}"


def bot_log(logs: Path, bot: str, match_key: str | None = None) -> Iterator[str]:
    """A bot's lines, oldest sitting first; those of one match where it is given.

    Raises NotFoundError when there are no logs of this bot, InputError when one cannot be read.
    """
    files = sorted((logs / bot).glob(f"*{_SUFFIX}"), key=_age) if _is_name(bot) else []
    if not files:
        raise NotFoundError(f"{sanitise(str(logs))}: no log of a bot {sanitise(bot)!r} is there")
    return (line for file in files for line in _lines(file, match_key))


def _is_name(bot: str) -> bool:
    """Whether it is a folder's plain name, that leads nowhere else."""
    return bool(bot) and Path(bot).name == bot


def _age(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _lines(file: Path, match_key: str | None) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8", errors="backslashreplace", newline="\n") as lines:
            for line in lines:
                if match_key is None or line.startswith(f"{match_key} "):
                    yield line.rstrip("\n")
    except OSError as error:
        raise InputError(f"{sanitise(str(file))}: cannot be read: {error.strerror}") from error
