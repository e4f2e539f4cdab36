"""One process at a time runs a league; whoever lost the lease writes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from referee.core.errors import InputError
from referee.store.database import Database
from referee.store.entries import AttemptStatus, HeldLease, LeagueState, Lease, VoidCause
from referee.store.failures import LeagueOverError, LeaseLostError
from referee.store.repository import Repository
from referee.store.tables import LeaseRow
from tests.support.ledgers import finish, make_league, make_plan
from tests.support.records import make_record, make_stored

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def never(_: HeldLease) -> bool:
    return False


def always(_: HeldLease) -> bool:
    return True


@pytest.fixture
def repository(database: Database) -> Repository:
    repository = Repository(database, now=lambda: NOW)
    repository.create_league(make_league())
    return repository


def take(repository: Repository, worker: str, may_take: Callable[[HeldLease], bool]) -> Lease:
    return repository.take_lease("demo", may_take, host="here\x1b", worker=worker)


def test_who_begins_a_league_that_another_has_just_begun_is_told_who_runs_it(
    repository: Repository,
) -> None:
    take(repository, "one", never)
    with pytest.raises(InputError, match="league demo is being run by one on here"):
        repository.create_league(make_league())


def test_a_lease_tells_who_has_it_and_when_they_were_heard_of(
    repository: Repository, database: Database
) -> None:
    assert repository.lease("demo") is None
    lease = take(repository, "one", never)
    held = repository.lease("demo")
    assert held is not None
    assert held.lease == lease
    assert (lease.host, lease.worker, lease.since) == (r"here\x1b", "one", NOW)
    assert held.silent_seconds < 5
    silence(database, 300)
    held = repository.lease("demo")
    assert held is not None
    assert 299 <= held.silent_seconds < 305
    repository.beat(lease)
    held = repository.lease("demo")
    assert held is not None
    assert held.silent_seconds < 5


def silence(database: Database, seconds: float) -> None:
    """So long ago whoever has the lease was heard of last."""
    with database.writing() as session:
        beat = datetime.now(UTC) - timedelta(seconds=seconds)
        session.execute(update(LeaseRow).values(beat=beat))


def test_another_is_told_who_has_it(repository: Repository) -> None:
    take(repository, "one", never)
    with pytest.raises(InputError, match=r"demo is being run by one on here\\x1b already, last h"):
        take(repository, "two", never)
    held = repository.lease("demo")
    assert held is not None
    assert held.lease.worker == "one"


def test_what_was_given_back_can_be_had(repository: Repository) -> None:
    one = take(repository, "one", never)
    repository.release_lease(one)
    two = take(repository, "two", never)
    # Too late: it is not one's own any more.
    repository.release_lease(one)
    assert repository.beat(two).name == "demo"


def test_who_lost_the_lease_writes_nothing(repository: Repository) -> None:
    one = take(repository, "one", never)
    plan, other = make_plan(1), make_plan(2)
    (attempt,) = repository.open_attempts(one, [plan])
    two = take(repository, "two", always)
    record = make_record(plan.match_key)
    for write in (
        lambda: repository.count(attempt, record, make_stored(record)),
        lambda: repository.void(attempt, VoidCause.HOST, ""),
        lambda: repository.open_attempts(one, [other]),
        lambda: repository.finish_league(one),
        lambda: repository.beat(one),
    ):
        with pytest.raises(LeaseLostError, match=r"demo was taken over by two on here\\x1b, as no"):
            write()
    (left,) = repository.attempts("demo")
    assert (left.status, left.cause) == (AttemptStatus.VOID, VoidCause.INTERRUPTED)
    assert repository.get_league("demo").state is LeagueState.OPEN
    (again,) = repository.open_attempts(two, [plan])
    record = make_record(plan.match_key, attempt=again.number)
    repository.count(again, record, make_stored(record))
    assert repository.counted_keys("demo") == {plan.match_key}


def test_of_many_who_want_it_at_once_one_has_it(repository: Repository) -> None:
    together = threading.Barrier(4)
    had: list[Lease] = []
    refused: list[BaseException] = []

    def want(name: str) -> None:
        together.wait(timeout=30)
        try:
            had.append(take(repository, name, never))
        except Exception as error:  # noqa: BLE001
            refused.append(error)

    threads = [threading.Thread(target=want, args=[str(number)]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert [type(error) for error in refused] == [InputError] * 3
    [lease] = had
    repository.beat(lease)


def test_leagues_have_leases_of_their_own(repository: Repository) -> None:
    repository.create_league(make_league("other"))
    one = take(repository, "one", never)
    other = repository.take_lease("other", never, host="here", worker="two")
    assert repository.beat(one).name == "demo"
    assert repository.beat(other).name == "other"


def test_nobody_runs_what_is_over(repository: Repository) -> None:
    finish(repository)
    with pytest.raises(LeagueOverError, match="demo is finished: nothing of it is to be played"):
        take(repository, "one", always)
    assert repository.lease("demo") is None


def test_what_is_paused_goes_on(repository: Repository) -> None:
    repository.set_league("demo", LeagueState.PAUSED, "lunch")
    lease = take(repository, "one", never)
    league = repository.beat(lease)
    assert (league.state, league.since, league.reason) == (LeagueState.OPEN, None, "")
