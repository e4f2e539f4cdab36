"""Where the output of bots is kept, and how it is found again: ``<logs>/<bot>/<sitting>.log``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.core.errors import InputError, NotFoundError
from referee.core.text import sanitise

_SUFFIX: Final = ".log"
_LINE: Final = re.compile(r"(?:-|(\S{1,1000}) game ([0-9]{1,9}) turn ([0-9]{1,9})) ([|#]) ")


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log, as ``referee.bots.output`` writes them."""

    text: str
    """The whole line."""
    match_key: str | None
    """``None`` between matches."""
    place: tuple[int, int]
    """Game and turn; 0 before the first."""
    note: bool
    """The referee's, not what the bot printed."""
    sitting: str
    """Which one: the file's name without its ending."""
    secret: bool
    """Nobody may look at it yet."""

    @property
    def in_match(self) -> str:
        """The line without the key of its match."""
        return self.text if self.match_key is None else self.text.partition(" ")[2]


class ShownLines:
    """Of lines of a log those that may be looked at, of one match where it is given."""

    def __init__(self, lines: Iterable[LogLine], match_key: str | None) -> None:
        self._lines: Final = lines
        self._match_key: Final = match_key
        self.secret = 0
        """How many were left out so far."""

    def __iter__(self) -> Iterator[LogLine]:
        for line in self._lines:
            if self._match_key not in (None, line.match_key):
                continue
            if line.secret:
                self.secret += 1
            else:
                yield line


def log_path(logs: Path, bot: str, sitting: str) -> Path:
    """The file of one bot and sitting. A ``sitting`` is any text that no other shares.

    The name comes from a digest: tables of many bots make texts that no file system takes.
    """
    name = hashlib.sha256(sitting.encode()).hexdigest()[:24]
    return logs / bot / f"{name}{_SUFFIX}"


def bot_log(logs: Path, bot: str, is_secret: Callable[[str], bool]) -> Iterator[LogLine]:
    """A bot's lines, oldest sitting first.

    Raises NotFoundError when there are no logs of this bot, InputError when one cannot be read.
    """
    files = sorted((logs / bot).glob(f"*{_SUFFIX}"), key=_age) if _is_name(bot) else []
    if not files:
        raise NotFoundError(f"{sanitise(str(logs))}: no log of a bot {sanitise(bot)!r} is there")
    return (line for file in files for line in read_log(file, is_secret))


def read_log(file: Path, is_secret: Callable[[str], bool] = lambda _: False) -> Iterator[LogLine]:
    """The lines of one sitting.

    A bot may remember: from the first line of a secret match on all of them are secret.
    Raises InputError when the file cannot be read.
    """
    secret = False
    try:
        with file.open(encoding="utf-8", errors="backslashreplace", newline="\n") as lines:
            for text in lines:
                found = _LINE.match(text)
                match_key = found[1] if found else None
                place = (int(found[2]), int(found[3])) if found and match_key else (0, 0)
                secret = secret or (match_key is not None and is_secret(match_key))
                note = found is not None and found[4] == "#"
                yield LogLine(text.rstrip("\n"), match_key, place, note, file.stem, secret)
    except OSError as error:
        raise InputError(f"{sanitise(str(file))}: cannot be read: {error.strerror}") from error


def _is_name(bot: str) -> bool:
    """Whether it is a folder's plain name, that leads nowhere else."""
    return bool(bot) and Path(bot).name == bot


def _age(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
