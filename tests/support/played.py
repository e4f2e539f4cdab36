"""A league whose matches were really played, in this process, so that its records verify."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referee.core.dice import commitment
from referee.league.format import LeagueFormat
from referee.league.schedule import MatchPlan, sittings
from referee.match.player import Player
from referee.match.record import MatchRecord, SeatRecord
from referee.rpc.codec import encode_record
from referee.store.database import Database
from referee.store.entries import StoredRecord
from referee.store.repository import Repository
from tests.support import ledgers, matches

SEED = ledgers.SEED
BOTS = ("ann", "bob")


def league_format(name: str = "demo", deals: int = 2) -> LeagueFormat:
    entrants = [{"name": bot, "path": f"bots/{bot}"} for bot in BOTS]
    return LeagueFormat.model_validate(
        {"name": name, "series": {"games": 1}, "deals": deals, "entrants": entrants}
    )


def plans(league: LeagueFormat) -> list[MatchPlan]:
    return [match for sitting in sittings(league, SEED) for match in sitting.matches]


def open_league(repository: Repository, league: LeagueFormat) -> None:
    repository.create_league(ledgers.make_league(league.name, BOTS, league.canonical_json()))


def record_of(
    plan: MatchPlan, attempt: int = 1, players: Sequence[Player] | None = None
) -> MatchRecord:
    """A league's match, played by two that answer at random, or by these."""
    setup = replace(matches.setup(2, seed=plan.seed), seed_commitment=commitment(SEED))
    played = matches.play(setup, players or [matches.honest(1), matches.honest(2)])
    return replace(
        matches.record_of(played, match_key=plan.match_key, seed=SEED),
        league=plan.match_key.partition("/")[0],
        deal_key=plan.deal_key,
        attempt=attempt,
        seats=tuple(
            SeatRecord(seat, bot, "1.0.0", bytes(32), "Ann", "python")
            for seat, bot in enumerate(plan.bots)
        ),
    )


def stored(record: MatchRecord) -> StoredRecord:
    content = encode_record(record)
    return StoredRecord(content, hashlib.sha256(content).digest())


def count(repository: Repository, plan: MatchPlan, record: MatchRecord | None = None) -> None:
    """Let an attempt at a match count."""
    attempt = ledgers.open_one(repository, plan)
    record = record or record_of(plan, attempt.number)
    repository.count(attempt, record, stored(record))


def make_ledger(file: Path) -> None:
    """A database with the league ``demo``, finished: two bots, two deals, four matches."""
    league = league_format()
    with Database.open(str(file)) as database:
        repository = Repository(database)
        open_league(repository, league)
        for plan in plans(league):
            count(repository, plan)
        ledgers.finish(repository)
