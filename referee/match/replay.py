"""A transcript played again: dealt from its seed, every line applied, the house asked anew.

The first line that the rules would not have written is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from referee.core.dice import Dice
from referee.core.errors import InputError, VerificationError
from referee.core.game import Ruling
from referee.games.registry import AnyGame, game_of_line
from referee.match.series import Pairing, Played, parse_series, points_of
from referee.match.transcript import (
    NOTATION_VERSION,
    AnyState,
    act_line,
    deal,
    end_line,
    forfeit_line,
    game_lines,
    header_lines,
    house_act,
    joined,
    over,
    total_line,
)

LONGEST: Final = 64 * 1024 * 1024
"""Characters of a transcript that is read at all."""
_MOST_SHOWN: Final = 250


class TranscriptError(VerificationError):
    """The first line of a transcript that does not hold."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        self.line = line
        self.expected = expected
        self.found = found if len(found) <= _MOST_SHOWN else f"{found[:_MOST_SHOWN]}..."
        super().__init__(f"transcript line {line}: expected {expected}, found {self.found}")


class GameBegun(NamedTuple):
    """A ``game`` line and what the seed decides with it."""

    line: int
    pairing: Pairing
    state: AnyState


class Acted(NamedTuple):
    """An act, with the state before it. The state goes on: clone what you keep."""

    line: int
    pairing: Pairing
    turn: int
    seats: tuple[int, ...]
    """Match seats."""
    house: bool
    chosen: bool
    """Whether somebody was asked, or it just happened."""
    act: Any
    text: str
    state: AnyState


class Forfeited(NamedTuple):
    """A ``forfeit`` line: from here the house plays the seat."""

    line: int
    game: int
    """0 before the first game."""
    turn: int
    """The turn that comes next; 0 between games."""
    seat: int


class GameOver(NamedTuple):
    """An ``end`` line."""

    line: int
    played: Played
    winners: tuple[int, ...]


Step = GameBegun | Acted | Forfeited | GameOver

_SEATS: Final = re.compile(r"[1-9]")
_HOUSE_LINE: Final = re.compile(r"elfer ([0-9]{1,9}) house ([0-9]{1,9})")
_ACT_LINE: Final = re.compile(
    r"([1-9][0-9]{0,8}) ((?:0|[1-9][0-9]{0,2})(?: (?:0|[1-9][0-9]{0,2}))*) (house )?([a-z].*)"
)


