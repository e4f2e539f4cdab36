"""Other worlds that one seat cannot tell from this one."""

from collections.abc import Sequence
from random import Random

from elfer.cards import Card, cards_of, mask_of
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.state import ElferRausState
from tests.support import random_play


def rearranged(state: ElferRausState, seat: int, random: Random, swaps: int) -> ElferRausState:
    """A state in which cards that ``seat`` cannot see have changed places.

    The opening card stays where it is: it is about to be laid for all to see.
    """
    forced = state.forced()
    opening = forced.cards[0] if forced is not None and forced.verb == "open" else None
    twin = state.clone()
    places: list[tuple[int | None, int]] = []
    holdings: dict[int | None, list[Card]] = {None: list(state.stock)}
    for other, hand in enumerate(state.hands):
        if other != seat:
            holdings[other] = [card for card in cards_of(hand) if card is not opening]
    for holder, held in holdings.items():
        places += [(holder, index) for index in range(len(held))]
    for _ in range(swaps if len(places) > 1 else 0):
        (a, i), (b, j) = random.sample(places, 2)
        holdings[a][i], holdings[b][j] = holdings[b][j], holdings[a][i]
    for holder, held in holdings.items():
        if holder is None:
            twin.stock = tuple(held)
        else:
            kept = opening.bit if opening is not None and holder == state.seat else 0
            twin.hands[holder] = mask_of(held) | kept
    _begin_again(state, twin)
    return twin


def _begin_again(state: ElferRausState, twin: ElferRausState) -> None:
    """Let the seat that is asked look at its new hand."""
    if twin._opening is None:
        single = state._allowed is not None and state._allowed.single
        twin._allowed = None
        twin._begin_turn(single=single)


def same_for(
    game: ElferRaus, one: ElferRausState, other: ElferRausState, seat: int, random: Random
) -> tuple[Act, Act] | None:
    """An act for each world that the seat cannot tell apart, or ``None``.

    Where somebody is asked, it is the same answer in both.
    """
    first, second = one.forced(), other.forced()
    if first is None and second is None:
        pairs = [
            (mine, theirs)
            for answer in _answers(one, random)
            if not isinstance(mine := one.judge(one.seat, answer), Ruling)
            and not isinstance(theirs := other.judge(other.seat, answer), Ruling)
        ]
        return random.choice(pairs) if pairs else None
    if first is None or second is None:
        assert one.seat != seat
        return None
    return (first, second) if game.seen(first, seat) == game.seen(second, seat) else None


def _answers(state: ElferRausState, random: Random) -> Sequence[tuple[int, ...]]:
    view = state.view(state.seat)
    assert view.allowed is not None
    singles = [(int(card),) for card in cards_of(view.allowed.fits)]
    return [(), random_play.legal_choice(state, random), *singles]
