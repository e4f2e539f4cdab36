"""What a bot's author writes."""
# ruff: noqa: B027  (hooks do nothing on purpose)

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from elfer.cards import Card
from elfer.ruling import Ruling
from elfer.views import Game, GameResult, Match, MatchResult, Turn


class Resign(Exception):  # noqa: N818  (a decision, not an error)
    """Raise it from ``Bot.answer`` to give the match up: the house plays your seat to the end."""


class Bot(ABC):
    """A bot for one match: subclass it and write ``answer``.

    Every match gets an object of its own, so what a bot keeps in itself never leaks
    into the next match. The hooks do nothing unless you override them.
    """

    @abstractmethod
    def answer(self, turn: Turn) -> Iterable[Card]:
        """The cards to lay, in this order; none to pass, where ``turn.may_pass``."""

    def match_started(self, match: Match) -> None:
        """Before the first game."""

    def game_started(self, game: Game) -> None:
        """Before the first turn of each game."""

    def ruled(self, ruling: Ruling) -> None:
        """An answer of yours was refused, or your conduct was. It is logged already."""

    def game_ended(self, result: GameResult) -> None:
        """After each game."""

    def match_ended(self, result: MatchResult) -> None:
        """After the last game, or when the match is void."""
