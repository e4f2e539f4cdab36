"""The transcript: a match's play as text. ``docs/record.md`` has the grammar.

Every line is made here, and so is what the seed and the house player decide: by the same
functions when a match is played and when ``Replay`` plays it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.core.dice import Dice
from referee.core.game import Ruling, State
from referee.games.registry import AnyGame
from referee.match.series import Pairing, Played, Series

NOTATION_VERSION: Final = 1
FORFEIT: Final = "forfeit"

AnyState = State[Any, Any, Any, Any]


def act_line(turn: int, seats: Sequence[int], house: bool, text: str) -> str:
    """The line of an act: its turn, its match seats, whether the house played, its text."""
    return f"{turn} {joined(seats)} {'house ' if house else ''}{text}"


def forfeit_line(seat: int) -> str:
    return f"{FORFEIT} {seat}"


def joined(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def header_lines(game: AnyGame, series: Series, seed: bytes) -> list[str]:
    return [
        f"elfer {NOTATION_VERSION} house {game.house_version}",
        f"rules {game.rules_line}",
        f"series {series}",
        f"seats {game.seats}",
        f"seed {seed.hex()}",
    ]


def game_lines(pairing: Pairing, state: AnyState) -> list[str]:
    seats = joined(pairing.seats)
    first = f"game {pairing.number} dealer {pairing.dealer} seats {seats} deal {state.deal}"
    return [first, *state.setup()]


def end_line(winners: Sequence[int], points: Sequence[int]) -> str:
    return f"end {joined(winners)} points {joined(points)}"


def total_line(points: Sequence[int]) -> str:
    return f"total points {joined(points)}"


def deal(game: AnyGame, dice: Dice, pairing: Pairing) -> AnyState:
    """Deal a game of a match, at the table size of those who play it."""
    table = game if len(pairing.seats) == game.seats else game.resize(len(pairing.seats))
    return table.deal(dice, pairing.number, pairing.seats.index(pairing.dealer))


def over(pairing: Pairing, seats: int, state: AnyState) -> tuple[Played, tuple[int, ...]] | None:
    """The finished game and its winners, by match seat; ``None`` while it goes on."""
    outcome = state.outcome()
    if outcome is None:
        return None
    points = [0] * seats
    for seat, value in zip(pairing.seats, outcome.points, strict=True):
        points[seat] = value
    winners = tuple(pairing.seats[seat] for seat in outcome.winners)
    return Played(pairing, tuple(points)), winners


class Writer:
    """Writes the transcript of a match while it is played."""

    def __init__(self, game: AnyGame, series: Series, seed: bytes) -> None:
        self._lines = header_lines(game, series, seed)

    def game(self, pairing: Pairing, state: AnyState) -> None:
        self._lines += game_lines(pairing, state)

    def line(self, line: str) -> None:
        self._lines.append(line)

    def end(self, winners: Sequence[int], points: Sequence[int]) -> None:
        self._lines.append(end_line(winners, points))

    def total(self, points: Sequence[int]) -> None:
        self._lines.append(total_line(points))

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def house_act(game: AnyGame, state: AnyState, seat: int) -> Any:
    """What the house player does for an acting game seat. It sees that seat's view alone."""
    judged = state.judge(seat, game.house(state.view(seat)))
    if isinstance(judged, Ruling):
        raise AssertionError(f"the house player's answer is refused: {judged}")  # noqa: TRY004 - our bug, not a wrong type
    return judged
