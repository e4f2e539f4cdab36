"""The worked examples of ``docs/rules.md``: read, played by the engine, and written again.

An example is a fenced block. Given are its first line, ``start``, ``dealt``, ``stock`` and
``turn`` lines, and the answers in brackets; without ``dealt`` lines also the rows and the hand.
All else follows, and so does the whole block from what is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Self

from elfer.cards import Card, Colour, cards_of
from elfer.ruling import Code
from elfer.tableau import ROW
from referee.core.game import Ruling
from referee.games.elfer_raus import notation
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.state import ElferRausState
from referee.games.registry import rules_for
from tests.support import positions

BLOCK: Final = re.compile(r"```position\n(.*?)```\n", re.DOTALL)
_FIRST: Final = re.compile(r"([a-z0-9-]+), ([2-6]) seats(?:, dealer ([0-5]))?")
_TURN: Final = re.compile(r"turn [0-9]+ +seat ([0-5]): (.+)")
_ANSWER: Final = re.compile(r"\[([^]]*)\] .*")
_WIDTH: Final = 9


@dataclass
class Example:
    profile: str
    seats: int
    dealer: int | None
    start: str = ""
    dealt: list[str] = field(default_factory=list)
    stock: str = ""
    turns: list[tuple[int, str]] = field(default_factory=list)
    laid: list[str] = field(default_factory=list)
    hand: str = ""
    answers: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, block: str) -> Self:
        """Raises ``AssertionError`` on a line of no kind."""
        first, *lines = block.splitlines()
        match = _FIRST.fullmatch(first)
        assert match, first
        example = cls(match[1], int(match[2]), int(match[3]) if match[3] else None)
        for line in lines:
            example._take(line)
        return example

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in {str(colour) for colour in Colour}:
            letter = word[0].upper()
            self.laid += [letter + number for number in rest.split() if number.isdecimal()]
        elif word == "dealt":
            self.dealt.append(rest.partition(" ")[2].strip())
        elif word == "stock":
            self.stock = rest
        elif word == "start":
            self.start = rest
        elif turn := _TURN.fullmatch(line):
            self.turns.append((int(turn[1]), turn[2]))
        elif word == "seat":
            self.hand = rest.partition(" ")[2].strip()
        elif answer := _ANSWER.fullmatch(line):
            self.answers.append(answer[1])
        else:
            assert word in ("fits", "due", "not"), line

    def state(self) -> ElferRausState:
        if self.dealer is None:
            others = [positions.ELSEWHERE] * (self.seats - 1)
            laid = " ".join(self.laid)
            return positions.position(
                self.profile, self.hand, *others, laid=laid, stock=self.stock, starts=self._starts()
            )
        state = positions.opening(self.profile, *self.dealt, dealer=self.dealer, stock=self.stock)
        for seat, text in self.turns:
            assert state.seat == seat
            act = notation.parse((seat,), text)
            assert (state.forced() or state.judge(seat, tuple(map(int, act.cards)))) == act
            state.apply(act)
        return state

    def _starts(self) -> str | None:
        """Start cards of the rows that are closed, where they are drawn."""
        open_rows = {name[0] for name in self.laid}
        closed = [name for name in self.start.split() if name[0] not in open_rows]
        return " ".join(closed) if self.start else None

    def write(self) -> str:
        return "\n".join(self._lines(self.state())) + "\n"

    def _lines(self, state: ElferRausState) -> Iterator[str]:
        dealer = "" if self.dealer is None else f", dealer {self.dealer}"
        yield f"{self.profile}, {self.seats} seats{dealer}"
        if self.start:
            yield _line("start", self.start)
        for seat, hand in enumerate(self.dealt):
            yield _line(f"dealt {seat}", hand)
        if self.stock:
            yield _line("stock", self.stock)
        for number, (seat, text) in enumerate(self.turns, 1):
            yield _line(f"turn {number}", f"seat {seat}: {text}")
        rules = rules_for(self.profile)
        for colour in rules.colours:
            yield _row(rules, colour, state.laid)
        view = state.view(state.seat)
        yield _line(f"seat {state.seat}", _names(view.hand))
        if (forced := state.forced()) is not None:
            yield f"not asked: {notation.text(forced)}"
            return
        assert view.allowed is not None
        yield _line("fits", _names(view.allowed.fits))
        if view.allowed.due:
            yield _line("due", _names(view.allowed.due))
        width = max(map(len, self.answers)) + 2
        for answer in self.answers:
            cards = positions.answer(answer)
            yield f"{f'[{answer}]':<{width}}  {_verdict(state, state.judge(state.seat, cards))}"


def _line(word: str, rest: str) -> str:
    return f"{word:<{_WIDTH}}{rest}"


def _names(cards: int) -> str:
    return " ".join(card.name for card in cards_of(cards)) or "-"


def _row(rules: Rules, colour: Colour, laid: int) -> str:
    low, high = rules.numbers
    if not laid & ROW[Card[f"{colour.letter}1"]]:
        return _line(str(colour), "closed")
    row = [card for card in Card if card.colour is colour and low <= card.number <= high]
    cells = (f"{card.number if card.bit & laid else '.':>2}" for card in row)
    return _line(str(colour), " ".join(cells))


def _verdict(state: ElferRausState, verdict: notation.Act | Ruling) -> str:
    if isinstance(verdict, Ruling):
        return f"refused, {Code(verdict.code)} ({verdict.section}): {verdict.text}"
    if not verdict.cards:
        return "accepted, a pass"
    out = len(verdict.cards) == state.hands[state.seat].bit_count()
    return "accepted, and out" if out else "accepted"
