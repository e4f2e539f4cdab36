"""What one match is: N games, or games to a limit (rulebook §7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

DEFAULT_CAP: Final = 1000


class Pairing(NamedTuple):
    """The next game of a match."""

    number: int
    """From 1."""
    dealer: int
    """A match seat."""
    seats: tuple[int, ...]
    """The match seats that play it, clockwise."""
    tie_break: bool


class Played(NamedTuple):
    """A game that is over."""

    pairing: Pairing
    points: tuple[int, ...]
    """By match seat; 0 for a seat that did not play."""


@dataclass(frozen=True, slots=True)
class Games:
    """So many games (§7.1)."""

    games: int

    def __str__(self) -> str:
        return f"games {self.games}"

    def table_sizes(self, seats: int) -> range:
        """How many seats a game can have, in a match of ``seats``."""
        return range(seats, seats + 1)

    def next(self, seats: int, played: Sequence[Played]) -> Pairing | None:
        """The next game of a match of ``seats`` seats, or ``None`` when it is over."""
        number = len(played) + 1
        if number > self.games:
            return None
        return Pairing(number, (number - 1) % seats, tuple(range(seats)), tie_break=False)


@dataclass(frozen=True, slots=True)
class Limit:
    """Games until a seat's points reach ``limit`` (§7.2), at most ``cap`` (§7.3)."""

    limit: int
    cap: int = DEFAULT_CAP

    def __str__(self) -> str:
        return f"limit {self.limit} cap {self.cap}"

    def table_sizes(self, seats: int) -> range:
        """Any number of seats can be tied, and those alone play the tie-break game."""
        return range(2, seats + 1)

    def next(self, seats: int, played: Sequence[Played]) -> Pairing | None:
        number = len(played) + 1
        if played and played[-1].pairing.tie_break:
            return None
        if number > self.cap:
            return None
        dealer = (number - 1) % seats
        points = points_of(seats, played)
        if max(points) < self.limit:
            return Pairing(number, dealer, tuple(range(seats)), tie_break=False)
        lowest = min(points)
        tied = tuple(seat for seat in range(seats) if points[seat] == lowest)
        if len(tied) == 1:
            return None
        first = min(tied, key=lambda seat: (seat - dealer) % seats)
        return Pairing(number, first, tied, tie_break=True)


Series = Games | Limit

_GAMES: Final = re.compile(r"games ([1-9][0-9]{0,8})")
_LIMIT: Final = re.compile(r"limit ([1-9][0-9]{0,8}) cap ([1-9][0-9]{0,8})")


def parse_series(text: str) -> Series:
    """The inverse of ``str``. Raises ``ValueError``, on a series longer than any cap too (§2.5)."""
    if match := _GAMES.fullmatch(text):
        most = int(match[1])
        series: Series = Games(most)
    elif match := _LIMIT.fullmatch(text):
        most = int(match[2])
        series = Limit(int(match[1]), most)
    else:
        raise ValueError(f"{text!r} is no series: 'games N' or 'limit L cap C'")
    if most > DEFAULT_CAP:
        raise ValueError(f"{text!r} is no series: more than {DEFAULT_CAP} games")
    return series


def points_of(seats: int, played: Sequence[Played]) -> tuple[int, ...]:
    """Points by match seat; a tie-break game's are not added (§7.2)."""
    points = [0] * seats
    for game in played:
        if not game.pairing.tie_break:
            points = [sum(pair) for pair in zip(points, game.points, strict=True)]
    return tuple(points)
