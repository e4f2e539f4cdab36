"""The acts of one game so far, and each seat's own sight of them."""

from __future__ import annotations

from typing import Any, Final

from referee.games.registry import AnyGame
from referee.match.series import Pairing
from referee.match.transcript import act_line, forfeit_line


class History:
    """Grows act by act; gives each seat what is new to it, with what is hidden counted."""

    def __init__(self, game: AnyGame, pairing: Pairing) -> None:
        self._game: Final = game
        self._seats: Final = pairing.seats
        self._unseen: Final[tuple[list[str], ...]] = tuple([] for _ in pairing.seats)
        self.turn = 0
        """Acts so far: the number of the last turn."""

    def add(self, act: Any, house: bool) -> str:
        """Take an act. Returns its transcript line."""
        self.turn += 1
        seats = tuple(self._seats[seat] for seat in act.seats)
        full = self._game.text(act)
        line = act_line(self.turn, seats, house, full)
        for game_seat, unseen in enumerate(self._unseen):
            text = self._game.seen(act, game_seat)
            unseen.append(line if text == full else act_line(self.turn, seats, house, text))
        return line

    def forfeit(self, seat: int) -> None:
        for unseen in self._unseen:
            unseen.append(forfeit_line(seat))

    def unseen(self, game_seat: int) -> tuple[str, ...]:
        """The lines since the last call of ``since_last`` for this game seat."""
        return tuple(self._unseen[game_seat])

    def since_last(self, game_seat: int) -> tuple[str, ...]:
        """The lines since the last call for this game seat."""
        lines = self.unseen(game_seat)
        self._unseen[game_seat].clear()
        return lines
