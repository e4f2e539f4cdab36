"""Dealing and opening: the vectors of rulebook §10 and the probabilities of §8."""

from collections import Counter
from math import sqrt

import pytest

from elfer.cards import Card, cards_of
from referee.core.dice import Dice
from referee.games.elfer_raus.notation import text
from referee.games.registry import PROFILE_IDS, game_for
from tests.support.positions import cards, profile


def dice(number: int) -> Dice:
    return Dice(number.to_bytes(32, "big"))


def test_cards_are_dealt_one_at_a_time_from_dealer_plus_one() -> None:
    shuffled = list(cards_of(profile("ravensburger").rules.deck))
    dice(0).stream("deal/2/0").shuffle(shuffled)
    state = profile("ravensburger", 4).deal(dice(0), 2, 1)
    assert state.deal == 0
    for seat in range(4):
        assert set(cards_of(state.hands[seat])) == set(shuffled[(seat - 2) % 4 : 60 : 4])
    assert list(state.stock) == shuffled[60:]


@pytest.mark.parametrize(
    ("name", "seed", "redeals", "first"),
    [
        ("ravensburger", 1, 1, "0 open R11"),
        ("ravensburger", 203, 2, "1 open G11"),
        ("classic", 1, 0, "1 draw B15"),
    ],
)
def test_redeals(name: str, seed: int, redeals: int, first: str) -> None:
    state = profile(name).deal(dice(seed), 1, 0)
    act = state.forced()
    assert act is not None
    assert state.deal == redeals
    assert f"{act.seats[0]} {text(act)}" == first


def _assert_share(hits: int, trials: int, probability: float) -> None:
    """Within 5 standard deviations: for chance alone, once in 1.7 million."""
    spread = sqrt(trials * probability * (1 - probability))
    assert abs(hits - trials * probability) < 5 * spread


@pytest.mark.parametrize(
    ("seats", "trials", "probability"),
    [(2, 10_000, 703 / 12166), (3, 3_000, 969 / 316316), (6, 3_000, 969 / 316316)],
)
def test_how_often_no_hand_has_a_start_card(seats: int, trials: int, probability: float) -> None:
    game = profile("ravensburger", seats)
    thrown = sum(game.deal(dice(n), 1, 0).deal > 0 for n in range(trials))
    _assert_share(thrown, trials, probability)


def test_every_seat_opens_as_often() -> None:
    game = profile("ravensburger", 4)
    opened = Counter(game.deal(dice(n), 1, n % 4).seat for n in range(4_000))
    for seat in range(4):
        _assert_share(opened[seat], 4_000, 1 / 4)


def test_drawn_start_numbers() -> None:
    """§9.3: by lot for each colour and game, and written down."""
    game = profile("ten-or-twelve", 3)
    stream = dice(5).stream("start/2")
    wanted = [f"{letter}{(10, 12)[stream.below(2)]}" for letter in "RYGB"]
    state = game.deal(dice(5), 2, 0)
    assert state.setup() == (f"start {' '.join(wanted)}",)
    assert cards_of(state.view(0).starts) == cards(" ".join(wanted))
    tens: Counter[str] = Counter()
    for number in range(1, 2_001):
        for name in game.deal(dice(number), 1, 0).setup()[0].split(" ")[1:]:
            tens[name] += 1
    for letter in "RYGB":
        _assert_share(tens[f"{letter}10"], 2_000, 1 / 2)
        assert tens[f"{letter}10"] + tens[f"{letter}12"] == 2_000


@pytest.mark.parametrize("profile_id", sorted(set(PROFILE_IDS) - {"ten-or-twelve@1"}))
def test_nothing_else_needs_a_start_line(profile_id: str) -> None:
    assert game_for(profile_id, 2).deal(dice(5), 1, 0).setup() == ()


def test_any_start_draws_its_opener() -> None:
    """§10.3: that many seats clockwise from dealer + 1."""
    game = profile("any-start", 5)
    for number in range(1, 50):
        lot = dice(7).stream(f"begin/{number}").below(5)
        state = game.deal(dice(7), number, 3)
        assert state.seat == (3 + 1 + lot) % 5
        allowed = state.view(state.seat).allowed
        assert allowed is not None
        assert allowed.single
        assert allowed.fits == state.hands[state.seat]


@pytest.mark.parametrize("name", ["three-starts", "junior"])
def test_dealer_plus_one_begins(name: str) -> None:
    for dealer in range(4):
        assert profile(name, 4).deal(dice(1), 1, dealer).seat == (dealer + 1) % 4


def test_false_start_opener() -> None:
    """§9.4: the holder of the first 11 in colour order, else dealer + 1; no redeal."""
    game = profile("false-start", 2)
    without = 0
    for number in range(300):
        state = game.deal(dice(number), 1, 0)
        assert state.deal == 0
        assert state.laid == game.rules.cards((1, 20))
        held = [(c, s) for s in range(2) for c in cards_of(state.hands[s]) if c.number == 11]
        without += not held
        assert state.seat == (min(held)[1] if held else 1)
    assert without


@pytest.mark.parametrize(
    ("name", "hands", "deck"),
    [
        ("ravensburger", (20, 20, 15, 12, 10), 80),
        ("false-start", (20, 20, 15, 12, 10), 72),
        ("three-colours", (20, 20, 15, 12, 10), 60),
        ("junior-15", (20, 20, 15, 12, 10), 60),
        ("junior-10", (10, 10, 7, 6, 5), 40),
        ("junior", (5, 5, 5, 5, 5), 36),
    ],
)
def test_hands_and_stock(name: str, hands: tuple[int, ...], deck: int) -> None:
    for seats, hand in zip(range(2, 7), hands, strict=True):
        view = profile(name, seats).deal(dice(1), 1, 0).view(0)
        assert view.hand_sizes == (hand,) * seats
        assert view.stock == deck - hand * seats


def test_junior_table() -> None:
    state = profile("junior", 2).deal(dice(1), 1, 0)
    assert cards_of(state.laid) == cards("R1 R11 Y1 Y11 G1 G11 B1 B11")
    assert state.view(0).starts == 0
    assert Card.R12.bit & ~profile("junior").rules.deck
