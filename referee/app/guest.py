"""Somebody who plays without a process of their own: a person at this terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.match.player import Message, Player
from referee.match.record import SeatRecord


@dataclass(frozen=True, slots=True)
class Guest:
    """Who plays in the sitting's own process. There are no files, so no digest of them."""

    name: str
    """Taken by nobody else at the table: a slug."""
    version: str
    author: str
    language: str
    player: Player

    def at_seat(self, seat: int) -> SeatRecord:
        return SeatRecord(
            seat=seat,
            bot=self.name,
            version=self.version,
            bundle_sha256=b"",
            author=self.author,
            language=self.language,
        )


class GuestChair:
    """A ``Chair`` for a guest: always there, nothing to start or to end."""

    def __init__(self, guest: Guest) -> None:
        self._guest: Final = guest

    async def sit(self, match_key: str) -> None:
        """A guest is there."""

    def at_seat(self, seat: int) -> SeatRecord:
        return self._guest.at_seat(seat)

    def player(self, match_key: str) -> Player:  # noqa: ARG002 - a chair's signature
        return self._guest.player

    def tell(self, message: Message) -> None:
        self._guest.player.tell(message)

    async def leave(self) -> None:
        """A guest comes and goes as it likes."""

    async def close(self) -> None:
        """There is nothing to end."""
