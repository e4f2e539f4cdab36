"""What a seat is told and asked, written down as calls of the SDK's test harness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elfer.reproducing import reproduce
from elfer.ruling import Ruling
from elfer.v1 import play_pb2
from elfer.views import Game, Match, Turn, game_result_of
from referee.match.clock import Evidence
from referee.match.conduct import Consequence, Infraction
from referee.match.player import (
    Ask,
    Fault,
    GameEnd,
    GameStart,
    MatchEnd,
    MatchStart,
    Message,
    Reply,
    Ruled,
    Stray,
)
from referee.rpc.codec.messages import MatchWriter

IN_MATCH: Final = "of"
"""The variable that what is written takes a match from."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a bot hears of, as an expression that makes it again."""

    game: int
    """0 before the first."""
    turn: int
    """That of the last question in this game; 0 before it."""
    hook: str
    """The method of the SDK's ``Bot`` that takes it."""
    value: str


class Scribe:
    """A player that gives no answer, and takes down what the SDK would hand to a bot in its seat.

    Raises ``KeyError`` on a game that has no codec.
    """

    def __init__(self) -> None:
        self.heard: Final[list[Heard]] = []
        self._place = (0, 0)
        # Both from the match's start on.
        self._writer: MatchWriter
        self._match: Match
        self._refused: Ruling | None = None

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._place = (ask.game, ask.turn)
        message = play_pb2.RefereeMessage()
        self._writer.ask(ask, message)
        self._take("answer", reproduce(Turn(self._match, message.turn, self._refused), IN_MATCH))
        self._refused = None
        return Fault(Infraction.RESIGNED, Evidence(0), "")

    def tell(self, message: Message) -> None:
        if isinstance(message, MatchStart):
            self._writer = MatchWriter(message)
        written = play_pb2.RefereeMessage()
        self._writer.tell(message, written)
        match message:
            case MatchStart():
                self._match = Match(written.match_start)
                self._take("match_started", reproduce(self._match))
            case GameStart():
                self._place = (message.game, 0)
                game = Game(self._match, written.game_start)
                self._take("game_started", reproduce(game, IN_MATCH))
            case Ruled():
                self._rule(message)
            case GameEnd():
                self._take("game_ended", repr(game_result_of(written.game_end)))
            case MatchEnd():
                pass

    def strays(self) -> tuple[Stray, ...]:
        return ()

    def _rule(self, ruled: Ruled) -> None:
        retry = ruled.consequence is Consequence.RETRY
        ruling = Ruling(
            *ruled.ruling,
            retry=retry,
            infraction=ruled.kind.value,
            penalty=ruled.penalty,
            strikes=ruled.strikes,
            consequence=ruled.consequence.value,
        )
        self._refused = ruling if retry else None
        self._take("ruled", repr(ruling))

    def _take(self, hook: str, value: str) -> None:
        self.heard.append(Heard(*self._place, hook, value))
