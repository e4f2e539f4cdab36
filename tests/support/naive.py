"""Elfer raus! once more, slowly: from the rulebook's words, with sets of card names.

It shares nothing with the engine: it reads the rules line and the acts as text.
"""

from collections.abc import Sequence
from copy import copy

COLOURS = "RYGB"


class NaiveGame:
    """A game from its deal on. Cards are names, ``R11``; a row is a set of numbers."""

    def __init__(
        self,
        rules_line: str,
        setup: Sequence[str],
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        dealer: int,
    ) -> None:
        self.slots = dict(word.split("=") for word in rules_line.split(" ")[1:])
        low, high = self.slots["numbers"].split("-")
        self.deck = {
            f"{colour}{number}"
            for colour in self.slots["colours"]
            for number in range(int(low), int(high) + 1)
        }
        table = [] if self.slots["table"] == "-" else self.slots["table"].split(",")
        self.rows = {colour: {int(number) for number in table} for colour in self.slots["colours"]}
        self.drawn_starts = setup[0].split(" ")[1:] if setup else []
        self.first_laid: str | None = None
        self.hands = [set(hand) for hand in hands]
        self.stock = list(stock)
        self.moved: list[bool] = []
        """For each turn so far: was a card laid or drawn?"""
        self.seat, self.opening = self._opener(dealer)

    def is_start(self, card: str) -> bool:
        start = self.slots["start"]
        if start == "any":
            return self.first_laid is None or card[1:] == self.first_laid[1:]
        if "|" in start:
            return card in self.drawn_starts
        return card[1:] in start.split(",")

    def fits(self, card: str) -> bool:
        row = self.rows[card[0]]
        number = int(card[1:])
        if not row:
            return self.is_start(card)
        return number - 1 in row or number + 1 in row

    def fitting(self) -> set[str]:
        return {card for card in self.hands[self.seat] if self.fits(card)}

    def frontier(self) -> set[str]:
        on_table = {f"{colour}{n}" for colour, row in self.rows.items() for n in row}
        return {card for card in self.deck - on_table if self.fits(card)}

    def forced(self) -> str | None:
        """The act that nobody is asked for."""
        if self.opening is not None and not self.moved:
            return f"open {self.opening}"
        if self.fitting():
            return None
        drawn: list[str] = []
        for card in self.stock[: int(self.slots["draw"])]:
            drawn.append(card)
            if self.fits(card):
                return f"draw {' '.join(drawn)} lay {card}"
        return f"draw {' '.join(drawn)}" if drawn else "stuck"

    def verdict(self, answer: Sequence[int]) -> str | None:
        """The first reason to refuse an answer (§4.7), or ``None``."""
        after = copy(self)
        after.rows = {colour: set(row) for colour, row in self.rows.items()}
        after.hands = [set(hand) for hand in self.hands]
        mine = after.hands[self.seat]
        named = set()
        for raw in answer:
            card = _name(raw)
            if card not in self.deck:
                return "not_in_deck"
            if card in named:
                return "named_twice"
            named.add(card)
            if card not in mine:
                return "not_in_hand"
            if not after.fits(card):
                return "not_adjacent" if after.rows[card[0]] else "row_not_opened"
            after.lay(card)
        if len(answer) > 1 and self.slots["opening"] == "one" and not self.moved:
            return "one_card_only"
        if self.slots["duty"] == "yes" and any(
            after.is_start(card) and not after.rows[card[0]] for card in mine
        ):
            return "duty_unmet"
        if not answer and self.slots["pass"] == "stuck":
            return "must_lay"
        if not answer and not any(self.moved[1 - len(self.hands) :]):
            return "pass_not_allowed"
        return None

    def apply(self, act: str) -> None:
        """Carry out an act's text."""
        verb, *cards = act.split(" ")
        if verb == "draw":
            drawn = cards[:-2] if "lay" in cards else cards
            assert drawn == self.stock[: len(drawn)]
            del self.stock[: len(drawn)]
            self.hands[self.seat] |= set(drawn)
            cards = cards[-1:] if "lay" in cards else []
        for card in cards:
            self.lay(card)
        self.moved.append(verb in ("open", "lay", "draw"))
        if self.hands[self.seat]:
            self.seat = (self.seat + 1) % len(self.hands)

    def lay(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.rows[card[0]].add(int(card[1:]))
        self.first_laid = self.first_laid or card

    def points(self) -> list[int] | None:
        if all(self.hands):
            return None
        return [sum(int(card[1:]) for card in hand) for hand in self.hands]

    def _opener(self, dealer: int) -> tuple[int, str | None]:
        """Who begins, and the card that is laid for them."""
        clockwise = [(dealer + 1 + step) % len(self.hands) for step in range(len(self.hands))]
        rule = self.slots["opener"]
        seat, card = clockwise[0], None
        if rule in ("first", "clockwise", "eleven"):
            colours = "R" if rule == "clockwise" else COLOURS
            candidates = [
                (COLOURS.index(card[0]), int(card[1:]), card, seat)
                for seat, hand in enumerate(self.hands)
                for card in hand
                if card[0] in colours
                and (card[1:] == "11" if rule == "eleven" else self.is_start(card))
            ]
            if candidates:
                _, _, card, seat = min(candidates)
            elif rule == "clockwise":
                for holder in clockwise:
                    starts = [card for card in self.hands[holder] if self.is_start(card)]
                    if starts:
                        seat = holder
                        card = min(starts, key=lambda c: (COLOURS.index(c[0]), int(c[1:])))
                        break
        return seat, card if self.slots["opening"] == "alone" else None


def _name(raw: int) -> str:
    if not 1 <= raw <= 80:
        return "?"
    return f"{COLOURS[(raw - 1) // 20]}{(raw - 1) % 20 + 1}"
