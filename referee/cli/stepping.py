"""Stepping through a match in the terminal of a person."""

from __future__ import annotations

import sys

from rich.console import Group
from rich.control import Control
from rich.screen import Screen
from rich.text import Text

from referee.cli.keys import keyboard
from referee.cli.output import terminal
from referee.cli.viewer import Viewer


def can_step() -> bool:
    """Whether somebody can see a screen and press keys here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not terminal().is_dumb_terminal


def step_through(viewer: Viewer) -> None:
    """Show the match until the person has enough of it. The terminal is left as it was."""
    console = terminal()

    def enter() -> None:
        console.set_alt_screen(True)
        console.show_cursor(False)

    def leave() -> None:
        console.show_cursor(True)
        console.set_alt_screen(False)

    def draw() -> None:
        width, height = console.size
        lines = viewer.screen(console, width, height)
        console.control(Control.home())
        console.print(Screen(Group(*lines) if lines else Text()), end="")

    with keyboard(enter, leave) as read:
        while not viewer.done:
            draw()
            for key in read():
                viewer.press(key)
