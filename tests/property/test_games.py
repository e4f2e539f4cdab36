"""Properties of every profile at every seat count, over random games."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.sheet import most_that_fit, most_turns, sheet
from referee.games.elfer_raus.state import ElferRausState
from tests.support import random_play
from tests.support.promises import assert_both_agree, assert_house_is_legal, assert_whole

SEAT_COUNTS = range(2, 7)
EVERY_GAME = pytest.mark.parametrize(
    "game",
    [
        pytest.param(ElferRaus.of_profile(profile, seats), id=f"{profile}-{seats}")
        for profile in PROFILES
        for seats in SEAT_COUNTS
    ],
)
SEEDS = st.binary(min_size=32, max_size=32)
A_FEW = settings(max_examples=6)

# §8: the most turns there can be, for 2, 3, 4, 5, 6 seats.
_R = (171, 239, 312, 383, 452)
_C = (197, 252, 325, 396, 465)
MOST_TURNS = {
    "ravensburger@1": _R,
    "draw-three@1": _R,
    "three-starts@1": _R,
    "any-start@1": _R,
    "classic@1": _C,
    "ten-or-twelve@1": _C,
    "optional-pass@1": (315, 446, 613, 776, 935),
    "false-start@1": (152, 212, 277, 340, 402),
    "three-colours@1": (124, 172, 225, 276, 325),
    "junior-15@1": (137, 172, 225, 276, 325),
    "junior-10@1": (97, 122, 157, 186, 215),
    "junior@1": (95, 121, 145, 167, 187),
}


@EVERY_GAME
def test_the_bound_on_turns_is_the_rulebooks(game: ElferRaus) -> None:
    # The rulebook's table has 402 where its formula gives 401.
    slack = 1 if (game.profile, game.seats) == ("false-start@1", 6) else 0
    assert most_turns(game.rules, game.seats) == MOST_TURNS[game.profile][game.seats - 2] - slack


def test_the_bounds_on_what_fits_are_the_rulebooks() -> None:
    fewer = {"three-starts@1": 12, "three-colours@1": 6}
    for profile, rules in PROFILES.items():
        assert most_that_fit(rules) == fewer.get(profile, 8)
        first = sheet(profile, rules).most_that_fit_first
        assert first == (80 if profile == "any-start@1" else most_that_fit(rules))


@EVERY_GAME
@A_FEW
@given(seed=SEEDS, dealer=st.integers(0, 5))
def test_a_game_keeps_its_cards_and_ends(game: ElferRaus, seed: bytes, dealer: int) -> None:
    random = Random(seed)
    state = game.deal(Dice(seed), 1, dealer % game.seats)
    turns = 0
    assert_whole(game, state)
    for act in random_play.acts(state, random):
        turns += 1
        assert game.parse(act.seats, game.text(act)) == act
        assert_whole(game, state)
    assert turns <= most_turns(game.rules, game.seats)
    outcome = state.outcome()
    assert outcome is not None
    assert [points == 0 for points in outcome.points].count(True) == 1
    assert outcome.winners == (outcome.points.index(0),)


@EVERY_GAME
@A_FEW
@given(seed=SEEDS, dealer=st.integers(0, 5))
def test_accepted_exactly_when_legal(game: ElferRaus, seed: bytes, dealer: int) -> None:
    assert_both_agree(game, seed, dealer % game.seats)


@EVERY_GAME
@A_FEW
@given(seed=SEEDS)
def test_a_clone_and_its_original_do_not_meet(game: ElferRaus, seed: bytes) -> None:
    random = Random(seed)
    state = game.deal(Dice(seed), 1, 0)
    for _ in random_play.acts(state, random):
        if random.random() < 0.05:
            break
    twin = state.clone()
    before = _all_views(twin)
    rest = list(random_play.acts(state, random))
    assert _all_views(twin) == before
    for act in rest:
        twin.apply(act)
    assert _all_views(twin) == _all_views(state)
    assert twin.outcome() == state.outcome()


def _all_views(state: ElferRausState) -> list[object]:
    return [
        *map(state.view, range(len(state.hands))),
        state.forced(),
        state.decision(),
        state.stock,
    ]


@EVERY_GAME
@A_FEW
@given(seed=SEEDS)
def test_the_house_always_has_a_legal_answer(game: ElferRaus, seed: bytes) -> None:
    random = Random(seed)
    state = game.deal(Dice(seed), 1, 0)
    while state.outcome() is None:
        assert_house_is_legal(game, state)
        house_plays = state.decision() is not None and random.random() < 0.5
        act = (
            state.judge(state.seat, game.house(state.view(state.seat)))
            if house_plays
            else random_play.next_act(state, random)
        )
        assert not isinstance(act, Ruling)
        state.apply(act)
