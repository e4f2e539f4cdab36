"""What the ledger tells."""

import random

import pytest
from sqlalchemy import update

from referee.core.errors import InputError, NotFoundError, VerificationError
from referee.league.results import MatchResult, SeatResult
from referee.league.standings import standings
from referee.league.timing import AnswerTimes
from referee.match.conduct import Conduct, Consequence, Fault, Infraction
from referee.store import reading
from referee.store.database import Database
from referee.store.entries import GameEntry, InfractionEntry, LeaguePlace, VoidCause
from referee.store.repository import Repository
from referee.store.tables import RecordRow
from tests.support.ledgers import make_league, make_plan, open_one, play_one
from tests.support.records import make_infraction, make_stored


@pytest.fixture
def league(repository: Repository) -> Repository:
    repository.create_league(make_league())
    return repository


def test_a_result_has_all_that_standings_need(league: Repository) -> None:
    record = play_one(
        league,
        make_plan(3, 1),
        infractions=[
            make_infraction(1),
            make_infraction(1, strikes=2),
            make_infraction(1, Infraction.ILLEGAL, strikes=3),
            make_infraction(0, fault=Fault.HOST),
        ],
    )
    times = AnswerTimes.of([100, 2_000])
    assert list(league.results("demo")) == [
        MatchResult(
            match_key="demo/ann+bob/3/1",
            table="ann+bob",
            deal=3,
            games=2,
            result=record.result,
            seats=(
                SeatResult("ann", {}, times),
                SeatResult("bob", {Infraction.LATE: 2, Infraction.ILLEGAL: 1}, times),
            ),
        )
    ]


def test_forfeits_and_listed_penalties_come_back(league: Repository) -> None:
    record = play_one(
        league,
        make_plan(),
        infractions=[make_infraction(0, Infraction.CRASHED)],
        forfeits=[0],
        conduct=Conduct(list_only=True),
    )
    (result,) = league.results("demo")
    assert result.result == record.result
    assert result.result.forfeits == (True, False)
    assert result.result.penalties == (50, 0)
    assert result.result.totals == result.result.points


