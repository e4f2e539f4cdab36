"""Bots that are written with the SDK."""

from __future__ import annotations

from elfer import Bot, Card, Turn, run
from tests.bots.modes import instead


class _Raises(Bot):
    def answer(self, turn: Turn) -> list[Card]:
        raise RuntimeError("out of ideas")


@instead
def raises() -> None:
    run(_Raises)
