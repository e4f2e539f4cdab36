"""Positions of Elfer raus! written down by hand."""

from elfer.cards import Card, mask_of
from elfer.tableau import ROW, still_closed
from referee.core.dice import Dice
from referee.games.elfer_raus.deal import Dealt, opener
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.rules import Opening, StartKind
from referee.games.elfer_raus.state import Answer, ElferRausState

ELSEWHERE = "R1 Y1"
"""A hand that no position here lets play: kept by the seats that a test is not about."""


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, names.split()))


def answer(names: str) -> Answer:
    return tuple(map(int, cards(names)))


def mask(names: str) -> int:
    return mask_of(cards(names))


def profile(name: str, seats: int = 2) -> ElferRaus:
    return ElferRaus.of_profile(f"{name}@1", seats)


def position(
    name: str,
    *hands: str,
    laid: str = "",
    stock: str = "",
    seat: int = 0,
    starts: str | None = None,
) -> ElferRausState:
    """A turn under way, no opening. One hand stands for two: the other seat has ``ELSEWHERE``."""
    all_hands = hands if len(hands) > 1 else (*hands, ELSEWHERE)
    game = profile(name, len(all_hands))
    on_table = mask(laid) | game.rules.cards(game.rules.table)
    if starts is None:
        starts_mask = still_closed(game.rules.cards(game.rules.start.numbers), cards(laid))
    else:
        starts_mask = mask(starts)
    dealt = Dealt(
        0, on_table, starts_mask, tuple(map(mask, all_hands)), cards(stock), seat, opening=None
    )
    return ElferRausState(game.rules, dealt)


def opening(name: str, *hands: str, dealer: int = 0, stock: str = "") -> ElferRausState:
    """The first turn with these hands."""
    game = profile(name, len(hands))
    rules = game.rules
    masks = tuple(map(mask, hands))
    any_start = rules.start.kind is StartKind.ANY
    starts = rules.deck if any_start else rules.cards(rules.start.numbers)
    seat, card = opener(rules, masks, starts, Dice(bytes(32)), 1, dealer)
    dealt = Dealt(
        0,
        rules.cards(rules.table),
        starts,
        masks,
        cards(stock),
        seat,
        card if rules.opening is Opening.ALONE else None,
    )
    return ElferRausState(rules, dealt)


def row(colour: str) -> str:
    """All cards of a colour, by its letter."""
    return " ".join(c.name for c in Card if ROW[c] == ROW[Card.parse(f"{colour}1")])
