"""What counts, what does not, and what the schema refuses."""

import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import Executable, delete, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from referee.core.errors import InputError, NotFoundError, StoreError, VerificationError
from referee.match.record import MatchRecord
from referee.store.database import Database
from referee.store.entries import AttemptStatus, EntrantState, LeagueState, OpenAttempt, VoidCause
from referee.store.failures import AlreadyCountedError, NotRunningError
from referee.store.repository import Repository
from referee.store.tables import (
    AttemptRow,
    InfractionRow,
    LeagueRow,
    MatchRow,
    RecordRow,
    SeatRow,
)
from tests.support.ledgers import lease_of, make_league, make_plan, open_one, play_one
from tests.support.records import make_infraction, make_record, make_stored

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def repository(database: Database) -> Repository:
    repository = Repository(database, now=lambda: NOW)
    repository.create_league(make_league())
    return repository


def test_a_league_comes_back_as_it_went_in(repository: Repository) -> None:
    assert repository.get_league("demo") == make_league()
    repository.create_league(make_league("autumn", ["cid", "ann", "bob"]))
    assert [league.name for league in repository.list_leagues()] == ["autumn", "demo"]
    assert [bot.name for bot in repository.get_league("autumn").entrants] == ["ann", "bob", "cid"]


def test_a_leagues_name_is_taken_once(repository: Repository) -> None:
    with pytest.raises(InputError, match="league 'demo' in this database already"):
        repository.create_league(make_league())


def test_a_league_finishes(repository: Repository) -> None:
    repository.finish_league(lease_of(repository))
    league = repository.get_league("demo")
    assert (league.state, league.since) == (LeagueState.FINISHED, NOW)


@pytest.mark.parametrize("name", ["other", "", "de\0mo", "\udc80"])
def test_an_unknown_league_is_named(repository: Repository, name: str) -> None:
    for use in (
        repository.get_league,
        repository.counted_keys,
        repository.host_voids,
        repository.lease,
        lambda name: list(repository.results(name)),
        lambda name: list(repository.list_matches(name)),
        lambda name: list(repository.infractions(name)),
        lambda name: list(repository.attempts(name)),
        lambda name: list(repository.records(name)),
        lambda name: repository.take_lease(name, lambda _: True, host="", worker=""),
        lambda name: repository.set_league(name, LeagueState.PAUSED),
        lambda name: repository.set_entrant(name, "ann", EntrantState.WITHDRAWN),
    ):
        with pytest.raises(NotFoundError, match="there is no league"):
            use(name)


def test_attempts_of_a_sitting_are_opened_together(repository: Repository) -> None:
    plans = [make_plan(deal) for deal in (1, 2, 3)]
    attempts = repository.open_attempts(lease_of(repository, worker="w\x1b1"), plans)
    assert [(a.match_key, a.number) for a in attempts] == [
        ("demo/ann+bob/1/0", 1),
        ("demo/ann+bob/2/0", 1),
        ("demo/ann+bob/3/0", 1),
    ]
    entry = next(repository.attempts("demo"))
    assert (entry.status, entry.host, entry.worker) == (AttemptStatus.RUNNING, "here", r"w\x1b1")
    assert (entry.started_at, entry.ended_at, entry.cause) == (NOW, None, None)


def test_a_counted_attempt_is_final(repository: Repository) -> None:
    plan = make_plan()
    attempt = open_one(repository, plan)
    record = make_record(plan.match_key)
    repository.count(attempt, record, make_stored(record))
    assert repository.counted_keys("demo") == {plan.match_key}
    with pytest.raises(AlreadyCountedError, match=r"demo/ann\+bob/1/0"):
        open_one(repository, plan)
    with pytest.raises(NotRunningError):
        repository.void(attempt, VoidCause.HOST, "too late")
    (entry,) = repository.attempts("demo")
    assert (entry.status, entry.ended_at) == (AttemptStatus.COUNTED, record.end_time)


def test_a_void_attempt_is_followed_by_the_next(repository: Repository) -> None:
    plan = make_plan()
    repository.void(open_one(repository, plan), VoidCause.HOST, "no \x1bmemory")
    assert repository.counted_keys("demo") == set()
    play_one(repository, plan)
    void, counted = repository.attempts("demo")
    assert (void.number, void.status, void.cause) == (1, AttemptStatus.VOID, VoidCause.HOST)
    assert (void.detail, void.ended_at) == (r"no \x1bmemory", NOW)
    assert (counted.number, counted.status) == (2, AttemptStatus.COUNTED)


