"""What follows a breach: every kind, every consequence that a league may choose, every case."""

from dataclasses import replace
from typing import Any

import pytest

from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction

NONE, RETRY, HOUSE, RESTART, FORFEIT = Consequence

# What the league lets follow -> what then follows in each case.
CASES: dict[str, tuple[dict[str, Any], dict[Consequence, Consequence]]] = {
    "at the first try": (
        {"try_": 1},
        {NONE: NONE, RETRY: RETRY, HOUSE: HOUSE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "at the last try": (
        {"try_": 3},
        {NONE: NONE, RETRY: HOUSE, HOUSE: HOUSE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "with no time left": (
        {"try_": 1, "time_left": False},
        {NONE: NONE, RETRY: HOUSE, HOUSE: HOUSE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "beside a question": (
        {},
        {NONE: NONE, RETRY: NONE, HOUSE: NONE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "one strike short of the limit": (
        {"try_": 1, "strikes": 3},
        {NONE: NONE, RETRY: RETRY, HOUSE: HOUSE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "with the last restart": (
        {"try_": 1, "restarts": 1},
        {NONE: NONE, RETRY: RETRY, HOUSE: HOUSE, RESTART: RESTART, FORFEIT: FORFEIT},
    ),
    "with no restart left": (
        {"try_": 1, "restarts": 2},
        {NONE: NONE, RETRY: RETRY, HOUSE: HOUSE, RESTART: FORFEIT, FORFEIT: FORFEIT},
    ),
    "with no restart left, beside a question": (
        {"restarts": 2},
        {NONE: NONE, RETRY: NONE, HOUSE: NONE, RESTART: FORFEIT, FORFEIT: FORFEIT},
    ),
    "struck out": ({"try_": 1, "strikes": 4}, dict.fromkeys(Consequence, FORFEIT)),
    "struck out with more than one strike": (
        {"try_": 1, "strikes": 6},
        dict.fromkeys(Consequence, FORFEIT),
    ),
    "struck out beside a question": ({"strikes": 4}, dict.fromkeys(Consequence, FORFEIT)),
    "flag fallen": ({"try_": 1, "flagged": True}, dict.fromkeys(Consequence, FORFEIT)),
}
CONDUCT = Conduct(retries=2, restarts=2, strike_limit=4)
CHOICES = [(kind, chosen) for kind, breach in BREACHES.items() for chosen in breach.allowed]


def with_consequence(conduct: Conduct, kind: Infraction, chosen: Consequence) -> Conduct:
    measure = conduct.measures[kind]._replace(consequence=chosen)
    return replace(conduct, measures={**conduct.measures, kind: measure})


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "chosen"), CHOICES)
def test_what_follows(kind: Infraction, chosen: Consequence, case: str) -> None:
    situation, follows = CASES[case]
    conduct = with_consequence(CONDUCT, kind, chosen)
    given = {"strikes": 1, "restarts": 0} | situation
    assert conduct.follows(kind, **given) is follows[chosen]


@pytest.mark.parametrize("kind", Infraction)
def test_without_a_strike_limit_nobody_is_struck_out(kind: Infraction) -> None:
    conduct = replace(with_consequence(CONDUCT, kind, HOUSE), strike_limit=None)
    assert conduct.follows(kind, strikes=10**6, restarts=0, try_=1) is HOUSE


@pytest.mark.parametrize("retries", range(4))
def test_so_many_retries_are_given(retries: int) -> None:
    conduct = Conduct(retries=retries)
    followed = [
        conduct.follows(Infraction.ILLEGAL, strikes=1, restarts=0, try_=try_)
        for try_ in range(1, retries + 2)
    ]
    assert followed == [RETRY] * retries + [HOUSE]


def test_every_kind_has_a_default_that_is_allowed_and_may_forfeit() -> None:
    assert list(BREACHES) == list(Infraction)
    for breach in BREACHES.values():
        assert breach.default.consequence in breach.allowed
        assert FORFEIT in breach.allowed
        assert min(breach.default.penalty, breach.default.strikes) >= 0


def test_the_defaults_are_of_every_kind() -> None:
    conduct = Conduct()
    assert conduct.measures == {kind: breach.default for kind, breach in BREACHES.items()}
    assert (conduct.retries, conduct.restarts, conduct.strike_limit) == (1, 1, 10)
