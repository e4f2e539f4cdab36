"""What a bot sees: typed views over the referee's messages, read when asked for."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Generic, TypeVar

from elfer.acts import Act, parse_act
from elfer.cards import Card, Cards
from elfer.notation import write_cards
from elfer.rules import (
    Conduct,
    Rules,
    Series,
    TimeControl,
    conduct_of,
    rules_of,
    series_of,
    time_control_of,
)
from elfer.ruling import Code, Ruling, card_fault, refusal
from elfer.tableau import Tableau, still_closed
from elfer.v1 import play_pb2


class Match:
    """A match that this bot plays: what stays the same throughout."""

    def __init__(self, message: play_pb2.MatchStart) -> None:
        self.id = message.match_id
        """Opaque; new for every match."""
        self.seats = message.seats
        """How many seats are at the table."""
        self.seat = message.seat
        """Which of them is yours, from 0, clockwise."""
        self.rules: Rules = rules_of(message.rules)
        self.series: Series = series_of(message.series)
        self.time_control: TimeControl = time_control_of(message.time_control)
        self.conduct: Conduct = conduct_of(message.conduct)
        self.seed_commitment = message.seed_commitment
        """The commitment to the seed (§10.4)."""
        self.dice_seed = message.dice_seed
        """32 bytes for your own dice (§10.3)."""
        self.dice = random.Random(self.dice_seed)
        """Your own dice. A bot that draws from nothing else plays a match again as it did."""


_Message = TypeVar("_Message", play_pb2.GameStart, play_pb2.Turn)


class _View(Generic[_Message]):
    """What one seat sees of a game. Seats are match seats, clockwise."""

    def __init__(self, match: Match, message: _Message) -> None:
        self.match = match
        self._message: _Message = message
        self._view = message.elfer_raus

    @property
    def dealer(self) -> int:
        return self._message.dealer

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The seats that play this game: all, but for a tie-break game (§7.2)."""
        return tuple(self._message.seats)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Points so far in the match, by seat. Few is good."""
        return tuple(self._message.points)

    @cached_property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds, by seat; 0 for one that does not play this game."""
        sizes = [0] * self.match.seats
        for seat, size in zip(self.seats, self._view.hand_sizes, strict=True):
            sizes[seat] = size
        return tuple(sizes)

    @property
    def stock(self) -> int:
        """How many cards are left in the stock."""
        return self._view.stock

    @cached_property
    def hand(self) -> Cards:
        """Your cards."""
        return Cards(self._view.hand)

    @cached_property
    def laid(self) -> Cards:
        """All cards on the table."""
        return Cards(self._view.laid)

    @cached_property
    def starts(self) -> Cards:
        """Start cards of rows that are still closed, in whatever hands they are (§4.2)."""
        return Cards(self._view.starts)

    @cached_property
    def tableau(self) -> Tableau:
        """The table, to try out on what a card would open."""
        rules = self.match.rules
        return Tableau(self.laid, self.starts, rules.deck, any_start=rules.start == "any")


class Game(_View[play_pb2.GameStart]):
    """A game as it begins, before the first turn."""

    @property
    def number(self) -> int:
        """From 1 in each match."""
        return self._message.game