def test_a_void_attempt_tells_at_whose_question_it_broke_off_and_how_it_stood(
    repository: Repository,
) -> None:
    standing = {"bob": 12, "ann": 0}
    attempt = open_one(repository, make_plan())
    repository.void(attempt, VoidCause.HOST, "slow", bot="bob", standing=standing)
    repository.void(open_one(repository, make_plan()), VoidCause.REFEREE, "")
    play_one(repository, make_plan())
    told = [(entry.bot, entry.standing) for entry in repository.attempts("demo")]
    assert told == [("bob", standing), (None, None), (None, None)]


def test_what_the_host_broke_off_is_counted_by_league_and_bot(repository: Repository) -> None:
    repository.create_league(make_league("other"))
    assert repository.host_voids("demo") == {}
    for league, cause, bot in [
        ("demo", VoidCause.HOST, "bob"),
        ("demo", VoidCause.HOST, "ann"),
        ("demo", VoidCause.HOST, "bob"),
        ("demo", VoidCause.HOST, None),
        ("demo", VoidCause.REFEREE, "ann"),
        ("demo", VoidCause.INTERRUPTED, "ann"),
        ("other", VoidCause.HOST, "bob"),
    ]:
        repository.void(open_one(repository, make_plan(league=league)), cause, "", bot=bot)
    assert repository.host_voids("demo") == {"ann": 1, "bob": 2}
    assert repository.host_voids("other") == {"bob": 1}


def test_a_void_attempt_cannot_count(repository: Repository) -> None:
    attempt = open_one(repository, make_plan())
    repository.void(attempt, VoidCause.REFEREE, "")
    record = make_record(attempt.match_key)
    with pytest.raises(NotRunningError, match="attempt 1 is not running any more"):
        repository.count(attempt, record, make_stored(record))
    assert repository.counted_keys("demo") == set()


def test_another_attempts_record_is_our_bug(repository: Repository) -> None:
    attempt = open_one(repository, make_plan())
    for record in (make_record("demo/ann+bob/2/0"), make_record(attempt.match_key, attempt=2)):
        with pytest.raises(ValueError, match="another attempt"):
            repository.count(attempt, record, make_stored(record))


def test_a_second_counted_attempt_is_refused_by_the_schema(repository: Repository) -> None:
    plan = make_plan()
    first, second = open_one(repository, plan), open_one(repository, plan)
    for_first, for_second = (make_record(plan.match_key, attempt=number) for number in (1, 2))
    repository.count(first, for_first, make_stored(for_first))
    with pytest.raises(AlreadyCountedError):
        repository.count(second, for_second, make_stored(for_second))
    assert [entry.status for entry in repository.attempts("demo")] == [
        AttemptStatus.COUNTED,
        AttemptStatus.RUNNING,
    ]
    assert repository.get_record(plan.match_key) == make_stored(for_first)


