"""Whatever a bot does wrong: it is ruled on, the other plays on, and nothing is left behind."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from referee.app import league as app_league
from referee.app.league import open_league
from referee.app.logs import bot_log
from referee.app.replay import check, load_match
from referee.bots.output import OUTPUT_CUT
from referee.core.dice import SEED_BYTES
from referee.league.format import load_league
from referee.match.conduct import Consequence, Infraction
from referee.match.record import InfractionRecord, MatchRecord
from referee.store.database import Database
from referee.store.repository import Repository
from tests.support.bot_folders import make_bot, make_league
from tests.support.inline_pool import InlinePool

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

SEED: Final = bytes(range(SEED_BYTES))
MATCHES: Final = 2

RETRY, HOUSE, FORFEIT, NONE = (
    Consequence.RETRY,
    Consequence.HOUSE,
    Consequence.FORFEIT,
    Consequence.NONE,
)


class Seen(NamedTuple):
    """What the record has of an infraction."""

    kind: Infraction
    penalty: int
    consequence: Consequence


class Case(NamedTuple):
    mode: str
    seen: Sequence[Seen] = ()
    """In each match."""
    detail: str = ""
    """Of every infraction; part of it where it says what the bot did."""
    section: str = "§7.4"
    every_turn: bool = False
    starts: int = 1
    """Processes over all matches."""
    move: str = "60s"
    start_limit: str = "60s"
    program: str = "python"

    @property
    def forfeits(self) -> bool:
        return any(seen.consequence is FORFEIT for seen in self.seen)


KINDS: Final = Infraction
CASES: Final = [
    Case("fair"),
    Case("prints_a_flood"),
    Case("leaves_children"),
    Case("will_not_go"),
    Case("late", [Seen(KINDS.LATE, 20, HOUSE)], move="2s"),
    Case("illegal_once", [Seen(KINDS.ILLEGAL, 10, RETRY)], "not in this seat's hand", "§4.7"),
    Case(
        "always_illegal",
        [Seen(KINDS.ILLEGAL, 10, RETRY), Seen(KINDS.ILLEGAL, 10, HOUSE)],
        section="§4.4",
        every_turn=True,
    ),
    Case("without_body", [Seen(KINDS.MALFORMED, 10, RETRY)], "an answer without an answer in it"),
    Case("garbage", [Seen(KINDS.MALFORMED, 10, RETRY)], "an element that is no PlayRequest"),
    Case("answers_twice", [Seen(KINDS.DUPLICATE, 5, NONE)], "a second answer to one request"),
    Case("answers_unasked", [Seen(KINDS.EARLY, 10, NONE)], "to a request that was not made"),
    Case("answers_elsewhere", [Seen(KINDS.WRONG_SEAT, 10, NONE)], "that names another match"),
    # Whoever forfeits a match gets a fresh process for the next.
    Case("exits", [Seen(KINDS.CRASHED, 50, FORFEIT)], "exited with status 3", starts=2),
    Case("segfaults", [Seen(KINDS.CRASHED, 50, FORFEIT)], "was killed by SIGSEGV", starts=2),
    Case("hangs_up", [Seen(KINDS.DISCONNECTED, 50, FORFEIT)], "the bot's stream ended", starts=2),
    Case(
        "sends_a_giant", [Seen(KINDS.DISCONNECTED, 50, FORFEIT)], "the bot's stream ended", starts=2
    ),
    Case("sends_a_flood", [Seen(KINDS.FLOOD, 50, FORFEIT)], "100 messages", starts=2),
    Case(
        "says_hello_again",
        [Seen(KINDS.PROTOCOL_VIOLATION, 50, FORFEIT)],
        "a second hello",
        starts=2,
    ),
    Case("resigns", [Seen(KINDS.RESIGNED, 0, FORFEIT)], starts=2),
    Case(
        "never_connects",
        [Seen(KINDS.START_FAILURE, 50, FORFEIT)],
        "no hello within the start limit",
        start_limit="1s",
        starts=2,
    ),
    Case(
        "leaves_at_once",
        [Seen(KINDS.START_FAILURE, 50, FORFEIT)],
        "exited with status 0",
        starts=2,
    ),
    Case(
        "shows_a_wrong_token",
        [Seen(KINDS.START_FAILURE, 50, FORFEIT)],
        "exited with status 1",
        starts=2,
    ),
    Case(
        "fair",
        [Seen(KINDS.START_FAILURE, 50, FORFEIT)],
        "cannot run 'no-such-program': No such file or directory",
        program="no-such-program",
        starts=0,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.mode}-{case.program}")
def test_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case) -> None:
    monkeypatch.setattr(app_league, "Pool", InlinePool)
    bots = tmp_path / "bots"
    make_bot(bots / "other")
    make_bot(bots / "unruly", case.mode, program=case.program, start_limit=case.start_limit)
    file = make_league(
        tmp_path,
        [bots / "other", bots / "unruly"],
        deals=MATCHES,
        rotations="none",
        move=case.move,
    )
    logs = tmp_path / "logs"
    with Database.open(str(tmp_path / "referee.sqlite3")) as database:
        repository = Repository(database)
        league = open_league(load_league(file), tmp_path, repository, SEED)
        league.run(jobs=1, logs=logs, on_event=lambda _: None, stop=threading.Event())

        assert league.remaining == 0
        assert {attempt.number for attempt in repository.attempts("cup")} == {1}
        heard = [line.split()[-4:] for line in bot_log(logs, "unruly") if " | ruling " in line]
        for key in repository.counted_keys("cup"):
            held = load_match(repository, key)
            assert check(held) is None
            assert held.record is not None
            check_match(held.record, case)
            check_sections(held.record, case, {section for _, section, _, _ in heard})
    log = "\n".join(bot_log(logs, "unruly"))
    assert log.count(" started as process ") == case.starts
    assert (OUTPUT_CUT in log) == (case.mode == "prints_a_flood")


def check_match(record: MatchRecord, case: Case) -> None:
    bots = [seat.bot for seat in record.seats]
    seat = bots.index("unruly")
    seen = list(case.seen)
    if case.every_turn:
        seen *= len(record.infractions) // len(seen)
        assert len(seen) > 2
    assert [as_seen(infraction) for infraction in record.infractions] == seen
    assert {infraction.seat for infraction in record.infractions} <= {seat}
    assert all(case.detail in infraction.detail for infraction in record.infractions)

    lines = record.transcript.splitlines()
    # The other seat's game went to its end.
    assert lines[-1].startswith("total ")
    assert (f"forfeit {seat}" in lines) == case.forfeits
    assert record.result.forfeits == tuple(case.forfeits and bot == "unruly" for bot in bots)
    assert record.result.penalties[seat] == sum(penalty for _, penalty, _ in seen)
    if case.forfeits:
        assert record.result.winners == (1 - seat,)
        _, after = record.transcript.split(f"\nforfeit {seat}\n")
        acts = re.findall(rf"^\d+ {seat} (\w+)", after, re.MULTILINE)
        assert "house" in acts
        assert set(acts) <= {"house", "draw", "stuck"}


def as_seen(infraction: InfractionRecord) -> Seen:
    return Seen(infraction.kind, infraction.penalty, infraction.consequence)


def check_sections(record: MatchRecord, case: Case, heard: set[str]) -> None:
    ruled = {ask.ruling.section for ask in record.asks if ask.ruling is not None}
    assert ruled | heard == ({case.section} if case.seen else set())
