"""The port through which a table meets a player, wherever that player runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from referee.core.game import Ruling
from referee.match.clock import Evidence, TimeControl, allowed
from referee.match.conduct import Conduct, Consequence, Infraction
from referee.match.record import Result
from referee.match.series import Series


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A match begins. Everything that a seat may know of it."""

    match_id: str
    """Opaque, and new for every attempt: a match key would let a bot recognise a deal."""
    game_id: str
    rules_line: str
    series: Series
    seats: int
    seat: int
    time_control: TimeControl
    conduct: Conduct
    seed_commitment: bytes
    dice_seed: bytes


@dataclass(frozen=True, slots=True)
class GameStart:
    game: int
    dealer: int
    seats: tuple[int, ...]
    """The match seats that play."""
    points: tuple[int, ...]
    view: Any
    """The game's own view type."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question: the decision is in the view."""

    request_id: str
    game: int
    turn: int
    try_: int
    left_us: int | None
    """Of this turn's limit; of the three, ``None`` is no limit or no bank."""
    bank_us: int | None
    match_left_us: int | None
    acts: tuple[str, ...]
    """Transcript lines as this seat sees them, since its last question of this game."""
    dealer: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    view: Any

    @property
    def allowed_us(self) -> int | None:
        """How long the answer may take; ``None`` is for ever."""
        return allowed(self.left_us, self.bank_us, self.match_left_us)


@dataclass(frozen=True, slots=True)
class Ruled:
    """An answer was refused, or a breach found."""

    request_id: str
    ruling: Ruling
    kind: Infraction
    penalty: int
    strikes: int
    """How many the seat has in this match."""
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class GameEnd:
    game: int
    acts: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnd:
    result: Result | None
    """``None``: the match is void and will be played again."""


Message = MatchStart | GameStart | Ruled | GameEnd | MatchEnd


class Reply(NamedTuple):
    """An answer that could be read, with nothing else checked."""

    answer: Any
    """The game's own answer type."""
    evidence: Evidence


class Fault(NamedTuple):
    """No answer that could be read."""

    kind: Infraction
    evidence: Evidence
    detail: str
    """For the record: what was seen, such as an exit status."""


class Stray(NamedTuple):
    """A breach outside any question that is open."""

    kind: Infraction
    detail: str


class Player(Protocol):
    """One seat's player for the matches of a sitting.

    Its faults are data. An exception out of these methods is the referee's or the
    host's, and voids the match.
    """

    async def ask(self, ask: Ask) -> Reply | Fault:
        """Ask, and wait until there is an answer, a fault, or ``ask.allowed_us`` is over."""
        ...

    def tell(self, message: Message) -> None:
        """Tell something, at the latest with the next question. Never blocks."""
        ...

    def strays(self) -> tuple[Stray, ...]:
        """Breaches since the last call that no question shows."""
        ...
