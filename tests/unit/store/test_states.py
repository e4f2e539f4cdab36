"""Leagues that pause or are cancelled, bots that leave: what may still be played, and counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from referee.core.errors import InputError, NotFoundError
from referee.store.database import Database
from referee.store.entries import AttemptStatus, EntrantState, LeagueState, VoidCause
from referee.store.failures import NotRunningError, NotToBePlayedError
from referee.store.repository import Repository
from tests.support.ledgers import finish, lease_of, make_league, make_plan, open_one, play_one
from tests.support.records import make_record, make_stored

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WITHDRAWN, DISQUALIFIED = EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED
OPEN, PAUSED, CANCELLED = LeagueState.OPEN, LeagueState.PAUSED, LeagueState.CANCELLED


@pytest.fixture
def repository(database: Database) -> Repository:
    repository = Repository(database, now=lambda: NOW)
    repository.create_league(make_league(entrants=["ann", "bob", "cid"]))
    return repository


@pytest.mark.parametrize("state", [PAUSED, CANCELLED])
def test_a_state_has_its_time_and_reason(repository: Repository, state: LeagueState) -> None:
    repository.set_league("demo", state, "no \x1bpower")
    league = repository.get_league("demo")
    assert (league.state, league.since, league.reason) == (state, NOW, r"no \x1bpower")


def test_what_a_league_cannot_become(repository: Repository) -> None:
    repository.set_league("demo", PAUSED)
    with pytest.raises(InputError, match="league demo is paused already"):
        repository.set_league("demo", PAUSED)
    repository.set_league("demo", CANCELLED)
    for state in (PAUSED, CANCELLED):
        with pytest.raises(InputError, match="league demo is cancelled already"):
            repository.set_league("demo", state)


def test_a_finished_league_stays_so(repository: Repository) -> None:
    finish(repository)
    for state in (PAUSED, CANCELLED):
        with pytest.raises(InputError, match="league demo is finished already"):
            repository.set_league("demo", state)
    with pytest.raises(InputError, match="league demo is finished already"):
        repository.set_entrant("demo", "ann", WITHDRAWN)


def test_a_cancelled_league_is_not_finished(repository: Repository) -> None:
    lease = lease_of(repository)
    repository.set_league("demo", CANCELLED, "rain")
    repository.finish_league(lease)
    league = repository.get_league("demo")
    assert (league.state, league.reason) == (CANCELLED, "rain")


def test_nothing_of_a_cancelled_league_counts_from_there(repository: Repository) -> None:
    played = play_one(repository, make_plan(1))
    attempt = open_one(repository, make_plan(2))
    record = make_record(attempt.match_key)
    repository.set_league("demo", CANCELLED)
    with pytest.raises(NotRunningError):
        repository.count(attempt, record, make_stored(record))
    with pytest.raises(NotRunningError):
        repository.void(attempt, VoidCause.HOST, "")
    with pytest.raises(NotToBePlayedError, match=r"demo/ann\+bob/3/0 is not to be played"):
        repository.open_attempts(lease_of(repository), [make_plan(3)])
    assert repository.counted_keys("demo") == {played.match_key}
    _, void = repository.attempts("demo")
    assert (void.status, void.cause, void.detail, void.ended_at) == (
        AttemptStatus.VOID,
        VoidCause.INTERRUPTED,
        "the league was cancelled",
        NOW,
    )


@pytest.mark.parametrize("state", [WITHDRAWN, DISQUALIFIED])
def test_a_bot_that_left_plays_no_more(repository: Repository, state: EntrantState) -> None:
    here, elsewhere = make_plan(table="ann+bob"), make_plan(table="bob+cid")
    at_table, apart = open_one(repository, here), open_one(repository, elsewhere)
    repository.set_entrant("demo", "ann", state, "it \x1bbroke")
    ann, bob, _ = repository.get_league("demo").entrants
    assert (ann.state, ann.since, ann.reason) == (state, NOW, r"it \x1bbroke")
    assert (bob.state, bob.since, bob.reason) == (EntrantState.IN, None, "")
    assert repository.get_league("demo").gone == {"ann"}
    record = make_record(at_table.match_key)
    with pytest.raises(NotRunningError):
        repository.count(at_table, record, make_stored(record))
    with pytest.raises(NotToBePlayedError):
        repository.open_attempts(lease_of(repository), [make_plan(2, table="ann+cid")])
    record = make_record(apart.match_key, bots=elsewhere.bots)
    repository.count(apart, record, make_stored(record))
    details = [attempt.detail for attempt in repository.attempts("demo")]
    assert details == [f"ann was {state}", ""]


def test_standings_are_without_the_disqualified(repository: Repository) -> None:
    tables = ["ann+bob", "ann+cid", "bob+cid"]
    for table in tables:
        play_one(repository, make_plan(table=table))
    repository.set_entrant("demo", "ann", WITHDRAWN)
    assert [result.table for result in repository.results("demo")] == tables
    repository.set_entrant("demo", "ann", DISQUALIFIED)
    assert [result.table for result in repository.results("demo")] == ["bob+cid"]
    assert len(repository.counted_keys("demo")) == 3
    assert len(list(repository.records("demo"))) == 3


def test_after_its_end_a_league_can_be_without_a_bot(repository: Repository) -> None:
    play_one(repository, make_plan())
    finish(repository)
    repository.set_entrant("demo", "ann", DISQUALIFIED)
    assert list(repository.results("demo")) == []
    assert repository.get_league("demo").state is LeagueState.FINISHED


def test_who_left_cannot_leave_again(repository: Repository) -> None:
    repository.set_entrant("demo", "ann", WITHDRAWN)
    with pytest.raises(InputError, match="ann is withdrawn already"):
        repository.set_entrant("demo", "ann", WITHDRAWN)
    repository.set_entrant("demo", "ann", DISQUALIFIED)
    for state in (WITHDRAWN, DISQUALIFIED):
        with pytest.raises(InputError, match="ann is disqualified already"):
            repository.set_entrant("demo", "ann", state)


@pytest.mark.parametrize("bot", ["dan", "", "a\0b", "\udc80"])
def test_a_bot_that_is_none_of_the_leagues(repository: Repository, bot: str) -> None:
    with pytest.raises(NotFoundError, match=r"there is no bot '.*' in league demo"):
        repository.set_entrant("demo", bot, WITHDRAWN)


def test_an_imported_league_stays_as_it_is(repository: Repository, database: Database) -> None:
    imported = make_league("away@1")
    repository.import_league(replace(imported, archive_sha256=bytes(32)), [])
    with pytest.raises(InputError, match="away@1 was imported"):
        repository.set_league("away@1", CANCELLED)
    with pytest.raises(InputError, match="away@1 was imported"):
        repository.set_entrant("away@1", "ann", DISQUALIFIED)
    with pytest.raises(InputError, match="away@1 was imported"):
        lease_of(repository, "away@1")


@pytest.mark.parametrize("round_", range(3))
def test_a_match_that_ends_as_its_league_is_cancelled_counts_or_does_not(
    repository: Repository, round_: int
) -> None:
    attempt = open_one(repository, make_plan())
    record = make_record(attempt.match_key)
    together = threading.Barrier(2)
    errors: list[Exception] = []

    def in_step(work: Callable[[], object]) -> None:
        together.wait(timeout=30)
        try:
            work()
        except NotRunningError as error:
            errors.append(error)

    threads = [
        threading.Thread(target=in_step, args=[work])
        for work in (
            lambda: repository.count(attempt, record, make_stored(record)),
            lambda: repository.set_league("demo", CANCELLED),
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    (ended,) = repository.attempts("demo")
    assert ended.status is (AttemptStatus.VOID if errors else AttemptStatus.COUNTED)
    assert len(list(repository.records("demo"))) == 1 - len(errors)
