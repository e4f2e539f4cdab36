"""Rules that a league fills in itself (§9.8): what is accepted can be dealt, played and read."""

from dataclasses import fields, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from elfer.cards import Colour
from referee.core.dice import Dice
from referee.core.errors import InputError
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import CUSTOM, PROFILES
from referee.games.elfer_raus.rules import NO_START, START_ANY, Rules, start_at, start_drawn_from
from referee.games.elfer_raus.sheet import most_turns
from referee.games.elfer_raus.slots import parse_slots, print_slots
from referee.games.registry import game_of_line
from tests.support import random_play
from tests.support.promises import assert_both_agree, assert_whole

NAMES = [field.name for field in fields(Rules)]
NUMBERS = st.lists(st.integers(1, 20), min_size=1, max_size=3, unique=True).map(sorted)
OTHER: dict[str, st.SearchStrategy[Any]] = {
    "colours": st.sets(st.sampled_from(Colour), min_size=1).map(lambda c: tuple(sorted(c))),
    "numbers": st.tuples(st.integers(1, 8), st.integers(9, 20)),
    "table": NUMBERS.map(tuple),
    "start": st.one_of(
        st.just(NO_START),
        st.just(START_ANY),
        NUMBERS.map(lambda numbers: start_at(*numbers)),
        NUMBERS.map(lambda numbers: start_drawn_from(*numbers)),
    ),
    "draw": st.integers(0, 6),
    "hand": st.tuples(*[st.sampled_from([0, 2, 4, 7, 12, 20])] * 5),
}


@st.composite
def rules(draw: st.DrawFn) -> Rules | InputError:
    """A profile with some slots from other profiles or from none."""
    base = draw(st.sampled_from(list(PROFILES.values())))
    changes: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True)):
        known = st.sampled_from([getattr(profile, name) for profile in PROFILES.values()])
        changes[name] = draw(st.one_of(known, OTHER.get(name, known)))
    try:
        return replace(base, **changes)
    except InputError as refused:
        return refused


@settings(max_examples=150)
@given(rules(), st.binary(min_size=32, max_size=32), st.data())
def test_what_is_accepted_can_be_played(
    filled: Rules | InputError, seed: bytes, data: st.DataObject
) -> None:
    if isinstance(filled, InputError):
        assert str(filled).partition(": ")[0] in NAMES
        return
    assert parse_slots(print_slots(filled)) == filled
    seats = data.draw(st.sampled_from(filled.seat_counts))
    game = ElferRaus(CUSTOM, filled, seats)
    assert game_of_line(game.rules_line, seats) == game
    dealer = Random(seed).randrange(seats)
    assert_both_agree(game, seed, dealer)
    state = game.deal(Dice(seed), 1, dealer)
    turns = 0
    for _ in random_play.acts(state, Random(seed)):
        turns += 1
        assert_whole(game, state)
    assert turns <= most_turns(filled, seats)
