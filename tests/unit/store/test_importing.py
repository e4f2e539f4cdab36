"""Leagues from elsewhere in the ledger: apart from one's own, whole or not at all."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from referee.core.errors import InputError, VerificationError
from referee.store import rows
from referee.store.database import Database
from referee.store.entries import (
    ArchivedMatch,
    AttemptEntry,
    AttemptStatus,
    League,
    LeaguePlace,
    LeagueState,
    VoidCause,
)
from referee.store.repository import Repository
from referee.store.tables import RecordRow
from tests.support.ledgers import make_league, make_plan, play_one
from tests.support.records import START, make_infraction, make_record, make_stored

NAME = "demo@0123456789ab"


def imported_league(digest: bytes = bytes(32), name: str = NAME) -> League:
    return replace(
        make_league("demo"), name=name, state=LeagueState.FINISHED, archive_sha256=digest
    )


def attempt(number: int, status: AttemptStatus, **other: Any) -> AttemptEntry:
    return AttemptEntry(
        match_key="",
        number=number,
        status=status,
        cause=None if status is AttemptStatus.COUNTED else VoidCause.HOST,
        detail=other.get("detail", ""),
        bot=None,
        standing={"ann": 3, "bob": 0} if status is AttemptStatus.VOID else None,
        started_at=START,
        ended_at=START + timedelta(seconds=5),
        host="there",
        worker="process 1",
    )


COUNTED = attempt(1, AttemptStatus.COUNTED)


def archived(deal: int = 1, rotation: int = 0, **other: Any) -> ArchivedMatch:
    record = make_record(f"demo/ann+bob/{deal}/{rotation}", infractions=[make_infraction(1)])
    record = replace(record, **other)
    return ArchivedMatch(
        LeaguePlace("ann+bob", deal, rotation), (COUNTED,), record, make_stored(record)
    )


def test_a_league_is_kept_with_all_its_matches(repository: Repository) -> None:
    matches = [archived(deal, rotation) for deal in (1, 2) for rotation in (0, 1)]
    assert repository.import_league(imported_league(), iter(matches))
    assert repository.get_league(NAME) == imported_league()
    assert repository.counted_keys(NAME) == {
        f"{NAME}/ann+bob/{deal}/{rotation}" for deal in (1, 2) for rotation in (0, 1)
    }
    assert [entry.imported for entry in repository.list_matches(NAME)] == [True] * 4
    assert len(list(repository.results(NAME))) == 4
    assert len(list(repository.infractions(NAME))) == 4
    for match, (_, stored) in zip(matches, repository.records(NAME), strict=True):
        assert stored == match.stored


def test_every_attempt_is_kept(repository: Repository) -> None:
    void = attempt(1, AttemptStatus.VOID, detail="lost\x1b[2J")
    counted = replace(COUNTED, number=2)
    match = archived(attempt=2)
    never = ArchivedMatch(LeaguePlace("ann+bob", 2, 0), (void,), None, None)
    repository.import_league(imported_league(), [replace(match, attempts=(void, counted)), never])
    found = list(repository.attempts(NAME))
    assert [(one.match_key[-3:], one.number, one.status) for one in found] == [
        ("1/0", 1, AttemptStatus.VOID),
        ("1/0", 2, AttemptStatus.COUNTED),
        ("2/0", 1, AttemptStatus.VOID),
    ]
    assert found[0].detail == r"lost\x1b[2J"
    assert found[0].standing == {"ann": 3, "bob": 0}
    assert (found[0].host, found[0].worker) == ("there", "process 1")


def test_it_never_meets_a_league_of_ones_own(repository: Repository) -> None:
    repository.create_league(make_league())
    own = play_one(repository, make_plan(1))
    before = list(repository.results("demo"))
    repository.import_league(imported_league(), [archived(1), archived(2)])
    assert repository.counted_keys("demo") == {own.match_key}
    assert list(repository.results("demo")) == before
    play_one(repository, make_plan(2))
    assert len(repository.counted_keys(NAME)) == 2


def test_the_same_archive_is_kept_once(repository: Repository) -> None:
    assert repository.import_league(imported_league(), [archived()])
    assert not repository.import_league(imported_league(), [archived()])
    assert len(list(repository.attempts(NAME))) == 1


def test_another_league_of_the_name_is_refused(repository: Repository) -> None:
    repository.import_league(imported_league(), [archived()])
    with pytest.raises(InputError, match="another league"):
        repository.import_league(imported_league(b"\1" * 32), [archived(2)])


@pytest.mark.parametrize("single", [True, False])
def test_a_record_that_is_here_is_not_taken_over(repository: Repository, single: bool) -> None:
    repository.create_league(make_league())
    if single:
        match = archived(2)
        assert match.record is not None
        assert match.stored is not None
        here = repository.import_record(match.record, match.stored).match_key
    else:
        record = play_one(repository, make_plan(2))
        match = replace(archived(2), record=record, stored=make_stored(record))
        here = record.match_key
    with pytest.raises(
        InputError, match=f"demo/ann.bob/2/0 is here already, as {here}".replace("+", ".")
    ):
        repository.import_league(imported_league(), [archived(1), match])
    assert [league.name for league in repository.list_leagues()] == ["demo"]
    assert repository.get_match(here).entry.counted is not None


RECORD = make_record("demo/ann+bob/1/0")


@pytest.mark.parametrize(
    "match",
    [
        replace(archived(), attempts=(replace(COUNTED, number=0),)),
        replace(archived(), attempts=(replace(COUNTED, cause=VoidCause.HOST),)),
        replace(archived(), attempts=(replace(COUNTED, ended_at=None),)),
        replace(archived(), record=None),
        archived(transcript="end 0 points 0 5\n"),
        archived(infractions=(make_infraction(2),)),
        archived(deal=0),
        archived(rotation=-1),
    ],
    ids=["number", "cause", "end", "record", "transcript", "seat", "deal", "rotation"],
)
def test_what_contradicts_itself_leaves_nothing(
    repository: Repository, match: ArchivedMatch
) -> None:
    with pytest.raises(VerificationError, match="contradicts itself"):
        repository.import_league(imported_league(), [archived(5), match])
    assert repository.list_leagues() == []
    assert list(repository.list_matches()) == []


def test_an_archive_that_breaks_off_leaves_nothing(repository: Repository) -> None:
    def breaking() -> Iterator[ArchivedMatch]:
        yield archived(1)
        raise VerificationError("cut short")

    with pytest.raises(VerificationError, match="cut short"):
        repository.import_league(imported_league(), breaking())
    assert repository.list_leagues() == []


def test_the_schema_keeps_an_archive_once(database: Database) -> None:
    with Session(database.engine) as session:
        session.add(rows.league_row(imported_league()))
        session.flush()
        for digest in (bytes(32), b"short"):
            session.begin_nested()
            session.add(rows.league_row(imported_league(digest, name="other@1")))
            with pytest.raises(IntegrityError):
                session.flush()
            session.rollback()


def test_memory_stays_small(repository: Repository) -> None:
    """What is written is not kept in the session."""
    seen: list[int] = []

    def many() -> Iterator[ArchivedMatch]:
        for deal in range(1, 41):
            yield archived(deal)
            seen.append(sum(isinstance(one, RecordRow) for one in gc.get_objects()))

    repository.import_league(imported_league(), many())
    assert max(seen) < 5