def test_results_do_not_depend_on_the_order_of_play(
    league: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_MATCHES", 7)
    plans = [make_plan(deal, rotation) for deal in range(1, 13) for rotation in (0, 1)]
    shuffled = random.Random(1).sample(plans, len(plans))
    for number, plan in enumerate(shuffled):
        play_one(league, plan, games=[(0, number + 1)])
    open_one(league, make_plan(13))
    assert [result.match_key for result in league.results("demo")] == [
        plan.match_key for plan in plans
    ]
    first, second = standings(league.results("demo"))
    assert (first.bot, first.matches, second.bot) == ("ann", 24, "bob")


def test_matches_are_listed_of_a_league_and_of_a_bot(league: Repository) -> None:
    league.create_league(make_league("other", ["bob", "cid"]))
    play_one(league, make_plan(2))
    league.void(open_one(league, make_plan(1)), VoidCause.HOST, "")
    open_one(league, make_plan(1))
    play_one(league, make_plan(1, league="other", table="bob+cid"))

    def keys(**only: str) -> list[str]:
        return [entry.match_key for entry in league.list_matches(**only)]

    assert keys() == ["demo/ann+bob/2/0", "demo/ann+bob/1/0", "other/bob+cid/1/0"]
    assert keys(league="demo") == ["demo/ann+bob/1/0", "demo/ann+bob/2/0"]
    assert keys(bot="bob") == ["demo/ann+bob/2/0", "other/bob+cid/1/0"]
    assert keys(league="demo", bot="ann") == ["demo/ann+bob/2/0"]
    assert keys(bot="dan") == []
    running, counted = league.list_matches("demo")
    assert (running.attempts, running.running, running.counted) == (2, True, None)
    assert (counted.attempts, counted.running) == (1, False)
    assert (counted.league, counted.place) == ("demo", LeaguePlace("ann+bob", 2, 0))


def test_a_match_is_shown_whole(league: Repository) -> None:
    league.void(open_one(league, make_plan()), VoidCause.HOST, "no memory")
    record = play_one(league, make_plan(), infractions=[make_infraction(1)])
    match = league.get_match(record.match_key)
    counted = match.entry.counted
    assert counted is not None
    assert (counted.number, counted.result) == (2, record.result)
    assert (counted.started_at.utcoffset(), counted.ended_at) == (
        record.start_time.utcoffset(),
        record.end_time,
    )
    assert counted.play_digest == record.play_digest
    assert counted.record_sha256 == make_stored(record).sha256
    assert match.games == (
        GameEntry(1, 0, (0, 12), 3, tie_break=False),
        GameEntry(2, 1, (31, 0), 3, tie_break=False),
    )
    assert [(entry.number, entry.cause) for entry in match.attempts] == [
        (1, VoidCause.HOST),
        (2, None),
    ]
    assert match.infractions == tuple(league.infractions("demo"))


def test_infractions_name_the_bot(league: Repository) -> None:
    play_one(league, make_plan(2), infractions=[make_infraction(0)])
    play_one(league, make_plan(1), infractions=[make_infraction(1), make_infraction(0)])
    found = list(league.infractions("demo"))
    assert [(entry.match_key, entry.bot) for entry in found] == [
        ("demo/ann+bob/1/0", "bob"),
        ("demo/ann+bob/1/0", "ann"),
        ("demo/ann+bob/2/0", "ann"),
    ]
    assert found[0] == InfractionEntry(
        match_key="demo/ann+bob/1/0",
        game=1,
        turn=2,
        seat=1,
        bot="bob",
        kind=Infraction.LATE,
        penalty=20,
        strikes=1,
        consequence=Consequence.HOUSE,
        fault=Fault.BOT,
        detail="after 2.1 s",
    )


def test_records_come_back_byte_for_byte(league: Repository) -> None:
    played = [play_one(league, make_plan(deal)) for deal in (2, 1)]
    open_one(league, make_plan(3))
    assert list(league.records("demo")) == [
        (record.match_key, make_stored(record)) for record in reversed(played)
    ]
    assert league.get_record(played[0].match_key) == make_stored(played[0])


def test_a_record_that_was_altered_in_the_database_is_named(
    league: Repository, database: Database
) -> None:
    record = play_one(league, make_plan())
    with database.writing() as session:
        session.execute(update(RecordRow).values(record=b"other"))
    with pytest.raises(VerificationError, match=r"demo/ann\+bob/1/0: .* was altered"):
        league.get_record(record.match_key)


def test_a_match_without_a_record_says_so(league: Repository) -> None:
    open_one(league, make_plan())
    with pytest.raises(NotFoundError, match="no attempt at it counts yet"):
        league.get_record("demo/ann+bob/1/0")
    for use in (league.get_record, league.get_match):
        with pytest.raises(NotFoundError, match="there is no match 'demo/ann'"):
            use("demo/ann")


def test_a_match_is_found_by_its_key_or_the_only_beginning(league: Repository) -> None:
    for deal in (1, 2, 3, 4, 10):
        open_one(league, make_plan(deal))
    open_one(league, make_plan(1, 1))
    assert league.find_match("demo/ann+bob/10/0") == "demo/ann+bob/10/0"
    assert league.find_match("demo/ann+bob/10") == "demo/ann+bob/10/0"
    league.open_single("match/x", host="", worker="")
    league.open_single("match/xy", host="", worker="")
    assert league.find_match("match/x") == "match/x"
    assert league.find_match("match/xy") == "match/xy"
    with pytest.raises(InputError, match=r"begin with 'match': match/x, match/xy$"):
        league.find_match("match")
    with pytest.raises(InputError, match=r"ann\+bob/1/0, \S+, demo/ann\+bob/10/0, \.\.\.$"):
        league.find_match("demo")


@pytest.mark.parametrize("text", ["other", "", "%", "demo_", "Demo", "de\0mo", "\udc80", "é"])
def test_what_begins_no_match_is_not_found(league: Repository, text: str) -> None:
    open_one(league, make_plan())
    with pytest.raises(NotFoundError, match="there is no match"):
        league.find_match(text)


def test_reading_that_is_given_up_holds_nothing(league: Repository) -> None:
    for deal in (1, 2, 3):
        play_one(league, make_plan(deal), infractions=[make_infraction(0)])
    for stream in (league.results, league.infractions, league.attempts, league.records):
        next(iter(stream("demo")))
    play_one(league, make_plan(4))
    assert len(league.counted_keys("demo")) == 4
