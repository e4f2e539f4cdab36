"""Leagues and matches to put into a ledger."""

import hashlib
from collections.abc import Sequence

from referee.core.dice import commitment
from referee.league.schedule import MatchPlan
from referee.match.conduct import Conduct
from referee.match.record import InfractionRecord, MatchRecord
from referee.store.entries import Entrant, League, Lease, OpenAttempt
from referee.store.repository import Repository
from tests.support.records import START, make_record, make_stored

SEED = bytes(range(32))


def make_league(
    name: str = "demo", entrants: Sequence[str] = ("ann", "bob"), text: str | None = None
) -> League:
    """A league; ``text`` is its format, where it matters."""
    text = text or f'{{"name":"{name}"}}'
    return League(
        name=name,
        format=text,
        format_sha256=hashlib.sha256(text.encode()).digest(),
        seed=SEED,
        seed_commitment=commitment(SEED),
        created_at=START,
        entrants=tuple(
            Entrant(bot, f"bots/{bot}", "1.0.0", "Ann", "python", bytes(32)) for bot in entrants
        ),
    )


def make_plan(
    deal: int = 1, rotation: int = 0, league: str = "demo", table: str = "ann+bob"
) -> MatchPlan:
    deal_key = f"{league}/{table}/{deal}"
    bots = tuple(table.split("+"))
    return MatchPlan(f"{deal_key}/{rotation}", deal_key, table, deal, rotation, bots, SEED)


def lease_of(
    repository: Repository, league: str = "demo", *, host: str = "here", worker: str = "1"
) -> Lease:
    """The lease under which a test writes: taken from whoever has it, and then kept."""
    held = repository.lease(league)
    if held is not None and (held.lease.host, held.lease.worker) == (host, worker):
        return held.lease
    return repository.take_lease(league, lambda _: True, host=host, worker=worker)


def finish(repository: Repository, league: str = "demo") -> None:
    lease = lease_of(repository, league)
    repository.finish_league(lease)
    repository.release_lease(lease)


def open_one(
    repository: Repository, plan: MatchPlan, *, host: str = "here", worker: str = "1"
) -> OpenAttempt:
    league = plan.match_key.partition("/")[0]
    lease = lease_of(repository, league, host=host, worker=worker)
    (attempt,) = repository.open_attempts(lease, [plan])
    return attempt


def play_one(
    repository: Repository,
    plan: MatchPlan,
    *,
    games: Sequence[Sequence[int]] = ((0, 12), (31, 0)),
    infractions: Sequence[InfractionRecord] = (),
    forfeits: Sequence[int] = (),
    conduct: Conduct | None = None,
) -> MatchRecord:
    """Open an attempt and let it count."""
    attempt = open_one(repository, plan)
    record = make_record(
        plan.match_key,
        attempt=attempt.number,
        bots=plan.bots,
        games=games,
        infractions=infractions,
        forfeits=forfeits,
        conduct=conduct,
    )
    repository.count(attempt, record, make_stored(record))
    return record