def test_of_attempts_that_count_at_once_one_does(repository: Repository) -> None:
    plan = make_plan()
    attempts = [open_one(repository, plan) for _ in range(4)]
    together = threading.Barrier(len(attempts))
    refused: list[BaseException] = []

    def count(attempt: OpenAttempt) -> None:
        record = make_record(plan.match_key, attempt=attempt.number)
        together.wait(timeout=30)
        try:
            repository.count(attempt, record, make_stored(record))
        except Exception as error:  # noqa: BLE001
            refused.append(error)

    threads = [threading.Thread(target=count, args=[attempt]) for attempt in attempts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert [type(error) for error in refused] == [AlreadyCountedError] * 3
    assert len(list(repository.results("demo"))) == 1
    assert len(list(repository.records("demo"))) == 1


def test_a_resumed_league_voids_what_was_left_running(repository: Repository) -> None:
    repository.create_league(make_league("other"))
    play_one(repository, make_plan(1))
    open_one(repository, make_plan(2))
    open_one(repository, make_plan(3))
    elsewhere = open_one(repository, make_plan(1, league="other"))
    repository.take_lease("demo", lambda _: True, host="here", worker="2")
    assert [(entry.status, entry.cause) for entry in repository.attempts("demo")] == [
        (AttemptStatus.COUNTED, None),
        (AttemptStatus.VOID, VoidCause.INTERRUPTED),
        (AttemptStatus.VOID, VoidCause.INTERRUPTED),
    ]
    repository.void(elsewhere, VoidCause.HOST, "still running")


def test_a_single_match_counts_once(repository: Repository) -> None:
    repository.void(repository.open_single("match/x", host="", worker=""), VoidCause.HOST, "")
    attempt = repository.open_single("match/x", host="", worker="")
    record = make_record("match/x", attempt=2)
    repository.count(attempt, record, make_stored(record))
    with pytest.raises(AlreadyCountedError):
        repository.open_single("match/x", host="", worker="")
    (entry,) = repository.list_matches()
    assert (entry.league, entry.place, entry.imported, entry.attempts) == (None, None, False, 2)


def test_an_imported_record_counts_in_no_league(repository: Repository) -> None:
    record = make_record("demo/ann+bob/1/0", infractions=[make_infraction(1)])
    stored = make_stored(record)
    imported = repository.import_record(record, stored)
    assert imported.new
    assert imported.match_key == f"imported/{stored.sha256.hex()}"
    assert repository.counted_keys("demo") == set()
    assert list(repository.results("demo")) == []
    assert list(repository.infractions("demo")) == []
    assert repository.get_record(imported.match_key) == stored
    entry = repository.get_match(imported.match_key).entry
    assert (entry.imported, entry.league, entry.deal_key) == (True, None, "demo/ann+bob/1")
    play_one(repository, make_plan(1), games=[(1, 0)])
    assert repository.counted_keys("demo") == {"demo/ann+bob/1/0"}


def test_a_record_that_is_here_is_not_imported_again(repository: Repository) -> None:
    own = play_one(repository, make_plan())
    known = repository.import_record(own, make_stored(own))
    assert (known.match_key, known.new) == (own.match_key, False)
    other = make_record("match/elsewhere")
    first = repository.import_record(other, make_stored(other))
    again = repository.import_record(other, make_stored(other))
    assert (again.match_key, again.new) == (first.match_key, False)


RECORD = make_record()


@pytest.mark.parametrize(
    "record",
    [
        replace(RECORD, attempt=0),
        replace(RECORD, attempt=2**70),
        replace(RECORD, seats=RECORD.seats[:1]),
        replace(RECORD, infractions=(make_infraction(2),)),
        replace(RECORD, play_digest=b"short"),
        replace(RECORD, transcript="end 0 points 0 5\n"),
    ],
    ids=["attempt 0", "attempt too large", "one seat", "no such seat", "digest", "transcript"],
)
def test_a_record_that_contradicts_itself_is_not_imported(
    repository: Repository, record: MatchRecord
) -> None:
    with pytest.raises(VerificationError, match="contradicts itself"):
        repository.import_record(record, make_stored(record))
    assert list(repository.list_matches()) == []


COUNTED, VOID = AttemptStatus.COUNTED, AttemptStatus.VOID


@pytest.mark.parametrize(
    "statement",
    [
        update(AttemptRow).where(AttemptRow.number == 2).values(status="void", ended_at=NOW),
        update(AttemptRow).where(AttemptRow.number == 2).values(status=VOID, ended_at=NOW),
        update(AttemptRow).where(AttemptRow.number == 2).values(status=COUNTED, ended_at=NOW),
        update(AttemptRow).where(AttemptRow.number == 2).values(ended_at=NOW),
        update(AttemptRow).where(AttemptRow.number == 2).values(cause=VoidCause.HOST),
        update(AttemptRow).where(AttemptRow.number == 2).values(number=1),
        update(AttemptRow).where(AttemptRow.number == 2).values(match_id=99),
        update(AttemptRow).where(AttemptRow.number == 1).values(record_id=99),
        update(AttemptRow).where(AttemptRow.number == 1).values(record_id=None),
        update(MatchRow).values(deal=None),
        update(MatchRow).values(imported=True),
        update(LeagueRow).values(seed=b"short"),
        update(SeatRow).values(place=0),
        update(SeatRow).values(winner=True, forfeit=True),
        update(SeatRow).values(total=0),
        update(InfractionRow).values(seat=2),
        delete(RecordRow),
        delete(SeatRow),
        text("UPDATE attempts SET status = 'paused'"),
        text("UPDATE infractions SET kind = 'rude'"),
        text("UPDATE leagues SET state = 'stopped'"),
        text("UPDATE entrants SET state = 'ill'"),
    ],
    ids=str,
)
def test_the_schema_refuses(
    repository: Repository, database: Database, statement: Executable
) -> None:
    play_one(repository, make_plan(), infractions=[make_infraction(1)])
    with database.writing() as session:
        match_id = session.scalar(select(MatchRow.id))
        running = AttemptRow(match_id=match_id, number=2, status=AttemptStatus.RUNNING, detail="")
        running.started_at, running.host, running.worker = NOW, "", ""
        session.add(running)
    with pytest.raises(IntegrityError), Session(database.engine) as session:
        session.execute(statement)


def test_foreign_keys_hold_at_once(repository: Repository, database: Database) -> None:
    with pytest.raises(StoreError), database.writing() as session:
        session.execute(delete(LeagueRow))
