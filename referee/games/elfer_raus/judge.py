"""The verdict on an answer (§4.7), from what the seat that gives it can see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elfer.cards import Card, cards_of
from elfer.ruling import Code, card_fault
from elfer.tableau import legal_prefix, starts_named, still_closed
from referee.core.game import Ruling
from referee.games.elfer_raus import rulings
from referee.games.elfer_raus.rules import Passing, Rules, StartKind
from referee.games.elfer_raus.view import Allowed

# Bound once: reading a member off its enumeration is dear.
_ANY: Final = StartKind.ANY


def refusal(
    rules: Rules,
    allowed: Allowed,
    laid: int,
    starts: int,
    hand: int,
    seats: int,
    answer: Sequence[int],
) -> Ruling | None:
    """Why ``answer`` is refused to a seat with ``hand``; ``None`` where it is accepted.

    ``laid``, ``starts`` and ``hand`` are masks; ``answer`` may hold any numbers at all.
    """
    if rules.start.kind is _ANY:
        starts = starts_named(laid, starts, answer)
    legal = legal_prefix(laid, starts, hand, answer)
    if legal < len(answer):
        return _fault(rules, laid, hand, answer, legal)
    if allowed.single and len(answer) > 1:
        return rulings.one_card_only(len(answer))
    if allowed.due and (unmet := still_closed(allowed.due, answer)):
        return rulings.duty_unmet(cards_of(unmet)[0])
    if answer or allowed.may_pass:
        return None
    if rules.passing is Passing.FREE:
        return rulings.pass_not_allowed(seats - 1)
    return rulings.must_lay(cards_of(allowed.fits)[0])


def _fault(rules: Rules, laid: int, hand: int, answer: Sequence[int], index: int) -> Ruling:
    """Why the card at ``index`` cannot be laid, after those before it."""
    raw = answer[index]
    code = card_fault(raw, answer[:index], deck=rules.deck, hand=hand, laid=laid)
    if code is Code.NOT_IN_DECK:
        return rulings.not_in_deck(raw, index + 1)
    card = Card(raw)
    match code:
        case Code.NAMED_TWICE:
            return rulings.named_twice(card)
        case Code.NOT_IN_HAND:
            return rulings.not_in_hand(card)
        case Code.ROW_NOT_OPENED:
            return rulings.row_not_opened(card)
        case _:
            return rulings.not_adjacent(card, *rules.numbers)
