"""A match in a terminal, step by step: what keys do, and what the screen shows.

It reads no keys and prints nothing itself, so it can be tested without a terminal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from rich.console import Console
from rich.text import Text

from referee.app.story import Story
from referee.cli.keys import Key
from referee.cli.output import safe
from referee.cli.page import coloured
from referee.cli.play_by_play import CUT_SHORT, Teller
from referee.cli.scenes import Scene, scenes
from referee.cli.stepper import Stepper
from referee.core.text import sanitise
from referee.match.record import MatchRecord

HELP: Final = (
    ("n, right, space, enter", "next"),
    ("b, left", "back"),
    ("N, page down", "next game"),
    ("B, page up", "beginning of this game, then of the one before"),
    ("g", "go to a game: type its number, then enter"),
    ("t", "go to a turn of this game, likewise"),
    ("i, I", "next infraction, the one before"),
    ("<, home", "first"),
    (">, end", "last"),
    ("a", "all hands"),
    ("0, 1, ...", "what this seat sees; what is hidden from it is counted"),
    ("down, up", "scroll, where there is more than the screen holds"),
    ("?, h", "this help; any key leaves it"),
    ("q, escape", "leave"),
)
"""Keys, and what they do."""

_KEYS: Final = "n next  b back  g game  t turn  i infraction  a all  0.. seat  ? help  q quit"
_MOST_DIGITS: Final = 9


class _Way(NamedTuple):
    go: Callable[[Stepper[Scene]], bool]
    nowhere: str
    """What is said where it leads nowhere."""


_NEXT: Final = _Way(Stepper.next, "this is the end")
_BACK: Final = _Way(Stepper.back, "this is the beginning")
_NEXT_GAME: Final = _Way(Stepper.next_game, "this is the last game")
_PREVIOUS_GAME: Final = _Way(Stepper.previous_game, "this is the beginning")
_FIRST: Final = _Way(Stepper.first, "this is the beginning")
_LAST: Final = _Way(Stepper.last, "this is the end")

_WAYS: Final = {
    **dict.fromkeys(("n", " ", Key.RIGHT, Key.ENTER), _NEXT),
    **dict.fromkeys(("b", Key.LEFT), _BACK),
    **dict.fromkeys(("N", Key.PAGE_DOWN), _NEXT_GAME),
    **dict.fromkeys(("B", Key.PAGE_UP), _PREVIOUS_GAME),
    **dict.fromkeys(("<", Key.HOME), _FIRST),
    **dict.fromkeys((">", Key.END), _LAST),
    "i": _Way(Stepper.next_infraction, "no infraction from here on"),
    "I": _Way(Stepper.previous_infraction, "no infraction before this"),
}


class Viewer:
    """Raises TranscriptError where the transcript does not hold."""

    def __init__(
        self, story: Story, record: MatchRecord | None, *, sight: int | None = None
    ) -> None:
        self._story: Final = story
        self._record: Final = record
        self._sight = sight
        self._stepper: Final = Stepper(scenes(story))
        self._turns: Final[dict[int, int]] = defaultdict(int)
        for scene in self._stepper.frames:
            self._turns[scene.game] = max(self._turns[scene.game], scene.turn)
        self.done = False
        """The person wants to leave."""
        self._top = 0
        """How many lines are scrolled away."""
        self._help = False
        self._asking = ""
        """What a number is being typed for: game, turn, or nothing."""
        self._typed = ""
        self._note = ""

    def go(self, game: int, turn: int = 0) -> bool:
        """To a turn; to where a game begins for turn 0. Gives whether there is one."""
        self._top = 0
        return self._stepper.go(game, turn)

    def press(self, key: str) -> None:
        """Do what a key asks for; one that means nothing does nothing."""
        self._note = ""
        if self._asking:
            self._type(key)
        elif key in (Key.DOWN, Key.UP):
            self._top = max(0, self._top + (1 if key == Key.DOWN else -1))
        elif self._help or key in ("?", "h"):
            self._help = not self._help
            self._top = 0
        elif way := _WAYS.get(key):
            self._take(way)
        elif key in ("q", Key.ESCAPE):
            self.done = True
        elif key in ("g", "t"):
            self._asking, self._typed = "game" if key == "g" else "turn", ""
        elif key == "a":
            self._sight = None
        elif key.isascii() and key.isdecimal():
            self._look_from(int(key))

    def _take(self, way: _Way) -> None:
        if way.go(self._stepper):
            self._top = 0
        else:
            self._note = way.nowhere

    def _look_from(self, seat: int) -> None:
        if seat < self._story.seats:
            self._sight = seat
        else:
            self._note = f"there is no seat {seat}: the seats are 0 to {self._story.seats - 1}"

    def _type(self, key: str) -> None:
        if key == Key.ESCAPE:
            self._asking = ""
        elif key == Key.BACKSPACE:
            self._typed = self._typed[:-1]
        elif key.isascii() and key.isdecimal() and len(self._typed) < _MOST_DIGITS:
            self._typed += key
        elif key == Key.ENTER:
            wanted, self._asking = self._asking, ""
            if self._typed:
                self._go_to(wanted, int(self._typed))

    def _go_to(self, wanted: str, number: int) -> None:
        here = self._stepper.frame
        place = (number, 0) if wanted == "game" else (here.game, number)
        if place != (here.game, here.turn) and not self.go(*place):
            last = self._turns[here.game] if wanted == "turn" else max(self._turns)
            self._note = f"there is no {wanted} {number}: the last is {last}"

    def screen(self, console: Console, width: int, height: int) -> list[Text]:
        """The lines of a screen of this size, no more and no wider. ``console`` folds them."""
        footer = self._footer()
        room = max(0, height - len(footer))
        body = [
            folded
            for line in (self._help_lines() if self._help else self._body())
            for folded in line.wrap(console, max(1, width), overflow="fold")
        ]
        self._top = min(self._top, max(0, len(body) - room))
        below = len(body) - self._top - room
        if below > 0:
            footer[0].append(f"   {below} more below", style="bold")
        body = body[self._top : self._top + room]
        blank = [Text()] * (room - len(body))
        lines = [*body, *blank, *footer][:height]
        for line in lines:
            line.truncate(max(1, width))
        return lines

    def _body(self) -> Iterator[Text]:
        teller = Teller(self._story, self._record, sight=self._sight)
        for chapter in self._stepper.frame.chapters:
            told = map(sanitise, teller.chapter(chapter, done=True))
            yield Text(next(told), style="bold")
            yield from map(self._line, told)
        if self._stepper.at == len(self._stepper.frames) - 1 and not self._story.complete:
            yield Text(CUT_SHORT, style="bold")

    def _line(self, line: str) -> Text:
        text = coloured(self._story.game, line)
        for mark in self._story.game.marks(line):
            if mark.strong:
                text.stylize("reverse", mark.start, mark.end)
        if line.lstrip().startswith("!!"):
            text.stylize("bold red")
        elif line.lstrip().startswith("->"):
            text.stylize("bold")
        return text

    def _footer(self) -> list[Text]:
        here = self._stepper.frame
        sight = "all hands"
        if self._sight is not None:
            sight = f"as {Teller(self._story, self._record).name(self._sight)} sees it"
        where = (
            f"game {here.game} of {max(self._turns)}, "
            f"turn {here.turn} of {self._turns[here.game]}, {sight}"
        )
        if self._asking:
            return [safe(where, "reverse"), safe(f"{self._asking}: {self._typed}_", "bold")]
        return [
            safe(where, "reverse"),
            safe(self._note, "bold yellow") if self._note else safe(_KEYS, "dim"),
        ]

    def _help_lines(self) -> Iterator[Text]:
        yield Text("Keys", style="bold")
        for keys, meaning in HELP:
            yield Text(f"  {keys:<24}{meaning}")
