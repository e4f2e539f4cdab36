"""Why a turn could go as it could: what fitted and why, what was drawn, what is at fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from elfer.cards import Card, cards_of
from elfer.ruling import Code
from elfer.tableau import ROW, fitting, frontier, legal_prefix, starts_named
from referee.core.game import Explanation, Ruling
from referee.games.elfer_raus import house
from referee.games.elfer_raus.judge import refusal
from referee.games.elfer_raus.notation import DRAW, OPEN, Act
from referee.games.elfer_raus.rules import Opener, Passing, Rules, StartKind
from referee.games.elfer_raus.view import Allowed, View

_OF_A_CARD: Final = {
    Code.NOT_IN_DECK: "not a card of this deck",
    Code.NAMED_TWICE: "named twice",
    Code.NOT_IN_HAND: "not in hand",
    Code.ROW_NOT_OPENED: "row not opened",
    Code.NOT_ADJACENT: "not adjacent",
}
_OF_THE_WHOLE: Final = {
    Code.ONE_CARD_ONLY: "one card only",
    Code.DUTY_UNMET: "duty of the start card unmet",
    Code.MUST_LAY: "must lay",
    Code.PASS_NOT_ALLOWED: "pass not allowed",
}
"""In the order of §4.7, and in its words."""


def explain(rules: Rules, view: View, forced: Act | None) -> Explanation:
    if forced is not None:
        return Explanation(tuple(_unasked(rules, view, forced)), ())
    if view.allowed is None:
        raise ValueError("there is nothing to choose")
    return Explanation(
        tuple(_reasons(rules, view, view.allowed)), tuple(_accepted(rules, view, view.allowed))
    )


def _reasons(rules: Rules, view: View, allowed: Allowed) -> Iterator[str]:
    for card in cards_of(allowed.fits):
        yield f"fits    {card}: {_why_it_fits(rules, view, card)}"
    if allowed.due:
        yield f"due     {_names(allowed.due)}: a start card of a closed row may not stay (§4.5)"
    else:
        yield "due     nothing" + (" (§4.5)" if rules.duty else ": these rules have no duty")
    yield f"pass    {_whether_to_pass(rules, view, allowed)}"


def _why_it_fits(rules: Rules, view: View, card: Card) -> str:
    if not view.starts & card.bit:
        beside = cards_of((card.bit << 1 | card.bit >> 1) & view.laid)
        return f"next to {' and '.join(map(str, beside))} (§4.3)"
    if rules.start.kind is StartKind.ANY and not view.laid:
        return "before the first card every card fits (§9.5)"
    return f"a start card, and the {card.colour} row is closed (§4.3)"


def _whether_to_pass(rules: Rules, view: View, allowed: Allowed) -> str:
    if allowed.may_pass:
        return "allowed (§9.1)"
    if rules.passing is Passing.STUCK:
        return "not allowed, as a card fits (§4.6)"
    if allowed.due:
        return "not allowed while a start card is due (§9.1)"
    turns = len(view.hand_sizes) - 1
    last = "turn" if turns == 1 else f"{turns} turns"
    return f"not allowed, as nobody laid or drew a card in the last {last} (§9.1)"


def _accepted(rules: Rules, view: View, allowed: Allowed) -> Iterator[str]:
    seats = len(view.hand_sizes)
    alone = [
        card.name
        for card in cards_of(allowed.fits)
        if refusal(rules, allowed, view.laid, view.starts, view.hand, seats, (card,)) is None
    ]
    yield f"one     {' or '.join(alone) or 'no card'} alone"
    if allowed.single:
        yield "more    none: one card only is laid in this turn (§9.5)"
    else:
        chains = [chain for colour in rules.colours if len(chain := _longest(view, colour)) > 1]
        for chain in chains:
            yield f"chain   {' '.join(map(str, chain))}, or its beginning"
        if len({card.colour for card in cards_of(allowed.fits)}) > 1:
            yield "        cards of several rows together, each row in its order (§4.4)"
        if allowed.due:
            yield f"due     only with {_names(allowed.due)} among the cards (§4.5)"
    yield f"pass    {'no card at all' if allowed.may_pass else 'not without a card'}"
    yield f"house   would lay {' '.join(Card(card).name for card in house.answer(view))}"


def _longest(view: View, colour: int) -> tuple[Card, ...]:
    """The most cards of one row that can be laid in this turn, in an order that can be laid."""
    row = next(ROW[card] for card in Card if card.colour == colour)
    hand = view.hand & row
    chains = (
        (first, *_following(view.laid | first.bit, hand ^ first.bit))
        for first in cards_of(fitting(view.laid, view.starts, hand))
    )
    return max(chains, key=len, default=())


def _following(laid: int, hand: int) -> Iterator[Card]:
    while fits := fitting(laid, 0, hand):
        card = cards_of(fits)[0]
        yield card
        laid |= card.bit
        hand ^= card.bit


def _unasked(rules: Rules, view: View, act: Act) -> Iterator[str]:
    if act.verb is OPEN:
        yield f"open    {act.cards[0]}: {_why_it_opens(rules)} (§3.1)"
        yield "        nobody is asked: the referee lays the opening card (§3.3)"
        return
    yield "fits    nothing in the hand, so nobody is asked (§4.6)"
    would = frontier(view.laid, view.starts, rules.deck)
    yield f"wanted  {_names(would)}: the cards that would fit, wherever they are"
    if act.verb is not DRAW:
        yield "stock   empty, so the seat passes (§5.3)"
        return
    for card in act.cards:
        fits = card is act.laid
        yield f"drawn   {card}: " + ("fits, and is laid at once (§5.1)" if fits else "kept")
    if act.laid is None:
        ran_out = len(act.cards) == view.stock
        why = "the stock ran out (§5.3)" if ran_out else f"{rules.draw} at most are drawn (§5.2)"
        yield f"        the turn ends: {why}"


def _why_it_opens(rules: Rules) -> str:
    if rules.opener is Opener.CLOCKWISE:
        return "the red start card, or else the first in a hand clockwise from the dealer"
    return "the first start card, red before yellow, green and blue, that is in a hand"


def explain_ruling(
    rules: Rules, view: View, answer: Sequence[int], ruling: Ruling
) -> tuple[str, ...]:
    """Which card is at fault, and the reasons that come before it in §4.7.

    Nothing on a ruling that is not about the answer's cards.
    """
    if ruling.code in _OF_A_CARD:
        starts = view.starts
        if rules.start.kind is StartKind.ANY:
            starts = starts_named(view.laid, starts, answer)
        position = legal_prefix(view.laid, starts, view.hand, answer) + 1
        first = f"card {position} of the answer is the first at fault"
        reason = _first(_OF_A_CARD, Code(ruling.code))
        if ruling.code == Code.NOT_IN_DECK:
            return (first, reason, _deck(rules))
        return (first, reason)
    if ruling.code in _OF_THE_WHOLE:
        return ("no single card is at fault", _first(_OF_THE_WHOLE, Code(ruling.code)))
    return ()


def _deck(rules: Rules) -> str:
    low, high = rules.numbers
    return f"this deck: numbers {low} to {high} in {', '.join(map(str, rules.colours))}"


def _first(reasons: dict[Code, str], code: Code) -> str:
    at = list(reasons).index(code)
    *before, first = list(reasons.values())[: at + 1]
    ruled_out = f"; ruled out: {', '.join(before)}" if before else ""
    return f"the first reason that holds (§4.7): {first}{ruled_out}"


def _names(cards: int) -> str:
    return " ".join(map(str, cards_of(cards)))
