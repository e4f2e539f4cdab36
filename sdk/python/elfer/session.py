"""One stream's conversation, without the stream: the referee's messages in, the bot's out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from elfer.bot import Bot, Resign
from elfer.cards import Card
from elfer.reproducing import reproduce
from elfer.rules import consequence_word, infraction_word
from elfer.ruling import Ruling
from elfer.v1 import play_pb2
from elfer.views import Game, Match, Turn, game_result_of, match_result_of

if TYPE_CHECKING:
    from elfer.v1 import card_pb2

GAME: Final = "elfer-raus"

_LOG: Final = logging.getLogger("elfer")


class ProtocolError(Exception):
    """The referee said something that this SDK cannot follow."""


@dataclass(slots=True)
class _Seat:
    bot: Bot
    match: Match
    refused: Ruling | None = None
    request_id: str = ""
    """Of the last turn."""
    reply: play_pb2.BotMessage = field(default_factory=play_pb2.BotMessage)
    """To the last turn."""


class Session:
    """What a stream has come to: its matches, and how to take it up again."""

    def __init__(self, make_bot: Callable[[], Bot]) -> None:
        self._make_bot = make_bot
        self._seats: dict[str, _Seat] = {}
        self.seated = False
        """The referee said welcome."""
        self.resume_nonce = b""
        """Of the welcome; empty where the referee does not take a lost stream up again."""
        self.received = 0
        """How many elements have come over all streams, those with a welcome not counted."""
        self.over = False
        """The referee said goodbye."""

    def replies(self, messages: Iterable[play_pb2.RefereeMessage]) -> list[play_pb2.BotMessage]:
        """Take the messages of one element, in order. Returns what goes back.

        Raises ``ProtocolError``, and whatever the bot's own methods raise.
        """
        replies = []
        self.received += 1
        for message in messages:
            match message.WhichOneof("body"):
                case "turn":
                    replies.append(self._reply(message.turn))
                case "ruling":
                    self._rule(message.ruling)
                case "game_start":
                    seat = self._seat(message.game_start.match_id)
                    seat.bot.game_started(Game(seat.match, message.game_start))
                case "game_end":
                    seat = self._seat(message.game_end.match_id)
                    seat.bot.game_ended(game_result_of(message.game_end))
                case "match_start":
                    self._start(message.match_start)
                case "match_end":
                    self._end(message.match_end)
                case "welcome":
                    self.seated = True
                    self.received -= 1
                    self.resume_nonce = message.welcome.resume_nonce
                    _LOG.info("Seated by referee %s", message.welcome.referee_version)
                case "goodbye":
                    self.over = True
                    _LOG.info("Goodbye. %s", message.goodbye.text)
                case None:  # a message of a later protocol that need not be understood
                    pass
        return replies

    def _reply(self, message: play_pb2.Turn) -> play_pb2.BotMessage:
        """The bot's reply. A request that comes again, after a loss, gets the same one."""
        seat = self._seat(message.match_id)
        if message.request_id != seat.request_id:
            seat.reply = self._answer(seat, message)
            seat.request_id = message.request_id
        return seat.reply

    def _answer(self, seat: _Seat, message: play_pb2.Turn) -> play_pb2.BotMessage:
        turn = Turn(seat.match, message, seat.refused)
        seat.refused = None
        try:
            answer = _message_of(seat.bot.answer(turn))
        except Resign:
            _LOG.warning("The bot resigns")
            return play_pb2.BotMessage(resign=play_pb2.Resign(match_id=message.match_id))
        except Exception as error:
            error.add_note(
                f"The bot failed at {turn!r}. To see it again, in a test:\n    {reproduce(turn)}"
            )
            raise
        return play_pb2.BotMessage(
            answer=play_pb2.Answer(
                match_id=message.match_id, request_id=message.request_id, elfer_raus=answer
            )
        )

    def _rule(self, message: play_pb2.Ruling) -> None:
        ruling = Ruling(
            code=message.code,
            section=message.section,
            card=message.card,
            text=message.text,
            retry=message.retry,
            infraction=infraction_word(message.infraction),
            penalty=message.penalty,
            strikes=message.strikes,
            consequence=consequence_word(message.consequence),
        )
        _LOG.warning("Ruling: %s", ruling)
        # A breach may be about no match that is under way.
        seat = self._seats.get(message.match_id)
        if seat is not None:
            seat.refused = ruling if ruling.retry else None
            seat.bot.ruled(ruling)

    def _start(self, message: play_pb2.MatchStart) -> None:
        if message.rules.game != GAME:
            raise ProtocolError(f"this SDK plays {GAME}, not {message.rules.game}")
        match = Match(message)
        _LOG.info(
            "Match of %s: seat %d of %d, %s",
            match.rules.profile,
            match.seat,
            match.seats,
            match.series,
        )
        bot = self._make_bot()
        self._seats[match.id] = _Seat(bot, match)
        bot.match_started(match)

    def _end(self, message: play_pb2.MatchEnd) -> None:
        seat = self._seat(message.match_id)
        del self._seats[message.match_id]
        result = match_result_of(message)
        if result.void:
            _LOG.warning("Match void: it will be played again")
        else:
            mine = seat.match.seat
            _LOG.info("Match over: place %d, total %d", result.places[mine], result.totals[mine])
        seat.bot.match_ended(result)

    def _seat(self, match_id: str) -> _Seat:
        try:
            return self._seats[match_id]
        except KeyError:
            raise ProtocolError(
                f"the referee speaks of a match it has not started: {match_id!r}"
            ) from None


def _message_of(answer: Iterable[Card]) -> play_pb2.ElferRausAnswer:
    try:
        cards = cast("list[card_pb2.Card.ValueType]", list(answer))
        return play_pb2.ElferRausAnswer(cards=cards)
    except (TypeError, ValueError):
        raise TypeError(
            f"answer() gave {answer!r}: it gives cards, such as [Card.R11], in order"
        ) from None
