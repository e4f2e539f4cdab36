"""Non-interference: what a seat is shown does not depend on what it may not know.

Two worlds differ in the cards of the other hands and the stock alone. They are played with the
same acts, as far as one seat can tell, for as long as they can be: until then that seat is
shown the same.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elfer.cards import mask_of
from referee.core.dice import Dice
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.state import ElferRausState
from tests.support import random_play
from tests.support.worlds import rearranged, same_for

SEEDS = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_a_seat_is_shown_nothing_hidden(profile: str, seats: int, seed: bytes) -> None:
    random = Random(seed)
    game = ElferRaus.of_profile(profile, seats)
    state = game.deal(Dice(seed), 1, random.randrange(seats))
    for _ in range(random.randrange(30)):
        if state.outcome() is None:
            state.apply(random_play.next_act(state, random))
    if state.outcome() is None:
        seat = random.randrange(seats)
        twin = rearranged(state, seat, random, swaps=random.choice([1, 2, 5, 80]))
        _play_both(game, state, twin, seat, random)


def test_two_worlds_stay_together_for_long() -> None:
    """What the property above rests on: it is not over at its first turn."""
    turns = moved = 0
    game = ElferRaus.of_profile("ravensburger@1", 4)
    for number in range(100):
        random = Random(number)
        state = game.deal(Dice(number.to_bytes(32, "big")), 1, 0)
        twin = rearranged(state, 1, random, swaps=2)
        moved += twin.hands != state.hands or twin.stock != state.stock
        turns += _play_both(game, state, twin, 1, random)
    assert moved > 80
    assert turns > 100 * 10


def test_a_view_that_showed_the_stock_would_be_found() -> None:
    """The comparison is not blind: another seat's view does differ between the worlds."""
    game = ElferRaus.of_profile("ravensburger@1", 3)
    state = game.deal(Dice(bytes(32)), 1, 0)
    twin = rearranged(state, 1, Random(0), swaps=80)
    assert state.view(1) == twin.view(1)
    assert state.view(0) != twin.view(0)


def _play_both(
    game: ElferRaus, one: ElferRausState, other: ElferRausState, seat: int, random: Random
) -> int:
    """Play both worlds while they coincide for a seat. Gives the number of turns."""
    turns = 0
    while True:
        assert one.view(seat) == other.view(seat)
        assert (one.outcome() is None) == (other.outcome() is None) or not one.view(seat).hand
        if one.outcome() is not None or other.outcome() is not None:
            return turns
        if one.seat == seat and one.decision() is not None:
            wild = random_play.wild_choice(one, random)
            assert one.judge(seat, wild) == other.judge(seat, wild)
        pair = same_for(game, one, other, seat, random)
        if pair is None:
            return turns
        for state, act in zip((one, other), pair, strict=True):
            state.apply(act)
        turns += 1


def test_rearranging_keeps_what_the_seat_knows() -> None:
    game = ElferRaus.of_profile("ravensburger@1", 4)
    state = game.deal(Dice(bytes(32)), 1, 0)
    twin = rearranged(state, 2, Random(1), swaps=80)
    assert twin.hands[2] == state.hands[2]
    assert twin.hands != state.hands
    assert sum(twin.hands) + mask_of(twin.stock) == sum(state.hands) + mask_of(state.stock)
