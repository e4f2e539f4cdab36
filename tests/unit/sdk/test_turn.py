"""The view of a turn, and what it says of an answer."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.support.in_process import match_of, turn_of
from elfer import (
    Act,
    Card,
    Cards,
    Colour,
    Game,
    Match,
    Ruling,
    Series,
    TimeControl,
    Turn,
    Verb,
    views,
)
from elfer.reproducing import reproduce
from elfer.testing import RAVENSBURGER, game, match, turn
from referee.core.dice import Dice
from referee.core.game import Ruling as RefereeRuling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import PROFILES

R10, R11, R12, R13, Y11 = Card.R10, Card.R11, Card.R12, Card.R13, Card.Y11


def test_a_turn_tells_the_whole_view() -> None:
    seen = turn(
        "R12-13 G9",
        laid="R10-11",
        seats=3,
        seat=1,
        hand_sizes=(9, 3, 4),
        stock=7,
        dealer=2,
        points=(5, 0, 21),
        game=2,
        number=14,
        acts=["12 2 draw 2", "13 0 lay R10"],
    )
    assert (seen.match.seats, seen.match.seat) == (3, 1)
    assert (seen.game, seen.number, seen.try_number) == (2, 14, 1)
    assert (seen.dealer, seen.seats, seen.points) == (2, (0, 1, 2), (5, 0, 21))
    assert (seen.hand_sizes, seen.stock) == ((9, 3, 4), 7)
    assert seen.hand == Cards([R12, R13, Card.G9])
    assert seen.laid == Cards([R10, R11])
    assert seen.starts == Cards([Y11, Card.G11, Card.B11])
    assert (seen.fits, seen.due) == (Cards([R12]), Cards())
    assert not seen.may_pass
    assert not seen.single
    assert seen.refused is None
    assert seen.acts == (Act(Verb.DRAW, 2, 12, drawn=2), Act(Verb.LAY, 0, 13, laid=(R10,)))


def test_hand_sizes_and_points_go_by_match_seat_in_a_tie_break_game() -> None:
    seen = turn("R12", laid="R11", seats=4, seat=3, playing=(1, 3), hand_sizes=(0, 8, 0, 1))
    assert seen.seats == (1, 3)
    assert seen.hand_sizes == (0, 8, 0, 1)


class Clock:
    """Time that stands still until a test moves it on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(views, "monotonic", clock)
    return clock


def times(seen: Turn) -> tuple[float, float, float]:
    return seen.time_left, seen.bank, seen.match_left


def test_time_runs_from_the_arrival_and_without_a_limit_for_ever(clock: Clock) -> None:
    unlimited = turn("R12", laid="R11")
    limited = turn("R12", laid="R11", time_left=2)
    assert times(limited) == (2, 0, math.inf)
    clock.now += 0.5
    assert times(unlimited) == (math.inf, 0, math.inf)
    assert times(limited) == (1.5, 0, math.inf)


def test_the_bank_runs_when_the_limit_is_used_up_and_nothing_falls_below_0(clock: Clock) -> None:
    seen = turn("R12", laid="R11", time_left=2, bank=3, match_left=60)
    told = []
    for _ in range(7):
        told.append(times(seen))
        clock.now += 1
    assert told == [(2, 3, 60), (1, 3, 59), (0, 3, 58), (0, 2, 57), (0, 1, 56), (0, 0, 55)] + [
        (0, 0, 54)
    ]


def test_a_turn_has_no_more_time_than_its_match(clock: Clock) -> None:
    seen = turn("R12", laid="R11", time_left=2, bank=3, match_left=1)
    assert times(seen) == (1, 3, 1)
    clock.now += 2
    assert times(seen) == (0, 3, 0)


def test_the_match_may_have_the_only_limit(clock: Clock) -> None:
    seen = turn("R12", laid="R11", match_left=5)
    clock.now += 1
    assert times(seen) == (4, 0, 4)


