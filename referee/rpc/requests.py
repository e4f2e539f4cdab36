"""The requests that a seat was sent, so that every answer finds its own."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

MOST_REMEMBERED: Final = 1000


class Standing(Enum):
    """What a request is when an answer to it comes."""

    UNKNOWN = auto()
    OPEN = auto()
    OVER = auto()
    """It ended without an answer."""
    ANSWERED = auto()


class Requests:
    """Remembers the last requests of a seat and how they stand."""

    def __init__(self) -> None:
        self._standing: Final[dict[str, Standing]] = {}

    def open(self, request_id: str) -> None:
        """Raises ``ValueError`` on an id that was used before."""
        if request_id in self._standing:
            raise ValueError(f"request id {request_id} was used before")
        if len(self._standing) == MOST_REMEMBERED:
            del self._standing[next(iter(self._standing))]
        self._standing[request_id] = Standing.OPEN

    def standing(self, request_id: str) -> Standing:
        return self._standing.get(request_id, Standing.UNKNOWN)

    def answered(self, request_id: str) -> None:
        """An answer to a known request was taken, or dropped as too late."""
        self._standing[request_id] = Standing.ANSWERED

    def end(self, request_id: str) -> None:
        """Nobody waits for an answer any more."""
        if self._standing.get(request_id) is Standing.OPEN:
            self._standing[request_id] = Standing.OVER
