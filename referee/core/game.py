"""The contract between a game's rules and everything that runs it.

A game is an event-sourced fold over *acts*. ``Game`` is the rules at a table
size, immutable; ``State`` is one deal in progress, small and mutable. What
happens without anyone being asked comes from ``forced``; what somebody must
choose comes from ``decision``. Neither assumes one acting seat, one winner, or
that all chance lies in the deal (rulebook §12).

Seats here are the game's own, 0 to n - 1; the match maps them to its seats.

``Act``, ``Answer``, ``Allowed`` and ``View`` are each game's own types. An answer
is what a bot sent, with nothing checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from referee.core.dice import Dice


class HasSeats(Protocol):
    """What every act has: the seats whose act it is."""

    @property
    def seats(self) -> tuple[int, ...]: ...


ActT = TypeVar("ActT", bound=HasSeats)
AnswerT = TypeVar("AnswerT")
AnswerInT = TypeVar("AnswerInT", contravariant=True)
AllowedT = TypeVar("AllowedT")
ViewT = TypeVar("ViewT")
ViewOutT = TypeVar("ViewOutT", covariant=True)


class Closes(Enum):
    """When a decision is over."""

    ALL = "all seats have answered"
    FIRST = "one seat has given a valid answer"
    DEADLINE = "the time is up"


class Decision(NamedTuple, Generic[AllowedT]):
    """What the referee asks: which seats, what each may do, and when it closes."""

    seats: tuple[int, ...]
    allowed: tuple[AllowedT, ...]
    """One each per seat of ``seats``: masks and flags, never a list of answers."""
    closes: Closes = Closes.ALL


class Ruling(NamedTuple):
    """The verdict on an answer that is refused."""

    code: str
    """A stable word, such as ``not_adjacent``."""
    section: str
    """The section of the rulebook that it rests on, such as ``§4.3``."""
    card: int
    """The card at fault as the bot sent it, or 0."""
    text: str
    """One sentence for people."""


class Outcome(NamedTuple):
    """How a game ended. One value per game seat in ``points``."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


class Picture(NamedTuple):
    """A view drawn as text, line by line."""

    table: tuple[str, ...]
    """What everybody sees."""
    own: tuple[str, ...]
    """What this seat alone sees, and what it may do."""


class Explanation(NamedTuple):
    """Why a turn could go as it could: lines for people."""

    reasons: tuple[str, ...]
    """What was possible, what was due, and why; or why nobody was asked."""
    accepted: tuple[str, ...]
    """Which answers would be accepted, described; nothing where nobody was asked."""


class Hue(StrEnum):
    """How a part of a line stands out where there are colours."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    FAINT = "faint"


class Mark(NamedTuple):
    """A part of a line of text that stands out."""

    start: int
    end: int
    hue: Hue
    strong: bool = False
    """The line itself sets it off, too: by a star or brackets."""


class State(Protocol[ActT, AnswerInT, AllowedT, ViewOutT]):
    """One deal in progress.

    Until ``outcome`` is there, exactly one of ``forced`` and ``decision`` is.
    """

    deal: int
    """Which deal of the seed counted: 0, or the number of redeals (§3.2)."""

    def clone(self) -> Self: ...

    def setup(self) -> tuple[str, ...]:
        """Transcript lines that the seed decides before the first act: ``start …`` (§9.3)."""
        ...

    def forced(self) -> ActT | None:
        """What happens next without anyone being asked."""
        ...

    def decision(self) -> Decision[AllowedT] | None: ...

    def judge(self, seat: int, answer: AnswerInT) -> ActT | Ruling:
        """The act that an acting seat's answer makes, or why it is refused. Changes nothing."""
        ...

    def resolve(self, acts: Sequence[ActT]) -> ActT:
        """The one act that the accepted answers make, in their order of arrival."""
        ...

    def apply(self, act: ActT) -> None:
        """Carry out an act that ``forced``, or ``judge`` and ``resolve``, gave."""
        ...

    def view(self, seat: int) -> ViewOutT:
        """All that a seat may know, built up from nothing."""
        ...

    def outcome(self) -> Outcome | None: ...


class Game(Protocol[ActT, AnswerT, AllowedT, ViewT]):
    """A game's rules for one number of seats. Immutable, and serialisable by pickle."""

    @property
    def id(self) -> str:
        """Such as ``elfer-raus``."""
        ...

    @property
    def rules_line(self) -> str:
        """The transcript's rules line after its first word: profile id, then every slot."""
        ...

    @property
    def house_version(self) -> int: ...

    @property
    def seats(self) -> int: ...

    def resize(self, seats: int) -> Self:
        """The same rules for another number of seats (a tie-break game, §7.2)."""
        ...

    def deal(self, dice: Dice, number: int, dealer: int) -> State[ActT, AnswerT, AllowedT, ViewT]:
        """Deal game ``number`` (from 1) of the match."""
        ...

    def text(self, act: ActT) -> str:
        """An act's canonical text, without turn and seats: ``draw Y4 G7 lay G7``."""
        ...

    def seen(self, act: ActT, seat: int) -> str:
        """The text of an act as a seat sees it, with what is hidden counted: ``draw 2``."""
        ...

    def parse(self, seats: tuple[int, ...], text: str) -> ActT:
        """The inverse of ``text``. Raises ``ValueError`` on what ``text`` never prints."""
        ...

    def answer(self, act: ActT) -> AnswerT:
        """The answer that makes this act. Raises ``ValueError`` for one that nobody chooses."""
        ...

    def house(self, view: ViewT) -> AnswerT:
        """What the house player answers to a view with a decision in it."""
        ...

    def ruling(self, view: ViewT, answer: AnswerT) -> Ruling | None:
        """Why an answer to a view with a decision in it is refused, as ``State.judge`` would."""
        ...

    def picture(self, view: ViewT, act: ActT | None = None, names: Sequence[str] = ()) -> Picture:
        """A view drawn for people who watch, replay or play.

        ``names`` are those of the game's seats, where they are to be seen. With ``act``, what
        it brings to the table is there and set off; all else is as before it.
        """
        ...

    def explain(self, view: ViewT, forced: ActT | None) -> Explanation:
        """Why a seat may do what it may, or why ``forced`` happens without asking it.

        The view is the acting seat's, before the act.
        """
        ...

    def explain_ruling(self, view: ViewT, answer: AnswerT, ruling: Ruling) -> tuple[str, ...]:
        """What is at fault in a refused answer and why that comes first, line by line."""
        ...

    def rulebook(self, section: str) -> str | None:
        """The rulebook's own sentence in a section that rulings rest on."""
        ...

    def marks(self, line: str) -> tuple[Mark, ...]:
        """Where colours stand in a line about this game: of a picture, an act, a ruling."""
        ...

    @property
    def manual(self) -> tuple[str, ...]:
        """How a person types answers."""
        ...

    def menu(self, view: ViewT) -> tuple[str, ...]:
        """What a person can answer to a view with a decision in it."""
        ...

    def read(self, view: ViewT, text: str) -> AnswerT:
        """The answer that a person typed, with nothing judged.

        Raises ``ValueError``, which says what cannot be read and what could.
        """
        ...

    def hints(self, view: ViewT) -> tuple[str, ...]:
        """What a person may want to know before answering a view with a decision in it."""
        ...