class Replay:
    """Plays a transcript again.

    ``steps`` yields what happened, line by line, and raises ``TranscriptError`` at the
    first line that does not follow from seed, rules and the lines before. After it,
    ``played``, ``forfeits`` and ``complete`` say how the match stood at its end.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise VerificationError(f"the transcript is longer than {LONGEST} characters")
        self._lines = text.split("\n")
        self._at = 0
        if self._lines.pop() != "":
            raise TranscriptError(len(self._lines) + 1, "a line end", "the end of the text")
        house_line = self._next("elfer 1 house 1")
        match = _HOUSE_LINE.fullmatch(house_line)
        if match is None or int(match[1]) != NOTATION_VERSION:
            raise self._wrong(f"notation {NOTATION_VERSION}")
        rules = self._field("rules")
        series = self._field("series")
        try:
            self.series = parse_series(series)
        except ValueError as error:
            raise self._wrong("a series", str(error)) from None
        seats = self._field("seats")
        if not _SEATS.fullmatch(seats):
            raise self._wrong("a number of seats")
        try:
            self.game: AnyGame = game_of_line(rules, int(seats))
            for size in self.series.table_sizes(self.game.seats):
                self.game.resize(size)
        except (ValueError, InputError) as error:
            raise TranscriptError(2, "rules that this referee plays", str(error)) from None
        seed = self._field("seed")
        try:
            self.dice = Dice(bytes.fromhex(seed))
        except ValueError as error:
            raise self._wrong("a seed", str(error)) from None
        expected = header_lines(self.game, self.series, self.dice.seed)
        for number, (want, found) in enumerate(zip(expected, self._lines, strict=False), 1):
            if want != found:
                raise TranscriptError(number, repr(want), repr(found))
        self.seats = self.game.seats
        self.seed = self.dice.seed
        self.played: list[Played] = []
        self.forfeits: set[int] = set()
        self.complete = False
        """Whether the match came to its end; false where all seats forfeited."""

    def steps(self) -> Iterator[Step]:
        while (pairing := self.series.next(self.seats, self.played)) is not None:
            yield from self._forfeits(len(self.played), 0)
            if self._all_forfeited():
                break
            yield from self._game(pairing)
            if self._all_forfeited():
                break
        else:
            self._expect(total_line(points_of(self.seats, self.played)))
            self.complete = True
        if self._at < len(self._lines):
            self._next("")
            raise self._wrong("the end of the text")

    def _all_forfeited(self) -> bool:
        return len(self.forfeits) == self.seats

    def _game(self, pairing: Pairing) -> Iterator[Step]:
        state = deal(self.game, self.dice, pairing)
        for line in game_lines(pairing, state):
            self._expect(line)
        yield GameBegun(self._at, pairing, state)
        turn = 0
        while (end := over(pairing, self.seats, state)) is None:
            turn += 1
            yield from self._forfeits(pairing.number, turn)
            if self._all_forfeited():
                return
            acted = self._act(pairing, turn, state)
            yield acted
            state.apply(acted.act)
        played, winners = end
        self._expect(end_line(winners, played.points))
        self.played.append(played)
        yield GameOver(self._at, played, winners)

    def _forfeits(self, game: int, turn: int) -> Iterator[Forfeited]:
        while self._at < len(self._lines) and self._lines[self._at].startswith("forfeit "):
            found = self._next("")
            open_seats = [seat for seat in range(self.seats) if seat not in self.forfeits]
            seat = next((s for s in open_seats if found == forfeit_line(s)), None)
            if seat is None:
                raise self._wrong("the forfeit of a seat that still plays")
            self.forfeits.add(seat)
            yield Forfeited(self._at, game, turn, seat)

    def _act(self, pairing: Pairing, turn: int, state: AnyState) -> Acted:
        forced = state.forced()
        if forced is not None:
            seats = tuple(pairing.seats[seat] for seat in forced.seats)
            text = self.game.text(forced)
            self._expect(act_line(turn, seats, False, text))
            return Acted(self._at, pairing, turn, seats, False, False, forced, text, state)
        decision = state.decision()
        assert decision is not None
        due = tuple(pairing.seats[seat] for seat in decision.seats)
        expected = f"turn {turn} of seat {joined(due)}"
        match = _ACT_LINE.fullmatch(self._next(expected))
        if match is None or int(match[1]) != turn:
            raise self._wrong(expected)
        seats = tuple(map(int, match[2].split(" ")))
        if not set(seats) <= set(due):
            raise self._wrong(expected)
        house = match[3] is not None
        text = match[4]
        act = self._chosen(tuple(pairing.seats.index(seat) for seat in seats), text, state)
        if house:
            by_house = house_act(self.game, state, act.seats[0])
            if by_house != act:
                raise self._wrong(f"the house player's {self.game.text(by_house)!r}")
        elif self.forfeits.intersection(seats):
            raise self._wrong("the house player's act for a forfeited seat")
        return Acted(self._at, pairing, turn, seats, house, True, act, text, state)

    def _chosen(self, seats: tuple[int, ...], text: str, state: AnyState) -> Any:
        try:
            act = self.game.parse(seats, text)
            judged = state.judge(seats[0], self.game.answer(act))
        except ValueError as error:
            raise self._wrong("an act that a seat can choose", str(error)) from None
        if isinstance(judged, Ruling):
            raise self._wrong("a legal act", f"{text!r}: {judged.text} ({judged.section})")
        if judged != act:
            raise self._wrong(repr(self.game.text(judged)))
        return act

    def _next(self, expected: str) -> str:
        if self._at >= len(self._lines):
            self._at += 1
            raise TranscriptError(self._at, expected, "the end of the text")
        self._at += 1
        return self._lines[self._at - 1]

    def _field(self, name: str) -> str:
        line = self._next(f"'{name} …'")
        word, _, rest = line.partition(" ")
        if word != name:
            raise self._wrong(f"'{name} …'")
        return rest

    def _expect(self, line: str) -> None:
        if self._next(repr(line)) != line:
            raise self._wrong(repr(line))

    def _wrong(self, expected: str, found: str | None = None) -> TranscriptError:
        line = self._lines[self._at - 1]
        return TranscriptError(self._at, expected, repr(line[:200]) if found is None else found)
