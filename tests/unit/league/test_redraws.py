"""The schedule of a league of which deals are replaced."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.dice import seated
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraw, Redraws
from referee.league.schedule import (
    MatchPlan,
    match_keys,
    places,
    planned_key,
    remaining,
    sittings,
    sittings_of,
    size,
)
from tests.unit.league.builders import league

SEED = bytes(range(32))
TABLE = "ann+bob"
CHAIN = Redraws([Redraw(TABLE, 4, 2, 0, 1), Redraw(TABLE, 5, 4, 1, 1), Redraw(TABLE, 6, 1, 0, 2)])
"""Of three planned deals the third alone is as planned: 2 became 4 and then 5, and 1 became 6."""


@st.composite
def redrawn_leagues(draw: st.DrawFn) -> tuple[LeagueFormat, Redraws]:
    fmt = league(
        ["ann", "bob", "cid"],
        table_size=draw(st.integers(2, 3)),
        deals=draw(st.integers(1, 12)),
        rotations=draw(st.sampled_from(["all", "none"])),
    )
    tables = sorted({sitting.table for sitting in sittings(fmt, SEED)})
    redraws = Redraws()
    further = dict.fromkeys(tables, fmt.deals)
    for _ in range(draw(st.integers(0, 8))):
        table = draw(st.sampled_from(tables))
        deal = redraws.current(table, draw(st.integers(1, fmt.deals)))
        further[table] += 1
        redraws = redraws.having(Redraw(table, further[table], deal, 0, 1))
    return fmt, redraws


def matches(fmt: LeagueFormat, redraws: Redraws) -> list[MatchPlan]:
    return list(chain.from_iterable(one.matches for one in sittings(fmt, SEED, redraws)))


def test_a_deal_stands_for_the_planned_one() -> None:
    assert [CHAIN.current(TABLE, deal) for deal in (1, 2, 3)] == [6, 5, 3]
    assert [CHAIN.planned(TABLE, deal) for deal in range(1, 7)] == [1, 2, 3, 2, 2, 1]
    assert [CHAIN.replaced_by(TABLE, deal) for deal in range(1, 7)] == [6, 4, None, 5, None, None]
    assert [CHAIN.is_further(TABLE, deal) for deal in range(1, 8)] == [
        *[False] * 3,
        *[True] * 3,
        False,
    ]
    assert CHAIN.current("ann+cid", 2) == 2
    assert planned_key("test/ann+bob/5/1", CHAIN) == "test/ann+bob/2/1"
    assert planned_key("test/ann+cid/5/1", CHAIN) == "test/ann+cid/5/1"


def test_one_more_leaves_the_others_as_they_are() -> None:
    more = CHAIN.having(Redraw(TABLE, 7, 5, 0, 1))
    assert (more.current(TABLE, 2), CHAIN.current(TABLE, 2)) == (7, 5)


def test_a_further_deal_takes_the_place_of_the_one_that_it_replaces() -> None:
    fmt = league(["ann", "bob"], deals=3)
    assert [match.match_key for match in matches(fmt, CHAIN)] == [
        f"test/{TABLE}/{deal}/{rotation}" for rotation in (0, 1) for deal in (6, 5, 3)
    ]


def test_a_further_deal_follows_from_the_leagues_seed() -> None:
    fmt = league(["ann", "bob"], deals=3)
    first = matches(fmt, CHAIN)[0]
    assert first.deal_key == "test/ann+bob/6"
    assert first.seed == hmac.digest(SEED, b"test/ann+bob/6", "sha256")
    assert first.bots == seated(SEED, ["ann", "bob"], TABLE, 6, 0)


@given(redrawn_leagues())
def test_redraws_change_neither_size_nor_balance(given: tuple[LeagueFormat, Redraws]) -> None:
    fmt, redraws = given
    planned, redrawn = matches(fmt, Redraws()), matches(fmt, redraws)
    assert len(redrawn) == size(fmt).matches
    assert len({match.match_key for match in redrawn}) == len(redrawn)
    assert [planned_key(match.match_key, redraws) for match in redrawn] == [
        match.match_key for match in planned
    ]
    if fmt.rotations == "all":
        seats = Counter((seat, bot) for match in redrawn for seat, bot in enumerate(match.bots))
        assert len(set(seats.values())) == 1


@given(redrawn_leagues())
def test_every_deal_that_there_was_has_its_place(given: tuple[LeagueFormat, Redraws]) -> None:
    fmt, redraws = given
    place = places(fmt, redraws)
    for match in [*matches(fmt, Redraws()), *matches(fmt, redraws)]:
        assert place(match.match_key) == (match.table, match.deal, match.rotation)


@pytest.mark.parametrize("key", ["test/ann+bob/7/0", "test/ann+cid/4/0", "test/ann+bob/4/2"])
def test_no_other_further_deal_has_one(key: str) -> None:
    assert places(league(["ann", "bob", "cid"], deals=3), CHAIN)(key) is None


@given(redrawn_leagues())
def test_nothing_is_left_of_a_replaced_deal(given: tuple[LeagueFormat, Redraws]) -> None:
    fmt, redraws = given
    kept = list(remaining(sittings(fmt, SEED), set(), redraws))
    assert all(sitting.matches for sitting in kept)
    assert [match.match_key for sitting in kept for match in sitting.matches] == [
        match.match_key
        for match in matches(fmt, Redraws())
        if redraws.replaced_by(match.table, match.deal) is None
    ]


def test_one_deal_in_all_its_rotations() -> None:
    fmt = league(["ann", "bob", "cid"], table_size=3, deals=3)
    alone = list(sittings_of(fmt, SEED, "ann+bob+cid", 3))
    assert [one.rotation for one in alone] == [0, 1, 2]
    assert [match for one in alone for match in one.matches] == [
        match for match in matches(fmt, Redraws()) if match.deal == 3
    ]
    assert match_keys(fmt, "ann+bob+cid", 3) == [one.matches[0].match_key for one in alone]
