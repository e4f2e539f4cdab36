"""Whether something happens at one place more often than it would by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Stratum(NamedTuple):
    """How often something happened in trials that are alike, here and at all other places."""

    events: int
    trials: int
    other_events: int
    other_trials: int


@dataclass(frozen=True, slots=True)
class Excess:
    """Of what can be compared: strata with trials here and elsewhere."""

    observed: int
    """Events here."""
    trials: int
    expected: float | None
    """Events, did they come as often as at the other places; ``None``: nothing can be compared."""
    chance: float
    """So many or more are here by mere chance with at most this probability."""


def excess(strata: Iterable[Stratum]) -> Excess:
    """Compare one place with the others, stratum by stratum.

    So a place is not blamed for what comes with its trials: a bot that is slow anywhere.
    """
    observed = trials = events = 0
    expected = mean = Fraction(0)
    for stratum in strata:
        if not (stratum.trials and stratum.other_trials):
            continue
        together = stratum.events + stratum.other_events
        observed += stratum.events
        trials += stratum.trials
        events += together
        expected += Fraction(stratum.trials * stratum.other_events, stratum.other_trials)
        mean += Fraction(stratum.trials * together, stratum.trials + stratum.other_trials)
    return Excess(
        observed=observed,
        trials=trials,
        expected=float(expected) if trials else None,
        chance=_chance(observed, mean, events),
    )


def _chance(observed: int, mean: Fraction, events: int) -> float:
    """Hoeffding's bound (1963, theorems 1 and 4) on the upper tail of draws that come out here."""
    if observed <= mean:
        return 1.0
    share, by_chance = observed / events, float(mean / events)
    divergence = share * math.log(share / by_chance)
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - by_chance))
    return math.exp(-events * divergence)
