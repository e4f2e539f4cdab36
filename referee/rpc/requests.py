"""The requests that a seat was sent, so that every answer finds its own."""

from __future__ import annotations

from dataclasses import dataclass
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
    """As the last one of those that were."""
    OUTDATED = auto()
    """It was answered, and so was one that was made after it."""


@dataclass(slots=True)
class _Request:
    number: int
    standing: Standing


class Requests:
    """Remembers the last requests of a seat and how they stand."""

    def __init__(self) -> None:
        self._requests: Final[dict[str, _Request]] = {}
        self._made = 0
        self._last_answered = 0
        """The highest number of a request that was answered; numbers begin at 1."""

    def open(self, request_id: str) -> None:
        """Raises ``ValueError`` on an id that was used before."""
        if request_id in self._requests:
            raise ValueError(f"request id {request_id} was used before")
        if len(self._requests) == MOST_REMEMBERED:
            del self._requests[next(iter(self._requests))]
        self._made += 1
        self._requests[request_id] = _Request(self._made, Standing.OPEN)

    def standing(self, request_id: str) -> Standing:
        request = self._requests.get(request_id)
        if request is None:
            return Standing.UNKNOWN
        if request.standing is Standing.ANSWERED and request.number < self._last_answered:
            return Standing.OUTDATED
        return request.standing

    def answered(self, request_id: str) -> None:
        """An answer to a known request was taken, or dropped as too late."""
        request = self._requests[request_id]
        request.standing = Standing.ANSWERED
        self._last_answered = max(self._last_answered, request.number)

    def end(self, request_id: str) -> None:
        """Nobody waits for an answer any more."""
        request = self._requests.get(request_id)
        if request is not None and request.standing is Standing.OPEN:
            request.standing = Standing.OVER
