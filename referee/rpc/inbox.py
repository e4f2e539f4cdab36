"""What a bot sends, sorted: the answer to the open question, or a breach of some kind."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.message import DecodeError

from elfer.v1 import play_pb2
from referee.match.conduct import Infraction
from referee.match.player import Stray
from referee.rpc.codec.games import GameCodec
from referee.rpc.question import Question
from referee.rpc.requests import Requests, Standing

MOST_MESSAGE_BYTES: Final = 64 * 1024
"""In one stream element."""
MOST_MESSAGES: Final = 64
"""In one stream element."""
MOST_STRAYS: Final = 100
"""In one match, what is dropped without a ruling included."""
MOST_UNASKED_BYTES: Final = 4 * 2**20
"""In one match, beside the largest possible element for each question."""


class FloodError(Exception):
    """A bot sends more than anybody can mean; the message says what."""


class Inbox:
    """Reads the elements of one bot's stream, over the matches of a sitting."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self.resigned = False
        """The bot has given the current match up."""
        self._requests: Final = Requests()
        self._match_id = ""
        self._past_matches: Final[set[str]] = set()
        self._codec: GameCodec[Any, Any] | None = None
        self._strays: Final[list[Stray]] = []
        self._stray_count = 0
        self._bytes_left = MOST_UNASKED_BYTES

    def begin_match(self, match_id: str, codec: GameCodec[Any, Any]) -> None:
        """From here on answers are for this match; what strayed before is forgotten."""
        self._past_matches.add(self._match_id)
        self._match_id = match_id
        self._codec = codec
        self._strays.clear()
        self._stray_count = 0
        self._bytes_left = MOST_UNASKED_BYTES
        self.resigned = False

    def open(self, question: Question) -> None:
        """A question goes out. Raises ``ValueError`` on a request id that was used before."""
        self._requests.open(question.request_id)
        self._bytes_left += MOST_MESSAGE_BYTES
        self.question = question

    def close(self) -> None:
        """Nobody waits for an answer to the open question any more."""
        if self.question is not None:
            self._requests.end(self.question.request_id)
            self.question = None

    def take_strays(self) -> tuple[Stray, ...]:
        strays = tuple(self._strays)
        self._strays.clear()
        return strays

    def take(self, element: bytes, now: int) -> None:
        """Read an element that arrived ``now``. Raises ``FloodError``."""
        if len(element) > MOST_MESSAGE_BYTES:
            raise FloodError(f"an element of {len(element)} bytes")
        self._bytes_left -= len(element)
        if self._bytes_left < 0:
            raise FloodError(f"more than {MOST_UNASKED_BYTES} bytes that were not asked for")
        try:
            messages = play_pb2.PlayRequest.FromString(element).messages
        except DecodeError:
            self._breach(Infraction.MALFORMED, "an element that is no PlayRequest", now)
            return
        if not messages:
            self._breach(Infraction.MALFORMED, "an element without a message", now)
        if len(messages) > MOST_MESSAGES:
            raise FloodError(f"{len(messages)} messages in one element")
        for message in messages:
            self._take_message(message, now)

    def _take_message(self, message: play_pb2.BotMessage, now: int) -> None:
        match message.WhichOneof("body"):
            case "answer":
                self._take_answer(message.answer, now)
            case "resign":
                self._take_resignation(message.resign, now)
            case "hello":
                self._breach(Infraction.PROTOCOL_VIOLATION, "a second hello", now)
            case _:
                self._breach(Infraction.MALFORMED, "a message without a body", now)

    def _take_answer(self, answer: play_pb2.Answer, now: int) -> None:
        here = answer.match_id == self._match_id
        match self._requests.standing(answer.request_id):
            case Standing.OPEN:
                if here:
                    self._settle(answer, now)
                else:
                    self._stray(Infraction.WRONG_SEAT, "an answer that names another match")
            case Standing.OVER:
                # What ended the request was ruled on, so this is no second breach; the next
                # answer is one too many.
                self._requests.answered(answer.request_id)
            case Standing.ANSWERED:
                self._stray(Infraction.DUPLICATE, "a second answer to one request")
            case Standing.OUTDATED:
                self._stray(Infraction.STALE, "a second answer to a request of an earlier turn")
            case Standing.UNKNOWN:
                if here:
                    self._stray(Infraction.EARLY, "an answer to a request that was not made")
                else:
                    self._stray(Infraction.WRONG_SEAT, "an answer for a match not played here")

    def _settle(self, message: play_pb2.Answer, now: int) -> None:
        assert self.question is not None
        assert self._codec is not None
        self._requests.answered(message.request_id)
        answer = self._codec.answer(message)
        if answer is None:
            self.question.fault(Infraction.MALFORMED, "an answer without an answer in it", now)
        else:
            self.question.answer(answer, now)

    def _take_resignation(self, resign: play_pb2.Resign, now: int) -> None:
        if resign.match_id == self._match_id:
            if self.resigned:
                self._count_stray()
            self.resigned = True
            if self.question is not None:
                self.question.fault(Infraction.RESIGNED, "", now)
        elif resign.match_id in self._past_matches:
            self._count_stray()
        else:
            self._stray(Infraction.WRONG_SEAT, "a resignation from a match not played here")

    def _breach(self, kind: Infraction, detail: str, now: int) -> None:
        """A breach that an open question shows."""
        if self.question is not None and not self.question.outcome.done():
            self.question.fault(kind, detail, now)
        else:
            self._stray(kind, detail)

    def _stray(self, kind: Infraction, detail: str) -> None:
        self._count_stray()
        self._strays.append(Stray(kind, detail))

    def _count_stray(self) -> None:
        self._stray_count += 1
        if self._stray_count > MOST_STRAYS:
            raise FloodError(f"more than {MOST_STRAYS} messages outside any question")
