"""What the referee says to a bot, written into the protocol's messages."""

from __future__ import annotations

from typing import Any, Final, assert_never

from elfer.v1 import card_pb2, play_pb2
from referee.match.conduct import Consequence
from referee.match.player import Ask, GameEnd, GameStart, MatchEnd, MatchStart, Message, Ruled
from referee.match.record import Result
from referee.match.series import Games, Series
from referee.rpc.codec.enums import CONSEQUENCE_NUMBER, INFRACTION_NUMBER
from referee.rpc.codec.games import GAME_CODECS, GameCodec
from referee.rpc.codec.limits import conduct_message, time_control_message


class MatchWriter:
    """Writes the messages of one match to one seat.

    Raises ``KeyError`` on a game that has no codec.
    """

    def __init__(self, start: MatchStart) -> None:
        self.match_id: Final = start.match_id
        self.codec: Final[GameCodec[Any, Any]] = GAME_CODECS[start.game_id]

    def tell(self, message: Message, into: play_pb2.RefereeMessage) -> None:
        """Write a message into an empty one."""
        match message:
            case MatchStart():
                self._match_start(message, into.match_start)
            case GameStart():
                self._game_start(message, into.game_start)
            case Ruled():
                self._ruling(message, into.ruling)
            case GameEnd():
                self._game_end(message, into.game_end)
            case MatchEnd():
                self._match_end(message.result, into.match_end)
            case _:
                assert_never(message)

    def ask(self, ask: Ask, into: play_pb2.RefereeMessage) -> None:
        """Write a question into an empty message."""
        turn = into.turn
        turn.match_id = self.match_id
        turn.request_id = ask.request_id
        turn.game = ask.game
        turn.turn = ask.turn
        setattr(turn, "try", ask.try_)  # a keyword of Python
        if ask.left_us is not None:
            turn.left_us = ask.left_us
        if ask.bank_us is not None:
            turn.bank_us = ask.bank_us
        if ask.match_left_us is not None:
            turn.match_left_us = ask.match_left_us
        turn.acts.extend(ask.acts)
        turn.dealer = ask.dealer
        turn.seats.extend(ask.seats)
        turn.points.extend(ask.points)
        self.codec.turn(ask.view, turn)

    def _match_start(self, start: MatchStart, into: play_pb2.MatchStart) -> None:
        into.match_id = self.match_id
        into.rules.CopyFrom(_rules_message(start.game_id, start.rules_line))
        into.series.CopyFrom(_series_message(start.series))
        into.seats = start.seats
        into.seat = start.seat
        into.time_control.CopyFrom(time_control_message(start.time_control))
        into.conduct.CopyFrom(conduct_message(start.conduct))
        into.seed_commitment = start.seed_commitment
        into.dice_seed = start.dice_seed

    def _game_start(self, start: GameStart, into: play_pb2.GameStart) -> None:
        into.match_id = self.match_id
        into.game = start.game
        into.dealer = start.dealer
        into.seats.extend(start.seats)
        into.points.extend(start.points)
        self.codec.game_start(start.view, into)

    def _ruling(self, ruled: Ruled, into: play_pb2.Ruling) -> None:
        ruling = ruled.ruling
        into.match_id = self.match_id
        into.request_id = ruled.request_id
        into.code = ruling.code
        into.section = ruling.section
        into.card = card_pb2.Card.ValueType(ruling.card)
        into.text = ruling.text
        into.retry = ruled.consequence is Consequence.RETRY
        into.infraction = INFRACTION_NUMBER[ruled.kind]
        into.penalty = ruled.penalty
        into.strikes = ruled.strikes
        into.consequence = CONSEQUENCE_NUMBER[ruled.consequence]

    def _game_end(self, end: GameEnd, into: play_pb2.GameEnd) -> None:
        into.match_id = self.match_id
        into.game = end.game
        into.acts.extend(end.acts)
        into.points.extend(end.points)
        into.winners.extend(end.winners)

    def _match_end(self, result: Result | None, into: play_pb2.MatchEnd) -> None:
        into.match_id = self.match_id
        if result is None:
            into.void = True
            return
        into.points.extend(result.points)
        into.penalties.extend(result.penalties)
        into.totals.extend(result.totals)
        into.places.extend(result.places)
        into.winners.extend(result.winners)
        into.forfeits.extend(seat for seat, forfeit in enumerate(result.forfeits) if forfeit)


def _rules_message(game_id: str, rules_line: str) -> play_pb2.Rules:
    profile, *slots = rules_line.split(" ")
    pairs = (slot.partition("=") for slot in slots)
    return play_pb2.Rules(
        game=game_id,
        profile=profile,
        slots=[play_pb2.Slot(name=name, value=value) for name, _, value in pairs],
    )


def _series_message(series: Series) -> play_pb2.Series:
    if isinstance(series, Games):
        return play_pb2.Series(games=series.games)
    return play_pb2.Series(limit=series.limit, cap=series.cap)
