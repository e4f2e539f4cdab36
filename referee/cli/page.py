"""Lines about a game as a terminal shows them: in the game's colours, folded to its width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.text import Text

from referee.cli.output import safe
from referee.core.game import Hue
from referee.core.text import sanitise
from referee.games.registry import AnyGame

_INDENT: Final = "  "
_HANGING: Final = " " * 10
"""Where a line that is folded goes on: below what stands after its first word."""

_STYLES: Final = {
    Hue.RED: "red",
    Hue.YELLOW: "yellow",
    Hue.GREEN: "green",
    Hue.BLUE: "bright_blue",
    Hue.FAINT: "dim",
}


class Page:
    """Where a game is shown."""

    def __init__(self, game: AnyGame, console: Console) -> None:
        self._game: Final = game
        self._console: Final = console

    def title(self, text: str) -> None:
        self._print(Text())
        self._print(safe(text, "bold"))

    def say(self, text: str, style: str = "") -> None:
        """Print a line that is not about the play."""
        for line in self._folded(sanitise(text), ""):
            self._print(safe(line, style))

    def show(self, lines: Iterable[str], style: str = "") -> None:
        """Print lines about the play, such as those of a picture."""
        for whole in lines:
            for line in self._folded(_INDENT + sanitise(whole), _HANGING):
                self._print(coloured(self._game, line, style))

    def prompt(self, text: str) -> None:
        """Ask for a line of input; on what is no terminal, with a line of output."""
        self._print(safe(text, "bold"), end=" " if self._console.is_terminal else "\n")

    def _folded(self, line: str, hanging: str) -> list[str]:
        if len(line) <= self._console.width:
            return [line]
        return textwrap.wrap(
            line, self._console.width, subsequent_indent=hanging, break_on_hyphens=False
        )

    def _print(self, text: Text, end: str = "\n") -> None:
        self._console.print(text, end=end, soft_wrap=True)


def coloured(game: AnyGame, line: str, style: str = "") -> Text:
    """A line about a game in that game's colours; it is made safe before."""
    text = Text(line, style=style)
    for mark in game.marks(line):
        hue = _STYLES[mark.hue]
        text.stylize(f"bold {hue}" if mark.strong else hue, mark.start, mark.end)
    return text
