"""What differs from game to game: views and answers. A game to come adds its entry here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from elfer.v1 import play_pb2
from referee.games.elfer_raus import game as elfer_raus
from referee.rpc.codec.elfer_raus import ElferRausCodec

ViewInT = TypeVar("ViewInT", contravariant=True)
AnswerOutT = TypeVar("AnswerOutT", covariant=True)


class GameCodec(Protocol[ViewInT, AnswerOutT]):
    """Carries one game's views and answers."""

    def game_start(self, view: ViewInT, message: play_pb2.GameStart) -> None:
        """Write the view of a game that begins into its message."""
        ...

    def turn(self, view: ViewInT, message: play_pb2.Turn) -> None:
        """Write the view of a seat that is asked into its message."""
        ...

    def answer(self, message: play_pb2.Answer) -> AnswerOutT | None:
        """The answer as the bot sent it, with nothing checked; ``None``: not of this game."""
        ...


GAME_CODECS: Final[Mapping[str, GameCodec[Any, Any]]] = MappingProxyType(
    {elfer_raus.ID: ElferRausCodec()}
)
"""By game id."""
