"""One deal in progress: what happens next, what may be chosen, and what comes of it (§3 to §6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Self

from elfer.cards import BIT, Card, cards_of, mask_of
from elfer.tableau import fitting, starts_named, still_closed
from referee.core.game import Decision, Outcome, Ruling
from referee.games.elfer_raus.deal import Dealt
from referee.games.elfer_raus.judge import refusal
from referee.games.elfer_raus.notation import DRAW, LAY, OPEN, PASS, STUCK, Act
from referee.games.elfer_raus.rules import Opening, Passing, Rules, StartKind
from referee.games.elfer_raus.view import Allowed, View

Answer = tuple[int, ...]
"""Cards by their numbers in the protocol, in the order in which they are laid; empty to pass."""

_CARD: Final = {int(card): card for card in Card}


class ElferRausState:
    """A ``State`` (see ``referee.core.game``). Sets of cards are masks (see ``elfer.cards``)."""

    __slots__ = (
        "_allowed",
        "_duty",
        "_free",
        "_idle",
        "_opening",
        "_rules",
        "_sizes",
        "_starts",
        "any_start",
        "deal",
        "hands",
        "laid",
        "seat",
        "stock",
    )

    def __init__(self, rules: Rules, dealt: Dealt) -> None:
        self._rules = rules
        self.deal = dealt.deal
        self.hands = list(dealt.hands)
        self.stock = dealt.stock
        """What is left to draw, the top first."""
        self.laid = dealt.laid
        self.seat = dealt.opener
        """Whose turn it is; at the end, who went out."""
        self._starts = dealt.starts
        self._sizes = [hand.bit_count() for hand in self.hands]
        self.any_start = rules.start.kind is StartKind.ANY
        """The first card laid names the start number of the other colours (§9.5)."""
        self._duty = rules.duty
        self._free = rules.passing is Passing.FREE
        self._opening = dealt.opening
        self._idle = len(self.hands) - 1
        """How many turns in a row laid and drew nothing. None has yet, so nobody may pass."""
        self._allowed: Allowed | None = None
        if self._opening is None:
            self._begin_turn(single=rules.opening is Opening.ONE)

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.hands = self.hands.copy()
        twin._sizes = self._sizes.copy()
        return twin

    def setup(self) -> tuple[str, ...]:
        if self._rules.start.kind is not StartKind.DRAWN:
            return ()
        return (" ".join(["start", *(card.name for card in cards_of(self._starts))]),)

    def forced(self) -> Act | None:
        """The opening card (§3.3), or what a seat does that holds nothing that fits (§5)."""
        if self._allowed is not None or not self.hands[self.seat]:
            return None
        if self._opening is not None:
            return Act((self.seat,), OPEN, (self._opening,))
        drawn = self.stock[: self._rules.draw]
        if not drawn:
            return Act((self.seat,), STUCK)
        for count, card in enumerate(drawn, start=1):
            if fitting(self.laid, self._starts, BIT[card]):
                return Act((self.seat,), DRAW, drawn[:count], card)
        return Act((self.seat,), DRAW, drawn)

    def decision(self) -> Decision[Allowed] | None:
        if self._allowed is None:
            return None
        return Decision((self.seat,), (self._allowed,))

    def judge(self, seat: int, answer: Answer) -> Act | Ruling:
        """The verdict of §4.7."""
        allowed = self._allowed
        if allowed is None or seat != self.seat:
            raise ValueError(f"seat {seat} has nothing to choose")
        hands = self.hands
        refused = refusal(
            self._rules, allowed, self.laid, self._starts, hands[seat], len(hands), answer
        )
        if refused is not None:
            return refused
        if answer:
            return Act((seat,), LAY, tuple([_CARD[raw] for raw in answer]))
        return Act((seat,), PASS)

    def resolve(self, acts: Sequence[Act]) -> Act:
        (act,) = acts
        return act

    def apply(self, act: Act) -> None:
        seat = self.seat
        cards = act.cards
        if act.verb is DRAW:
            self.hands[seat] |= mask_of(cards)
            self._sizes[seat] += len(cards)
            self.stock = self.stock[len(cards) :]
            self._idle = 0
            cards = () if act.laid is None else (act.laid,)
        elif cards:
            self._idle = 0
        else:
            self._idle += 1
        if cards:
            starts = self._starts
            if self.any_start:
                starts = starts_named(self.laid, starts, cards)
            if starts:
                self._starts = still_closed(starts, cards)
            mask = mask_of(cards)
            self.laid |= mask
            self.hands[seat] ^= mask
            self._sizes[seat] -= len(cards)
        self._opening = None
        self._allowed = None
        if self.hands[seat]:
            self.seat = (seat + 1) % len(self.hands)
            self._begin_turn()

    def view(self, seat: int) -> View:
        return View(
            seat,
            self.hands[seat],
            self.laid,
            self._starts,
            len(self.stock),
            tuple(self._sizes),
            self._allowed if seat == self.seat else None,
        )

    def outcome(self) -> Outcome | None:
        """Points and the seat that went out (§6)."""
        if self.hands[self.seat]:
            return None
        points = tuple(sum(card.number for card in cards_of(hand)) for hand in self.hands)
        return Outcome(points, (self.seat,))

    def _begin_turn(self, *, single: bool = False) -> None:
        """Find out what the seat may choose, if anything."""
        hand = self.hands[self.seat]
        if fits := fitting(self.laid, self._starts, hand):
            due = self._starts & hand if self._duty else 0
            may_pass = self._free and not due and self._idle < len(self.hands) - 1
            self._allowed = Allowed(fits, due, may_pass, single)
