"""The sample bot ``counter``: what it knows, what it keeps, and how it ends a game."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.bots import duel
from benchmarks.support.in_process import game_of, match_of, turn_of
from elfer import Card, Cards, Turn
from elfer.cards import PACK, cards_of, mask_of
from elfer.notation import read_cards
from elfer.tableau import fitting
from elfer.testing import check, turn
from referee.core.dice import Dice
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import PROFILES
from referee.match.history import History
from referee.match.series import Pairing
from sample_bots.python.counter.bot import Counter, End
from sample_bots.python.holdback.bot import Holdback
from tests.support.random_play import next_act

GAMES = [(profile, seats) for profile in PROFILES for seats in PROFILES[profile].seat_counts]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.booleans())
def test_no_seat_holds_what_it_is_said_to_lack(
    of: tuple[str, int], number: int, is_told_of_the_start: bool
) -> None:
    profile, seats = of
    game = ElferRaus.of_profile(profile, seats)
    seed = number.to_bytes(32, "big")
    matches = [match_of(game, seed, seat) for seat in range(seats)]
    state = game.deal(Dice(seed), 1, 0)
    bots = [Counter() for _ in matches]
    for seat, bot in enumerate(bots):
        if is_told_of_the_start:
            bot.game_started(game_of(matches[seat], state.view(seat), 0))
    history = History(game, Pairing(1, 0, tuple(range(seats)), tie_break=False))
    random = Random(number)
    while state.outcome() is None:
        if state.decision() is not None:
            seat, view = state.seat, state.view(state.seat)
            acts = history.since_last(seat)
            bots[seat].listen(turn_of(matches[seat], view, history.turn + 1, 0, acts))
            for other, lacks in bots[seat].lacks.items():
                assert not state.hands[other] & lacks.mask
        act = next_act(state, random)
        history.add(act, house=False)
        state.apply(act)


def listening(*turns: Turn) -> Counter:
    bot = Counter()
    for seen in turns:
        check(bot, seen)
    return bot


FIRST = turn("R12 G3 B11", laid="R11", seats=3, number=2)


def next_turn(try_number: int = 1) -> Turn:
    acts = ["2 0 lay R12", "3 1 draw 3", "4 2 draw 2 lay R10"]
    return turn("G3 B11", laid="R10-12", seats=3, number=5, acts=acts, try_number=try_number)


def test_a_seat_that_drew_lacks_what_fitted_then() -> None:
    bot = listening(FIRST, next_turn())
    then = Cards([Card.R10, Card.R13, Card.Y11, Card.G11, Card.B11])
    assert bot.lacks == {1: then, 2: then}


def test_a_start_card_that_fits_no_more_can_be_drawn_and_kept() -> None:
    """With three start numbers, R12 fits until R10 opens the row (§9.5)."""
    starts = {"start": "10,11,12"}
    first = turn("R10 G10", laid="Y11", slots=starts, number=2)
    acts = ["2 0 lay G10", "3 1 draw 3", "4 0 lay R10", "5 1 draw 3"]
    second = turn("R9", laid="R10 Y11 G10", slots=starts, number=6, acts=acts)
    lacks = listening(first, second).lacks[1]
    assert Card.R11 in lacks
    assert Card.R12 not in lacks


def test_a_second_try_changes_nothing() -> None:
    twice = listening(FIRST, next_turn(), next_turn(try_number=2))
    assert twice.lacks == listening(FIRST, next_turn()).lacks


def test_it_forgets_what_it_can_no_longer_be_sure_of() -> None:
    bot = listening(FIRST, next_turn())
    check(bot, turn("G3 B11", laid="R10-16", seats=3, number=10, acts=["9 1 lay R16"]))
    assert bot.lacks == {}


@pytest.mark.parametrize("number", range(20))
def test_it_deals_out_what_is_left_by_what_it_knows(number: int) -> None:
    bot = Counter()
    bot.lacks = {1: Cards(read_cards("R16-18")), 2: Cards(read_cards("R19"))}
    seen = turn(
        "R15",
        laid="R1-14 Y1-20 G1-20 B1-20",
        hand_sizes=(1, 2, 3),
        seats=3,
        dice_seed=bytes([number]) * 32,
    )
    ones, twos = bot.deal(seen, (1, 2))
    assert (ones.bit_count(), twos.bit_count()) == (2, 3)
    assert (ones, twos) == (mask_of([Card.R19, Card.R20]), mask_of(read_cards("R16-18")))


@pytest.mark.parametrize(
    ("hand", "laid", "answer"),
    [
        pytest.param("R12-14 G3", "R11", (Card.R12,), id="free cards one by one"),
        pytest.param("R10 R12 R14-15", "R11", (Card.R12,), id="one card, with most behind it"),
        pytest.param("R12-14 Y11", "R11", (Card.R12, Card.R13, Card.R14, Card.Y11), id="out"),
    ],
)
def test_what_it_lays(hand: str, laid: str, answer: tuple[Card, ...]) -> None:
    assert check(Counter(), turn(hand, laid=laid)) == answer


def test_it_lays_what_is_due_and_no_more() -> None:
    seen = turn("Y11 G11 R12 B3", laid="R11", slots={"duty": "yes"})
    assert check(Counter(), seen) == (Card.Y11, Card.G11)


def test_it_passes_rather_than_open_something() -> None:
    slots = {"pass": "free"}
    assert check(Counter(), turn("R12 G3", laid="R11", slots=slots, may_pass=True)) == ()
    free = turn("R12-13 G3", laid="R11", slots=slots, may_pass=True)
    assert check(Counter(), free) == (Card.R12,)


def test_it_waits_with_free_cards_until_the_other_must_give_way() -> None:
    """The other can lay G20 and R2 alone; ``holdback`` lays R20 and G1, then R1 or Y3."""
    laid = "R3-19 Y4-20 G2-19 B1-20"
    assert check(Counter(), turn("R1 R20 Y3 G1", laid=laid, hand_sizes=(4, 4))) == (Card.R20,)


def test_it_gives_way_early_where_that_wins() -> None:
    """R15 is free and loses by a point; Y4, which lets the other lay Y3, wins."""
    laid = "R1-14 Y5-20 G3-20 B1-20"
    seen = turn("R15-16 R19 Y1 Y4 G2", laid=laid, hand_sizes=(6, 6))
    assert check(Counter(), seen) == (Card.Y4,)


def plain_value(hands: list[int], laid: int, seat: int) -> int:
    """What ``End.value`` is by its definition, rows all open."""
    if not hands[seat - 1] & ~laid:
        points = [sum(card.number for card in cards_of(hand & ~laid)) for hand in hands]
        return sum(points[1:]) - points[0] * (len(hands) - 1)
    hand = hands[seat] & ~laid
    moves = [card.bit for card in cards_of(fitting(laid, 0, hand))]
    following = (seat + 1) % len(hands)
    if not moves:
        return plain_value(hands, laid, following)
    reach = laid
    while more := fitting(reach, 0, hand & ~reach):
        reach |= more
    values = [plain_value(hands, laid | move, following) for move in [*moves, reach]]
    return max(values) if seat == 0 else min(values)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), st.integers(1, 9), st.randoms(use_true_random=False))
def test_the_search_finds_the_value(seats: int, count: int, random: Random) -> None:
    ends = [card for card in Card if card.number in (1, 2, 3, 18, 19, 20)]
    cards = random.sample(ends, max(count, seats))
    hands = [mask_of(cards[seat::seats]) for seat in range(seats)]
    laid = PACK & ~mask_of(cards)
    assert End(hands).value(laid, 0, 1) == plain_value(hands, laid, 1)


@pytest.mark.slow
def test_it_beats_holdback() -> None:
    """Over 400 deals it gains more than ten times the error; these 60 are among them."""
    result = duel(Counter, Holdback, 60)
    assert result.gain > 2 * result.error
    assert result.won > 0.5
