"""One place against the others: what was to be expected, and a bound on chance that holds."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.league.excess import Excess, Stratum, excess


@st.composite
def strata(draw: st.DrawFn) -> Stratum:
    trials, other_trials = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    events, other_events = draw(st.integers(0, trials)), draw(st.integers(0, other_trials))
    return Stratum(events, trials, other_events, other_trials)


def tail(found: list[Stratum], observed: int) -> float:
    """Exactly: the events of each stratum are dealt out at random among its trials."""
    ways = {0: 1.0}
    for stratum in found:
        events = stratum.events + stratum.other_events
        whole = comb(stratum.trials + stratum.other_trials, events)
        ways = {
            total: sum(
                ways.get(total - here, 0.0)
                * comb(stratum.trials, here)
                * comb(stratum.other_trials, events - here)
                / whole
                for here in range(min(stratum.trials, events) + 1)
            )
            for total in range(max(ways) + events + 1)
        }
    return sum(chance for total, chance in ways.items() if total >= observed)


@given(st.lists(strata(), max_size=4))
def test_the_bound_is_one(found: list[Stratum]) -> None:
    compared = [stratum for stratum in found if stratum.trials and stratum.other_trials]
    seen = excess(found)
    assert seen == excess(compared)
    assert seen.observed == sum(stratum.events for stratum in compared)
    assert tail(compared, seen.observed) <= seen.chance + 1e-9
    assert 0 <= seen.chance <= 1


def test_what_is_expected_comes_from_the_others_alone() -> None:
    seen = excess([Stratum(5, 10, 1, 100), Stratum(0, 20, 10, 100)])
    assert (seen.observed, seen.trials) == (5, 30)
    assert seen.expected == pytest.approx(2.1)


def test_where_there_is_nothing_to_compare_nothing_is_expected() -> None:
    nothing = Excess(observed=0, trials=0, expected=None, chance=1.0)
    assert excess([]) == excess([Stratum(5, 5, 0, 0), Stratum(0, 0, 1, 9)]) == nothing


def test_as_many_as_elsewhere_are_no_excess() -> None:
    assert excess([Stratum(3, 30, 3, 30)]).chance == 1.0
    assert excess([Stratum(0, 30, 3, 30)]).chance == 1.0


def test_the_bound_is_sharp_enough() -> None:
    assert excess([Stratum(10, 100, 0, 100)]).chance == pytest.approx(2**-10)
    assert excess([Stratum(40, 100, 10, 100)]).chance < 1e-4