def test_what_is_told_to_be_used_up_is(clock: Clock) -> None:
    seen = turn("R12", laid="R11", time_left=0, bank=0.25, match_left=0)
    assert times(seen) == (0, 0.25, 0)


def test_there_is_no_bank_without_a_limit_that_it_goes_beyond() -> None:
    with pytest.raises(ValueError, match="bank: needs a time_left"):
        turn("R12", laid="R11", bank=1)


def test_the_tableau_tries_cards_out() -> None:
    tableau = turn("R12-13 G9", laid="R11").tableau
    assert tableau.lay(R12, R13).frontier >= Cards([R10, Card.R14])
    assert tableau.frontier == Cards([R10, R12, Y11, Card.G11, Card.B11])


def test_rules_by_name() -> None:
    rules = match(slots={"colours": "RYG", "numbers": "1-15", "duty": "yes", "pass": "free"}).rules
    assert rules.colours == (Colour.RED, Colour.YELLOW, Colour.GREEN)
    assert rules.numbers == range(1, 16)
    assert len(rules.deck) == 45
    assert (rules.start, rules.draw, rules.duty, rules.free_pass) == ("11", 3, True, True)
    assert [rules.hand_size(seats) for seats in range(2, 7)] == [20, 20, 15, 12, 10]


def test_the_harness_plays_by_the_default_profile() -> None:
    line = ElferRaus.of_profile("ravensburger@1", 2).rules_line
    slots = " ".join(f"{name}={value}" for name, value in RAVENSBURGER.items())
    assert line == f"ravensburger@1 {slots}"


