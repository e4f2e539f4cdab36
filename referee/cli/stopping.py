"""How a command is stopped: by Ctrl-C, or by the signals of a closed terminal or a shutdown."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_NOTICE: Final = b"\nstopping, this takes a moment; Ctrl-C again stops at once\n"


@contextmanager
def ending_like_interrupts() -> Iterator[None]:
    """While it lasts SIGTERM and SIGHUP do what Ctrl-C does: nothing is left half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """While it lasts the first SIGINT or SIGTERM sets the event; the next raises."""
    stop = threading.Event()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        # Past the buffers: they may be just what was interrupted.
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _NOTICE)

    before = {
        number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
