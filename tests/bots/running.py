"""Bots whose process misbehaves: it ends, stays, prints, leaves others behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.bots.modes import at_every_turn, at_turn, instead
from tests.bots.seat import Seat, answer

MEETING_PLACE: Final = Path("../met")
"""A named pipe beside the bot's folder, for a test that wants to know when it plays."""

MIB: Final = 2**20
GONE: Final = Path("gone")
"""Where it is there, the bot does not come up."""

THREADS: Final = 200
ESCAPES: Final = "\x1b[2J\x1b]0;title\x07\x9b31m\u202ered\r|\b"


# It ends.


@instead
def leaves_at_once() -> None:
    sys.exit(0)


@at_turn(1)
def exits(seat: Seat) -> None:
    os._exit(3)


@at_turn(2)
def exits_well(seat: Seat) -> None:
    os._exit(0)


@at_turn(1)
def segfaults(seat: Seat) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


@at_turn(1)
def kills_itself(seat: Seat) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@at_turn(1)
def kills_its_supervisor(seat: Seat) -> None:
    os.kill(os.getppid(), signal.SIGKILL)


@at_every_turn
def exits_once(seat: Seat) -> None:
    """A fresh process is told that the house has played for it."""
    house = f" {seat.number} house "
    if any(house in act for turn in seat.turns for act in turn.acts):
        seat.answer()
    else:
        os._exit(1)


@at_turn(1)
def exits_for_good(seat: Seat) -> None:
    GONE.touch()
    os._exit(1)


@at_every_turn
def exits_at_the_last_turn(seat: Seat) -> None:
    _hasten(seat, lambda: os._exit(1))


@at_every_turn
def kills_itself_at_the_last_turn(seat: Seat) -> None:
    _hasten(seat, lambda: os.kill(os.getpid(), signal.SIGKILL))


@at_turn(1)
def exits_when_the_match_is_over(seat: Seat) -> None:
    seat.at_end = lambda: os._exit(1)
    seat.answer()


def _hasten(seat: Seat, at_last: Callable[[], None]) -> None:
    """Lay as much as can be, down to the last card."""
    view = seat.turn.elfer_raus
    if len(view.hand) == 1:
        at_last()
    else:
        most = 1 if view.single else len(view.hand) - 1
        seat.send(answer(seat.turn, *view.fits[:most]))


# It does not end.


@at_every_turn
def stops_itself(seat: Seat) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@at_turn(1)
def will_not_go(seat: Seat) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    seat.stays = True
    seat.answer()


# It is not alone.


@at_turn(1)
def leaves_children(seat: Seat) -> None:
    """Of a parent that is gone, in a session of their own, deaf to requests to end."""
    child = "cd /; trap '' TERM HUP INT; while :; do sleep 60; done"
    subprocess.run(["sh", "-c", f"({child}) & ({child}) &"], start_new_session=True)
    seat.answer()


@at_turn(1)
def has_many_threads(seat: Seat) -> None:
    for _ in range(THREADS):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    seat.answer()


# It prints.


@at_turn(1)
def prints_a_flood(seat: Seat) -> None:
    for _ in range(100):
        _write((b"y" * 1023 + b"\n") * 1024)
    seat.answer()


@at_turn(1)
def prints_one_long_line(seat: Seat) -> None:
    for _ in range(20):
        _write(b"y" * MIB)
    seat.answer()


@at_turn(1)
def prints_escape_sequences(seat: Seat) -> None:
    print(ESCAPES)
    print(ESCAPES, file=sys.stderr)
    seat.answer()


@at_turn(1)
def closes_its_output(seat: Seat) -> None:
    if seat.matches == 1:
        os.close(1)
        os.close(2)
    seat.answer()


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


# It waits for a test.


@at_turn(1)
def waits(seat: Seat) -> None:
    """In its second match, where there is a meeting place: tells its process id there and no
    more."""
    if seat.matches == 2 and MEETING_PLACE.exists():
        MEETING_PLACE.write_text(f"{os.getpid()}\n")
        signal.pause()
    seat.answer()