def test_the_dice_of_a_match_roll_again_as_they_did() -> None:
    seed = bytes(range(32))
    rolls = [[match(dice_seed=seed).dice.random() for _ in range(3)] for _ in range(2)]
    assert rolls[0] == rolls[1]
    assert match(dice_seed=bytes(32)).dice.random() != rolls[0][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hand": "R12 R11", "laid": "R11"}, "in hand and laid: R11"),
        ({"hand": "G9", "laid": "R11"}, "nothing of the hand fits"),
        ({"hand": "R20", "laid": "R11", "slots": {"numbers": "1-15"}}, "not in the deck: R20"),
        ({"hand": "R12", "laid": "R11", "slots": {"start": "10|12"}}, "starts: needed"),
        ({"hand": "R12", "laid": "R11", "slots": {"drew": "3"}}, "no rule slot drew"),
    ],
)
def test_the_harness_refuses_what_cannot_be(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        turn(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("slots", "starts"),
    [
        ({}, "R11 Y11 G11 B11"),
        ({"start": "10,11,12"}, "R10-12 Y10-12 G10-12 B10-12"),
        ({"start": "any"}, "R1-20 Y1-20 G1-20 B1-20"),
    ],
)
def test_start_cards_follow_from_the_rules(slots: dict[str, str], starts: str) -> None:
    assert repr(turn("R11", slots=slots)) == repr(turn("R11", starts=starts, slots=slots))
    assert turn("R11", slots=slots).starts == turn("R11", starts=starts, slots=slots).starts


# Every profile's own turns: the SDK must know what the referee will say.


@st.composite
def asked(draw: st.DrawFn) -> tuple[ElferRaus, int, int, list[list[int]]]:
    profile = draw(st.sampled_from(sorted(PROFILES)))
    rules = ElferRaus.of_profile(profile, draw(st.sampled_from(PROFILES[profile].seat_counts)))
    picks = draw(st.lists(st.lists(st.integers(0, 100), max_size=6), min_size=1, max_size=40))
    return rules, draw(st.integers(0, 2**32)), draw(st.integers(0, rules.seats - 1)), picks


@settings(max_examples=200)
@given(asked())
def test_it_judges_as_the_referee_does(case: tuple[ElferRaus, int, int, list[list[int]]]) -> None:
    rules, seed, dealer, picks = case
    dice = Dice(seed.to_bytes(32, "big"))
    matches = [match_of(rules, dice.seed, seat) for seat in range(rules.seats)]
    state = rules.deal(dice, 1, dealer)
    number = 0
    while picks and state.outcome() is None:
        number += 1
        act = state.forced()
        if act is None:
            seat = state.seat
            seen = turn_of(matches[seat], state.view(seat), number, dealer)
            pick = picks.pop()
            # Mostly cards of the hand, sometimes any number at all.
            hand = tuple(seen.hand)
            answer = tuple(hand[i % len(hand)] if i <= 80 else Card(i - 80) for i in pick)
            verdict = state.judge(seat, answer)
            ours = seen.judge(answer)
            if isinstance(verdict, RefereeRuling):
                assert ours is not None
                assert (ours.code, ours.section, ours.card) == verdict[:3]
                verdict = state.judge(seat, rules.house(state.view(seat)))
                assert not isinstance(verdict, RefereeRuling)
            else:
                assert ours is None
            made = again(seen)
            assert (made.fits, made.due, made.starts) == (seen.fits, seen.due, seen.starts)
            assert made.judge(answer) == ours
            act = verdict
        state.apply(act)


def test_numbers_that_are_no_cards_are_judged_too() -> None:
    ruling = turn("R12", laid="R11").judge([99])  # type: ignore[list-item]
    assert ruling is not None
    assert (ruling.code, ruling.card) == ("not_in_deck", 99)
    assert "number 99" in ruling.text


def test_a_ruling_reads_as_a_sentence_with_its_section() -> None:
    assert str(turn("R12-13", laid="R11").judge([R13])) == (
        "R13 does not fit: no card next to it is laid (§4.3, not_adjacent)"
    )


def test_hands_are_sets_of_cards() -> None:
    seen = turn("R12-13 G9", laid="R11")
    assert isinstance(seen.hand - seen.fits, Cards)


def again(seen: Match | Game | Turn, in_match: str = "", **names: object) -> Any:
    harness = {"match": match, "game": game, "turn": turn, "inf": math.inf}
    values = {"Ruling": Ruling, "Series": Series, "TimeControl": TimeControl}
    return eval(reproduce(seen, in_match), harness | values | names)


def test_a_match_is_written_as_its_call() -> None:
    assert reproduce(match()) == "match()"
    seen = match(
        seats=4,
        seat=2,
        slots={"duty": "yes", "start": "10|12"},
        profile="mine@1",
        series=Series(None, 200, 40),
        time_control=TimeControl(move=2, bank=10, increment=0.5, match=math.inf),
        dice_seed=bytes(range(32)),
    )
    made = again(seen)
    for name in ("seats", "seat", "rules", "series", "time_control", "dice_seed"):
        assert getattr(made, name) == getattr(seen, name), name


def test_a_game_is_written_as_its_call() -> None:
    of = match(seats=4, seat=3)
    seen = game(
        "R12 G9-10",
        "Y10 B12",
        number=3,
        dealer=1,
        playing=(1, 3),
        hand_sizes=(0, 9, 0, 3),
        stock=60,
        points=(1, 2, 3, 4),
        in_match=of,
    )
    for made in (again(seen), again(seen, "of", of=of)):
        for name in (
            "number",
            "dealer",
            "seats",
            "points",
            "hand_sizes",
            "stock",
            "hand",
            "starts",
        ):
            assert getattr(made, name) == getattr(seen, name), name
        assert (made.starts, made.laid) == (seen.starts, Cards())
    assert again(seen, "of", of=of).match is of


def test_a_turn_is_written_with_its_times_and_its_match(clock: Clock) -> None:
    ruling = Ruling("must_lay", "§4.4", 0, "at least one card must be laid", retry=True)
    of = match()
    seen = turn(
        "R12", laid="R11", time_left=2, bank=0.5, match_left=60, refused=ruling, in_match=of
    )
    clock.now += 1
    made = again(seen, "of", of=of)
    assert made.match is of
    assert made.refused == ruling
    assert (made.time_left, made.bank, made.match_left) == (2, 0.5, 60)
