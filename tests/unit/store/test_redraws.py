"""Deals that are replaced, in the ledger."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from referee.core.errors import StoreError
from referee.league.redraws import Redraw
from referee.match.conduct import Infraction
from referee.store.database import Database
from referee.store.entries import AttemptStatus, EntrantState, VoidCause
from referee.store.failures import NotRunningError
from referee.store.repository import Repository
from tests.support.ledgers import lease_of, make_league, make_plan, open_one, play_one
from tests.support.records import make_infraction

DEALS = 2
OTHER = "ann+cid"


@pytest.fixture
def league(repository: Repository) -> Repository:
    """Two deals at each of two tables; one rotation of the first deal counts."""
    repository.create_league(make_league(entrants=["ann", "bob", "cid"]))
    play_one(repository, make_plan(1, 0), infractions=[make_infraction(0, Infraction.LATE)])
    return repository


def void(repository: Repository, deal: int, rotation: int = 1, *, table: str = "ann+bob") -> Redraw:
    attempt = open_one(repository, make_plan(deal, rotation, table=table))
    redraw = repository.void(attempt, VoidCause.HOST, "lost", redraw_above=DEALS)
    assert redraw is not None
    return redraw


def statuses(repository: Repository) -> dict[str, list[AttemptStatus]]:
    found: dict[str, list[AttemptStatus]] = {}
    for attempt in repository.attempts("demo"):
        found.setdefault(attempt.match_key, []).append(attempt.status)
    return found


def test_a_void_attempt_replaces_its_deal(league: Repository) -> None:
    redraw = Redraw("ann+bob", 3, 1, 1, 1)
    assert void(league, 1) == redraw
    assert league.get_league("demo").redraws == (redraw,)


def test_what_counted_of_it_stays_and_counts_nothing(league: Repository) -> None:
    record = league.get_record("demo/ann+bob/1/0")
    assert league.counted_keys("demo") == {"demo/ann+bob/1/0"}
    void(league, 1)
    assert league.counted_keys("demo") == set()
    assert list(league.results("demo")) == []
    assert list(league.infractions("demo")) == []
    assert list(league.records("demo")) == []
    assert {entry.match_key: entry.replaced_by for entry in league.list_matches("demo")} == {
        "demo/ann+bob/1/0": 3,
        "demo/ann+bob/1/1": 3,
    }
    assert {attempt.replaced_by for attempt in league.attempts("demo")} == {3}
    detail = league.get_match("demo/ann+bob/1/0")
    assert detail.entry.counted is not None
    assert [found.kind for found in detail.infractions] == [Infraction.LATE]
    assert league.get_record("demo/ann+bob/1/0") == record


def test_a_further_deal_counts_like_any_other(league: Repository) -> None:
    void(league, 1)
    play_one(league, make_plan(3))
    assert league.counted_keys("demo") == {"demo/ann+bob/3/0"}
    assert [(result.deal, result.games) for result in league.results("demo")] == [(3, 2)]


def test_further_deals_are_numbered_on_by_table(league: Repository) -> None:
    redraws = [void(league, 1), void(league, 1, table=OTHER), void(league, 3), void(league, 2)]
    assert redraws == [
        Redraw("ann+bob", 3, 1, 1, 1),
        Redraw(OTHER, 3, 1, 1, 1),
        Redraw("ann+bob", 4, 3, 1, 1),
        Redraw("ann+bob", 5, 2, 1, 1),
    ]
    assert list(league.get_league("demo").redraws) == sorted(redraws)


def test_what_is_being_played_of_it_is_void_and_nothing_else(league: Repository) -> None:
    attempt = open_one(league, make_plan(1, 1))
    running = [
        open_one(league, plan)
        for plan in (make_plan(1, 2), make_plan(2, 1), make_plan(1, 1, table=OTHER))
    ]
    redraw = league.void(attempt, VoidCause.REFEREE, "ours", redraw_above=DEALS)
    assert redraw is not None
    assert statuses(league) == {
        "demo/ann+bob/1/0": [AttemptStatus.COUNTED],
        "demo/ann+bob/1/1": [AttemptStatus.VOID],
        "demo/ann+bob/1/2": [AttemptStatus.VOID],
        "demo/ann+bob/2/1": [AttemptStatus.RUNNING],
        "demo/ann+cid/1/1": [AttemptStatus.RUNNING],
    }
    [beside] = league.get_match("demo/ann+bob/1/2").attempts
    assert (beside.cause, beside.detail) == (
        VoidCause.INTERRUPTED,
        "its deal was replaced by deal 3",
    )
    with pytest.raises(NotRunningError):
        league.void(running[0], VoidCause.HOST, "", redraw_above=DEALS)
    assert league.get_league("demo").redraws == (redraw,)


def test_without_it_nothing_is_replaced(league: Repository) -> None:
    attempt = open_one(league, make_plan(1, 1))
    assert league.void(attempt, VoidCause.HOST, "") is None
    open_one(league, make_plan(2))
    league.take_lease("demo", lambda _: True, host="there", worker="2")
    assert league.get_league("demo").redraws == ()


def test_who_takes_over_replaces_what_was_left_running(league: Repository) -> None:
    lease = lease_of(league)
    league.open_attempts(lease, [make_plan(1, 1), make_plan(2, 1)])
    league.open_attempts(lease, [make_plan(1, 2), make_plan(1, table=OTHER)])
    league.set_entrant("demo", "cid", EntrantState.WITHDRAWN)
    league.take_lease("demo", lambda _: True, host="there", worker="2", redraw_above=DEALS)
    assert league.get_league("demo").redraws == (
        Redraw("ann+bob", 3, 1, 1, 1),
        Redraw("ann+bob", 4, 2, 1, 1),
    )
    assert {one for found in statuses(league).values() for one in found} == {
        AttemptStatus.COUNTED,
        AttemptStatus.VOID,
    }


def test_a_deal_is_replaced_with_the_void_or_not_at_all(
    league: Repository, database: Database
) -> None:
    attempt = open_one(league, make_plan(1, 1))
    with database.writing() as session:
        session.execute(text("DROP TABLE redraws"))
    with pytest.raises(StoreError):
        league.void(attempt, VoidCause.HOST, "", redraw_above=DEALS)
    with database.reading() as session:
        left = session.scalar(text("SELECT count(*) FROM attempts WHERE status = 'running'"))
    assert left == 1


@pytest.mark.parametrize(
    "change",
    [
        "replaced_by = deal",
        "deal = 0",
        "attempt_id = 99",
        "league_id = 99",
        "deal = 2",
        "attempt_id = (SELECT max(attempt_id) FROM redraws)",
        "replaced_by = 4",
    ],
)
def test_the_schema_refuses(league: Repository, database: Database, change: str) -> None:
    void(league, 1)
    void(league, 2)
    with pytest.raises(StoreError), database.writing() as session:
        session.execute(text(f"UPDATE redraws SET {change} WHERE deal = 1"))
