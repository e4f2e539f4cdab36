"""Elfer raus! as a ``Game`` (see ``referee.core.game``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from referee.core.dice import Dice
from referee.core.errors import InputError
from referee.core.game import Explanation, Mark, Picture, Ruling
from referee.games.elfer_raus import explanation, hints, house, menu, notation, picture
from referee.games.elfer_raus.deal import deal
from referee.games.elfer_raus.judge import refusal
from referee.games.elfer_raus.notation import LAY, PASS, Act
from referee.games.elfer_raus.profiles import CUSTOM, PROFILES
from referee.games.elfer_raus.rulebook import SENTENCES
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.slots import parse_slots, print_slots
from referee.games.elfer_raus.state import Answer, ElferRausState
from referee.games.elfer_raus.view import View

ID: Final = "elfer-raus"


@dataclass(frozen=True, slots=True)
class ElferRaus:
    """The rules for one number of seats. Raises ``InputError`` on one they do not allow (§2.5)."""

    profile: str
    """With its version: ``ravensburger@1``, or ``custom@1``."""
    rules: Rules
    seats: int

    def __post_init__(self) -> None:
        if self.seats not in self.rules.seat_counts:
            allowed = ", ".join(map(str, self.rules.seat_counts))
            raise InputError(
                f"seats: {self.seats} is not allowed by {self.profile}; allowed: {allowed}"
            )

    @classmethod
    def of_profile(cls, profile: str, seats: int) -> Self:
        """The game of a named profile, its version included (§9). Raises ``KeyError``."""
        return cls(profile, PROFILES[profile], seats)

    @classmethod
    def of_line(cls, profile: str, slots: str, seats: int) -> Self:
        """The inverse of ``rules_line``, after its first word.

        Raises ``InputError`` on slots that cannot be, or are not those of the profile.
        """
        rules = parse_slots(slots)
        if profile != CUSTOM and rules != PROFILES[profile]:
            raise InputError(f"rules: the slots are not those of {profile}")
        return cls(profile, rules, seats)

    @property
    def id(self) -> str:
        return ID

    @property
    def rules_line(self) -> str:
        return f"{self.profile} {print_slots(self.rules)}"

    @property
    def house_version(self) -> int:
        return house.VERSION

    def resize(self, seats: int) -> Self:
        return replace(self, seats=seats)

    def deal(self, dice: Dice, number: int, dealer: int) -> ElferRausState:
        return ElferRausState(self.rules, deal(self.rules, self.seats, dice, number, dealer))

    def text(self, act: Act) -> str:
        return notation.text(act)

    def seen(self, act: Act, seat: int) -> str:
        return notation.seen(act, seat)

    def parse(self, seats: tuple[int, ...], text: str) -> Act:
        return notation.parse(seats, text)

    def answer(self, act: Act) -> Answer:
        if act.verb not in (LAY, PASS):
            raise ValueError(f"nobody chooses to {act.verb}")
        return act.cards

    def house(self, view: View) -> Answer:
        return house.answer(view)

    def ruling(self, view: View, answer: Answer) -> Ruling | None:
        allowed = menu.choices(view)
        seats = len(view.hand_sizes)
        return refusal(self.rules, allowed, view.laid, view.starts, view.hand, seats, answer)

    def picture(self, view: View, act: Act | None = None, names: Sequence[str] = ()) -> Picture:
        return picture.picture(self.rules, view, act, names)

    def explain(self, view: View, forced: Act | None) -> Explanation:
        return explanation.explain(self.rules, view, forced)

    def explain_ruling(self, view: View, answer: Answer, ruling: Ruling) -> tuple[str, ...]:
        return explanation.explain_ruling(self.rules, view, answer, ruling)

    def rulebook(self, section: str) -> str | None:
        return SENTENCES.get(section)

    def marks(self, line: str) -> tuple[Mark, ...]:
        return picture.marks(line)

    @property
    def manual(self) -> tuple[str, ...]:
        return menu.MANUAL

    def menu(self, view: View) -> tuple[str, ...]:
        return menu.menu(view)

    def read(self, view: View, text: str) -> Answer:
        return menu.read(view, text)

    def hints(self, view: View) -> tuple[str, ...]:
        return hints.hints(self.rules, view)
