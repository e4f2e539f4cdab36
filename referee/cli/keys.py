"""Single keys from a terminal, on POSIX and on Windows."""

from __future__ import annotations

import importlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from types import FrameType
from typing import Any, Final


class Key(StrEnum):
    """Keys that are no character."""

    UP = "up"
    DOWN = "down"
    RIGHT = "right"
    LEFT = "left"
    HOME = "home"
    END = "end"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    ENTER = "enter"
    BACKSPACE = "backspace"
    ESCAPE = "escape"


Read = Callable[[], list[str]]
"""Waits for keys. Where it gives none, the screen is to be drawn anew."""

_ESCAPE: Final = "\x1b"
_SEQUENCES: Final = {
    "[A": Key.UP,
    "[B": Key.DOWN,
    "[C": Key.RIGHT,
    "[D": Key.LEFT,
    "[H": Key.HOME,
    "[F": Key.END,
    "[1~": Key.HOME,
    "[4~": Key.END,
    "[5~": Key.PAGE_UP,
    "[6~": Key.PAGE_DOWN,
    "[7~": Key.HOME,
    "[8~": Key.END,
    "OA": Key.UP,
    "OB": Key.DOWN,
    "OC": Key.RIGHT,
    "OD": Key.LEFT,
    "OH": Key.HOME,
    "OF": Key.END,
    "OM": Key.ENTER,
}
_CHARACTERS: Final = {
    "\r": Key.ENTER,
    "\n": Key.ENTER,
    "\x08": Key.BACKSPACE,
    "\x7f": Key.BACKSPACE,
    "\x04": Key.ESCAPE,
}
_REST_SECONDS: Final = 0.05
"""How long the rest of a sequence may be on its way."""


def decode(data: bytes) -> list[str]:
    """The keys in what a terminal sent. A sequence that nobody knows is none."""
    text = data.decode("utf-8", "ignore")
    keys: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == _ESCAPE and text[at + 1 : at + 2] in ("[", "O"):
            end = _end_of_sequence(text, at + 2)
            if key := _SEQUENCES.get(text[at + 1 : end]):
                keys.append(key)
            at = end
            continue
        char = text[at]
        if char == _ESCAPE:
            keys.append(Key.ESCAPE)
        elif char in _CHARACTERS:
            keys.append(_CHARACTERS[char])
        elif char.isprintable():
            keys.append(char)
        at += 1
    return keys


def _end_of_sequence(text: str, at: int) -> int:
    """Behind the letter or tilde that ends it."""
    while at < len(text) and not (text[at].isalpha() or text[at] == "~"):
        at += 1
    return min(at + 1, len(text))


@contextmanager
def keyboard(enter: Callable[[], None], leave: Callable[[], None]) -> Iterator[Read]:
    """Keys as they are pressed, from standard input, which has to be a terminal.

    ``enter`` prepares the screen and ``leave`` gives it back: at the beginning and the end,
    whatever ends it, and around every stop (Ctrl-Z). Has to be called from the main thread.
    """
    with (_windows if sys.platform == "win32" else _posix)(enter, leave) as read:
        yield read


@contextmanager
def _posix(enter: Callable[[], None], leave: Callable[[], None]) -> Iterator[Read]:
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)

    def take() -> None:
        # Ctrl-C and Ctrl-Z stay signals.
        tty.setcbreak(terminal)
        enter()

    def give_back() -> None:
        leave()
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    def notice(number: int, _frame: FrameType | None) -> None:
        # Seen to between two keys: here the screen may be half drawn.
        with suppress(BlockingIOError):
            os.write(wake, bytes([number]))

    def end(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def see_to(noticed: bytes) -> None:
        if signal.SIGTSTP in noticed:
            give_back()
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, notice)
            take()
        elif signal.SIGCONT in noticed:
            take()

    def read() -> list[str]:
        ready, _, _ = select.select([terminal, woken], [], [])
        if woken in ready:
            see_to(os.read(woken, 4096))
            return []
        return _read_keys(terminal)

    handlers = {
        signal.SIGWINCH: notice,
        signal.SIGTSTP: notice,
        signal.SIGCONT: notice,
        signal.SIGTERM: end,
        signal.SIGHUP: end,
    }
    handled = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        take()
        yield read
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        # A terminal that went away wants nothing back.
        with suppress(OSError, termios.error):
            give_back()
        os.close(woken)
        os.close(wake)


def _read_keys(terminal: int) -> list[str]:
    """Raises KeyboardInterrupt when the terminal went away."""
    data = _read(terminal)
    while data.endswith((b"\x1b", b"\x1b[", b"\x1bO")):
        ready, _, _ = select.select([terminal], [], [], _REST_SECONDS)
        if not ready:
            break
        data += _read(terminal)
    return decode(data)


def _read(terminal: int) -> bytes:
    try:
        data = os.read(terminal, 1024)
    except OSError:
        data = b""
    if not data:
        raise KeyboardInterrupt
    return data


@contextmanager
def _windows(enter: Callable[[], None], leave: Callable[[], None]) -> Iterator[Read]:
    msvcrt: Any = importlib.import_module("msvcrt")

    def read() -> list[str]:
        char = msvcrt.getwch()
        if char in _PREFIXES:
            key = _CODES.get(msvcrt.getwch())
            return [key] if key else []
        if char == "\x03":
            raise KeyboardInterrupt
        return decode(char.encode("utf-8", "ignore"))

    enter()
    try:
        yield read
    finally:
        leave()


_PREFIXES: Final = ("\x00", "\xe0")
_CODES: Final = {
    "H": Key.UP,
    "P": Key.DOWN,
    "M": Key.RIGHT,
    "K": Key.LEFT,
    "G": Key.HOME,
    "O": Key.END,
    "I": Key.PAGE_UP,
    "Q": Key.PAGE_DOWN,
}
