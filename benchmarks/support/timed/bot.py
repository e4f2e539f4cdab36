"""A bot that takes its time over every answer: ``bot.py WORK MILLISECONDS SPINNERS KIND``.

``WORK`` is ``sleep``, or ``burn`` for CPU time. All the while so many of its own processes, or
Python threads, spin.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Iterable

from elfer import Bot, Card, Turn, run

WORK, MILLISECONDS, SPINNERS, KIND = sys.argv[1:]


def spin() -> None:
    while True:
        pass


class Timed(Bot):
    def answer(self, turn: Turn) -> Iterable[Card]:
        seconds = float(MILLISECONDS) / 1000
        if WORK == "sleep":
            time.sleep(seconds)
        else:
            until = time.thread_time() + seconds
            while time.thread_time() < until:
                pass
        return [min(turn.fits)]


if __name__ == "__main__":
    for _ in range(int(SPINNERS)):
        if KIND == "threads":
            threading.Thread(target=spin, daemon=True).start()
        else:
            subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
    run(Timed)
