"""What a bot prints, kept in one file for each bot and sitting.

A line of the file is where the match stood when the line began to arrive, a mark, the text::

    - # process 4711 started                          before any match; a note of the referee
    demo/a+b/1/0 game 2 turn 14 | thinking...         the bot
    demo/a+b/1/0 game 2 turn 15 | xxxx [+1000 bytes]  the bot; the line was longer than LINE_LIMIT
    demo/a+b/1/0 game 2 turn 15 # exited with status 1

Games and turns count from 1; 0 is before the first. The file is UTF-8 and safe to print:
bytes that are not UTF-8 and characters that could steer a terminal stand as escapes
(``\\xff``, ``\\x1b``). A line end is a line feed, with or without a carriage return before it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from referee.core.text import sanitise

if TYPE_CHECKING:
    from pathlib import Path

LOG_CAP: Final = 1024 * 1024
"""Bytes of file that a bot's lines may fill, and once more the referee's notes."""

LINE_LIMIT: Final = 4096
"""Bytes of one line that are kept."""

OUTPUT_CUT: Final = "output cut here"
NOTES_CUT: Final = "no more notes from here on"

_OPEN_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class BotLog:
    """The log file of one bot in one sitting; it never fails, whatever the bot or disk does.

    An older file of that name is replaced. ``dropped`` counts the bytes that were left out;
    ``lost`` is why the file takes no more (a full disk), or None.
    """

    def __init__(self, path: Path, cap: int = LOG_CAP) -> None:
        self.path = path
        self.dropped = 0
        self.lost: str | None = None
        self._room = self._note_room = cap
        self._cut = False
        self._place = self._line_place = "-"
        self._line = bytearray()
        self._line_rest = 0
        self._file: int | None = None
        try:
            self._file = os.open(path, _OPEN_FLAGS, 0o600)
        except OSError as error:
            self.lost = error.strerror

    def mark(self, match_key: str | None, game: int = 0, turn: int = 0) -> None:
        """Say where the match stands from now on; None between matches."""
        self._place = "-" if match_key is None else f"{match_key} game {game} turn {turn}"

    def feed(self, data: bytes) -> None:
        """Take a chunk of the bot's output, as it was read."""
        if self._file is None or self._cut:
            self.dropped += len(data)
            return
        content = bytearray()
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            self._extend_line(data[start:end])
            self._end_line(content, line_feed=1)
            start = end + 1
        self._extend_line(data[start:])
        self._write(content)

    def note(self, text: str) -> None:
        """Add a line of the referee's own, behind what the bot has printed so far."""
        content = bytearray()
        if self._line:
            self._end_line(content)
        note = self._note(text)
        if len(note) <= self._note_room:
            self._note_room -= len(note)
            content += note
        elif self._note_room:
            self._note_room = 0
            content += self._note(NOTES_CUT)
        self._write(content)

    def close(self) -> None:
        """End the file; what comes later is dropped."""
        content = bytearray()
        if self._line:
            self._end_line(content)
        if self.dropped:
            content += self._note(f"{self.dropped} bytes of output dropped")
        self._write(content)
        self._close_file()

    def _extend_line(self, part: bytes) -> None:
        if part and not self._line:
            self._line_place = self._place
        kept = part[: LINE_LIMIT - len(self._line)]
        self._line += kept
        self._line_rest += len(part) - len(kept)

    def _end_line(self, content: bytearray, line_feed: int = 0) -> None:
        """Move the current line to ``content``, or drop it where the file is full."""
        place = self._line_place if self._line else self._place
        text = self._line.removesuffix(b"\r").decode("utf-8", "backslashreplace")
        rest = f" [+{self._line_rest} bytes]" if self._line_rest else ""
        line = f"{place} | {sanitise(text, keep_tabs=True)}{rest}\n".encode()
        if not self._cut and len(line) <= self._room:
            self._room -= len(line)
            self.dropped += self._line_rest
            content += line
        else:
            if not self._cut:
                self._cut = True
                content += self._note(OUTPUT_CUT)
            self.dropped += len(self._line) + self._line_rest + line_feed
        self._line.clear()
        self._line_rest = 0

    def _note(self, text: str) -> bytes:
        return f"{self._place} # {sanitise(text)}\n".encode()

    def _write(self, content: bytearray) -> None:
        try:
            while content and self._file is not None:
                del content[: os.write(self._file, content)]
        except OSError as error:
            self.lost = error.strerror
            self.dropped += len(content)
            self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
