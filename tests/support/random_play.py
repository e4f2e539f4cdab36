"""Random games of Elfer raus!, legal ones and answers that are anything but."""

from collections.abc import Iterator
from random import Random

from elfer.cards import Card, cards_of
from elfer.tableau import OTHER_ROWS, fitting, starts_named
from referee.core.game import Ruling
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.state import Answer, ElferRausState
from referee.games.elfer_raus.view import View


def acts(state: ElferRausState, random: Random) -> Iterator[Act]:
    """Play a state to its end. Each act is given after it was applied."""
    while state.outcome() is None:
        act = next_act(state, random)
        state.apply(act)
        yield act


def next_act(state: ElferRausState, random: Random) -> Act:
    """What is forced, or a random legal choice."""
    if (forced := state.forced()) is not None:
        return forced
    act = state.judge(state.seat, legal_choice(state, random))
    assert not isinstance(act, Ruling), act
    return act


def legal_choice(state: ElferRausState, random: Random) -> Answer:
    """A legal answer of the seat that is asked."""
    return legal_answer(state.view(state.seat), random, any_start=state.any_start)


def wild_choice(state: ElferRausState, random: Random) -> Answer:
    """An answer of any kind of the seat that is asked."""
    return wild_answer(state.view(state.seat), random, any_start=state.any_start)


def legal_answer(view: View, random: Random, *, any_start: bool = False) -> Answer:
    """Card after card that fits, stopping at random where that is allowed; sometimes a pass."""
    allowed = view.allowed
    assert allowed is not None
    if allowed.may_pass and random.random() < 0.5:
        return ()
    if allowed.single:
        return (random.choice(cards_of(allowed.fits)),)
    answer: list[int] = []
    hand, laid, starts, due = view.hand, view.laid, view.starts, allowed.due
    while fits := fitting(laid, starts, hand):
        options = cards_of(fits)
        choice = random.randrange(len(options) + 1)
        if choice == len(options):
            if answer and not due:
                break
            continue
        card = options[choice]
        answer.append(int(card))
        hand ^= card.bit
        laid |= card.bit
        if any_start:
            starts = starts_named(view.laid, starts, answer)
        starts &= OTHER_ROWS[card]
        due &= OTHER_ROWS[card]
    return tuple(answer)


def wild_answer(view: View, random: Random, *, any_start: bool = False) -> Answer:
    """An answer of any kind: often nearly legal, sometimes nonsense."""
    answer = list(legal_answer(view, random, any_start=any_start))
    for _ in range(random.randrange(3)):
        place = random.randrange(len(answer) + 1)
        match random.randrange(6):
            case 0:
                answer.insert(place, random.choice([0, -1, 81, 2**31 - 1, -(10**30), 10**5000]))
            case 1:
                answer.insert(place, random.choice(list(Card)))
            case 2:
                answer.insert(place, random.choice(cards_of(view.hand)))
            case 3 if answer:
                answer.insert(place, random.choice(answer))
            case 4 if answer:
                answer.pop(random.randrange(len(answer)))
            case _:
                random.shuffle(answer)
    return tuple(answer)
