"""What a seat has left, try by try and turn by turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.clock import Evidence, SeatClock, TimeControl

BANKED = TimeControl(move_limit_us=100, bank_us=50, increment_us=10)


def left(clock: SeatClock) -> tuple[int | None, int | None, int | None]:
    return clock.left_us, clock.bank_us, clock.match_left_us


def turn(clock: SeatClock, *used_us: int) -> list[bool]:
    """A turn of so many tries. Returns which were in time."""
    clock.begin_turn()
    in_time = [clock.charge(Evidence(used)) for used in used_us]
    clock.end_turn()
    return in_time


def test_a_turn_has_its_limit_over_all_tries_and_the_next_has_it_whole() -> None:
    clock = SeatClock(TimeControl(move_limit_us=100))
    clock.begin_turn()
    assert clock.charge(Evidence(70))
    assert (clock.allowed_us, left(clock)) == (30, (30, None, None))
    assert not clock.charge(Evidence(31))
    assert clock.allowed_us == 0
    clock.end_turn()
    clock.begin_turn()
    assert clock.allowed_us == 100


def test_beyond_its_limit_a_turn_draws_on_the_bank() -> None:
    clock = SeatClock(BANKED)
    clock.begin_turn()
    assert clock.allowed_us == 150
    assert clock.charge(Evidence(120))
    assert (clock.allowed_us, left(clock)) == (30, (0, 30, None))
    assert clock.charge(Evidence(5))
    assert left(clock) == (0, 25, None)
    clock.end_turn()
    assert left(clock) == (0, 35, None)


def test_within_its_limit_a_turn_leaves_the_bank_and_gains_the_increment() -> None:
    clock = SeatClock(BANKED)
    assert turn(clock, 100) == [True]
    assert clock.bank_us == 60
    assert turn(clock, 20, 20) == [True, True]
    assert clock.bank_us == 70


def test_who_is_late_has_an_empty_bank_and_gains_the_increment() -> None:
    clock = SeatClock(BANKED)
    assert turn(clock, 151) == [False]
    assert clock.bank_us == 10
    assert turn(clock, 110) == [True]
    assert clock.bank_us == 10


def test_a_bank_without_an_increment_only_shrinks() -> None:
    clock = SeatClock(TimeControl(move_limit_us=100, bank_us=50))
    assert turn(clock, 130) == [True]
    assert turn(clock, 130) == [False]
    assert clock.bank_us == 0


def test_a_match_budget_caps_every_turn_and_the_flag_falls_with_its_last_microsecond() -> None:
    clock = SeatClock(TimeControl(move_limit_us=100, bank_us=50, match_limit_us=240))
    assert turn(clock, 150) == [True]
    clock.begin_turn()
    assert clock.allowed_us == 90
    assert clock.charge(Evidence(80))
    assert (clock.allowed_us, clock.flagged) == (10, False)
    assert clock.charge(Evidence(10))
    assert (clock.allowed_us, clock.flagged) == (0, True)


def test_a_match_budget_stands_alone_too() -> None:
    clock = SeatClock(TimeControl(move_limit_us=None, match_limit_us=100))
    assert turn(clock, 60) == [True]
    assert clock.allowed_us == 40
    assert turn(clock, 41) == [False]
    assert (left(clock), clock.flagged) == ((None, None, 0), True)


def test_without_limits_nothing_is_late() -> None:
    clock = SeatClock(TimeControl(move_limit_us=None))
    assert turn(clock, 10**12) == [True]
    assert (clock.allowed_us, clock.flagged) == (None, False)


def test_what_is_excused_is_not_charged() -> None:
    clock = SeatClock(TimeControl(move_limit_us=100, match_limit_us=100))
    clock.begin_turn()
    assert clock.charge(Evidence(130, excused_us=40, excuse="host"))
    assert left(clock) == (10, None, 10)
    assert Evidence(5, excused_us=7).counted_us == 0


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"move_limit_us": None, "bank_us": 1}, "a bank without a move limit"),
        ({"increment_us": 1}, "an increment without a bank"),
    ],
)
def test_limits_that_cannot_be_are_refused(limits: dict[str, int | None], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TimeControl(**limits)


TIME = st.integers(0, 300)
MAYBE = st.none() | TIME


@given(MAYBE, MAYBE, MAYBE, MAYBE, st.lists(st.lists(TIME, min_size=1, max_size=3), max_size=8))
def test_nothing_is_ever_negative_and_all_is_accounted_for(
    move: int | None,
    bank: int | None,
    increment: int | None,
    match: int | None,
    turns: list[list[int]],
) -> None:
    bank = None if move is None else bank
    increment = None if bank is None else increment
    clock = SeatClock(TimeControl(move, bank, increment, match))
    for used in turns:
        for permitted, in_time, used_us in _tries(clock, used):
            assert in_time is (permitted is None or used_us <= permitted)
            assert all(value is None or value >= 0 for value in (*left(clock), clock.allowed_us))
    if match is not None:
        assert clock.match_left_us == max(0, match - sum(map(sum, turns)))


def _tries(clock: SeatClock, used: list[int]) -> list[tuple[int | None, bool, int]]:
    clock.begin_turn()
    tries = [(clock.allowed_us, clock.charge(Evidence(used_us)), used_us) for used_us in used]
    clock.end_turn()
    return tries