class Turn(_View[play_pb2.Turn]):
    """Your turn: the whole view, so a bot need not remember anything."""

    def __init__(self, match: Match, message: play_pb2.Turn, refused: Ruling | None = None) -> None:
        super().__init__(match, message)
        self._arrived = monotonic()
        self.refused = refused
        """On a second try: why the first answer was refused."""

    @property
    def game(self) -> int:
        """The game's number, from 1 in each match."""
        return self._message.game

    @property
    def number(self) -> int:
        """The turn's number, from 1 in each game, over all seats."""
        return self._message.turn

    @property
    def try_number(self) -> int:
        """1, and more when an answer was refused and may be given again."""
        tries: int = getattr(self._message, "try")  # a keyword of Python
        return tries

    @cached_property
    def fits(self) -> Cards:
        """The cards of your hand that fit now (§4.3). Never empty."""
        return Cards(self._view.fits)

    @cached_property
    def due(self) -> Cards:
        """The cards of your hand that must be laid in this turn (§4.5)."""
        return Cards(self._view.due)

    @property
    def may_pass(self) -> bool:
        """An empty answer would be accepted (§9.1)."""
        return self._view.may_pass

    @property
    def single(self) -> bool:
        """Exactly one card is to be laid (§9.5)."""
        return self._view.single

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Transcript lines since your last turn in this game."""
        return tuple(self._message.acts)

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """What happened since your last turn in this game."""
        return tuple(map(parse_act, self.lines))

    @property
    def time_left(self) -> float:
        """Seconds left for this turn before it draws on the bank; ``math.inf`` without a limit.

        0 once they are used up, and never more than ``match_left``. An answer is late when
        both this and ``bank`` are 0. All three run while you think, as this process can
        tell: what the messages take on their way is not in them, so keep a margin.
        """
        return min(max(0.0, self._limit_left - self._thought), self.match_left)

    @property
    def bank(self) -> float:
        """Seconds left in the match's store, from which a turn past its limit draws.

        0 without a bank.
        """
        beyond = max(0.0, self._thought - self._limit_left)
        return max(0.0, self._message.bank_us / 1e6 - beyond)

    @property
    def match_left(self) -> float:
        """Seconds left for all your turns of this match; ``math.inf`` without a limit.

        At 0 an answer is late, whatever the bank holds, and the match is forfeited.
        """
        if not self._message.HasField("match_left_us"):
            return math.inf
        return max(0.0, self._message.match_left_us / 1e6 - self._thought)

    @property
    def _limit_left(self) -> float:
        """Of the turn's limit, in seconds, when the turn arrived."""
        return self._message.left_us / 1e6 if self._message.HasField("left_us") else math.inf

    @property
    def _thought(self) -> float:
        """Seconds since the turn arrived."""
        return monotonic() - self._arrived

    def judge(self, cards: Iterable[Card]) -> Ruling | None:
        """Why the referee would refuse this answer (§4.7); ``None`` if it is legal."""
        answer = tuple(cards)
        count = self.tableau.legal_prefix(self.hand, answer)
        if count < len(answer):
            deck, hand, laid = self.match.rules.deck.mask, self.hand.mask, self.laid.mask
            fault = card_fault(answer[count], answer[:count], deck=deck, hand=hand, laid=laid)
            return refusal(fault, answer[count])
        if self.single and len(answer) > 1:
            return refusal(Code.ONE_CARD_ONLY)
        unmet = Cards.from_mask(still_closed(self.due.mask, answer))
        if unmet:
            return refusal(Code.DUTY_UNMET, min(unmet))
        if not answer and not self.may_pass:
            free = self.match.rules.free_pass
            return refusal(Code.PASS_NOT_ALLOWED if free else Code.MUST_LAY)
        return None

    def __repr__(self) -> str:
        return (
            f"<Turn {self.number} of game {self.game}: hand {write_cards(self.hand)}; "
            f"laid {write_cards(self.laid)}; fits {write_cards(self.fits)}>"
        )


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    number: int
    points: tuple[int, ...]
    """The numbers left in each hand, added up (§6.2), by seat."""
    winners: tuple[int, ...]
    lines: tuple[str, ...]
    """Transcript lines since your last turn."""

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """What happened since your last turn."""
        return tuple(map(parse_act, self.lines))


@dataclass(frozen=True)
class MatchResult:
    """How a match ended; one value per seat in the first four."""

    points: tuple[int, ...]
    penalties: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    """From 1; seats that share a place have the same number (1 2 2 4)."""
    winners: tuple[int, ...]
    """The seats in first place."""
    forfeits: tuple[int, ...]
    """The seats that forfeited."""
    void: bool
    """The match does not count and will be played again; nothing else is set."""


def game_result_of(message: play_pb2.GameEnd) -> GameResult:
    return GameResult(
        message.game, tuple(message.points), tuple(message.winners), tuple(message.acts)
    )


def match_result_of(message: play_pb2.MatchEnd) -> MatchResult:
    return MatchResult(
        points=tuple(message.points),
        penalties=tuple(message.penalties),
        totals=tuple(message.totals),
        places=tuple(message.places),
        winners=tuple(message.winners),
        forfeits=tuple(message.forfeits),
        void=message.void,
    )
