"""Whatever a bot does wrong: it is ruled on, the others play on, and nothing is left behind."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

import psutil
import pytest

from referee.app import league as app_league
from referee.app.league import open_league
from referee.app.logs import bot_log
from referee.app.replay import check, load_match
from referee.core.dice import SEED_BYTES
from referee.league.format import load_league
from referee.match.conduct import Fault
from referee.match.record import InfractionRecord, MatchRecord
from referee.store.database import Database
from referee.store.repository import Repository
from tests.e2e.faults.case import Case, Seen
from tests.e2e.faults.cases import CASES, FORFEIT
from tests.support.bot_folders import make_bot, make_league
from tests.support.host import peak_memory_growth
from tests.support.inline_pool import InlinePool

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left", "tidy_process")]

SEED: Final = bytes([7]) * SEED_BYTES
"""Of a league in which the bots that end in their last turn have one: they empty their hands."""
LONGEST_MATCH_S: Final = 20
"""With every limit of a case used up, and much to spare on a busy host."""
MOST_GROWTH: Final = 32 * 2**20


@pytest.fixture
def tidy_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sittings are played in this process, which keeps no child and no memory of them."""
    monkeypatch.setattr(app_league, "Pool", InlinePool)
    process = psutil.Process()
    before = process.children(recursive=True)
    with peak_memory_growth() as growth:
        yield
    assert growth() < MOST_GROWTH
    assert process.children(recursive=True) == before


class Played(NamedTuple):
    records: Sequence[MatchRecord]
    log: str
    """Of the bots named ``unruly``."""


def play(folder: Path, league_file: Path, unruly: Sequence[str]) -> Played:
    """A whole league, its records checked, and the logs of the bots that misbehave."""
    logs = folder / "logs"
    with Database.open(str(folder / "referee.sqlite3")) as database:
        repository = Repository(database)
        league = open_league(load_league(league_file), folder, repository, SEED)
        league.run(jobs=1, logs=logs, on_event=lambda _: None, stop=threading.Event())
        assert league.remaining == 0
        assert {attempt.number for attempt in repository.attempts("cup")} == {1}
        records = []
        for key in sorted(repository.counted_keys("cup")):
            held = load_match(repository, key)
            assert check(held) is None
            assert held.record is not None
            records.append(held.record)
    lines = [line.text for name in unruly for line in bot_log(logs, name, lambda _: False)]
    return Played(records, "\n".join(lines))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.does)
def test_a_fault(tmp_path: Path, case: Case) -> None:
    bots = [make_bot(tmp_path / "other"), tmp_path / "unruly"]
    make_bot(bots[1], case.mode, program=case.program, start_limit=case.start)
    file = make_league(
        tmp_path, bots, deals=case.matches, rotations="none", move=case.move, tables=case.tables
    )
    records, log = play(tmp_path, file, ["unruly"])
    assert len(records) == case.matches
    heard = set(re.findall(r" \| ruling \w+ (\S+) ", log))
    for record in records:
        check_match(record, case)
        ruled = {ask.ruling.section for ask in record.asks if ask.ruling is not None}
        assert ruled | heard == ({case.section} if case.seen else set())
    assert log.count(" started as process ") == case.starts
    assert case.log in log
    assert all(line.isprintable() for line in log.split("\n"))


def check_match(record: MatchRecord, case: Case) -> None:
    bots = [seat.bot for seat in record.seats]
    seat = bots.index("unruly")
    assert [as_seen(infraction) for infraction in record.infractions] == list(case.seen)
    assert {infraction.seat for infraction in record.infractions} <= {seat}
    assert {infraction.fault for infraction in record.infractions} <= {Fault.BOT}
    details = [infraction.detail for infraction in record.infractions]
    assert [detail for detail in details if case.detail not in detail] == []

    check_others(record, [seat])
    lines = record.transcript.splitlines()
    assert (f"forfeit {seat}" in lines) == case.forfeits
    assert record.result.forfeits == tuple(case.forfeits and bot == "unruly" for bot in bots)
    assert record.result.penalties[seat] == sum(penalty for _, penalty, _ in case.seen)
    if case.forfeits:
        assert record.result.winners == (1 - seat,)
        _, after = record.transcript.split(f"\nforfeit {seat}\n")
        acts = re.findall(rf"^\d+ {seat} (\w+)", after, re.MULTILINE)
        assert "house" in acts
        assert set(acts) <= {"house", "draw", "stuck"}


def check_others(record: MatchRecord, unruly: Sequence[int]) -> None:
    """Their game went to its end, in time, and every answer of theirs counted."""
    assert record.transcript.splitlines()[-1].startswith("total ")
    assert (record.end_time - record.start_time).total_seconds() < LONGEST_MATCH_S
    theirs = [ask for ask in record.asks if ask.seat not in unruly]
    assert {ask.seat for ask in theirs} == set(range(len(record.seats))) - set(unruly)
    assert all(ask.ruling is None for ask in theirs)


def as_seen(infraction: InfractionRecord) -> Seen:
    return Seen(infraction.kind, infraction.penalty, infraction.consequence)


def test_several_forfeit_and_the_others_play_on(tmp_path: Path) -> None:
    modes = {"ann": "fair", "bob": "resigns", "cleo": "fair", "dan": "ten_thousand_messages"}
    [record] = play_four(tmp_path, modes)
    places = {seat.bot: record.result.places[seat.seat] for seat in record.seats}
    gone = [seat.seat for seat in record.seats if modes[seat.bot] != "fair"]
    check_others(record, gone)
    assert [infraction.consequence for infraction in record.infractions] == [FORFEIT] * 2
    assert {places["ann"], places["cleo"]} <= {1, 2}
    assert places["bob"] == places["dan"] == 3
    assert {record.result.scores()[seat] for seat in gone} == {0}


def test_when_all_forfeit_the_match_stops_there(tmp_path: Path) -> None:
    modes = {"ann": "resigns", "bob": "exits", "cleo": "sends_a_giant", "dan": "never_connects"}
    [record] = play_four(tmp_path, modes)
    lines = record.transcript.splitlines()
    assert lines[-1].startswith("forfeit ")
    assert {line for line in lines if line.startswith("forfeit ")} == {
        f"forfeit {seat}" for seat in range(4)
    }
    assert record.result.forfeits == (True,) * 4
    assert record.result.winners == ()
    assert record.result.scores() == (Fraction(0),) * 4


def play_four(folder: Path, modes: dict[str, str]) -> Sequence[MatchRecord]:
    bots = [make_bot(folder / name, mode, start_limit="2s") for name, mode in modes.items()]
    file = make_league(folder, bots, table_size=4, rotations="none", move="2s")
    return play(folder, file, list(modes)).records
