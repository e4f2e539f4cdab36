"""A league that is being run: what an operator decides meanwhile, and what another process does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest

from referee.app import league as app_league
from referee.app import playing
from referee.app.events import AttemptVoid, EntrantGone, Event, MatchDone
from referee.app.league import LeagueRun, open_league
from referee.app.sitting import Played, SittingOrder
from referee.app.worker import Over
from referee.league.format import load_league
from referee.league.schedule import MatchPlan, sittings
from referee.store.database import Database
from referee.store.entries import AttemptStatus, EntrantState, LeagueState
from referee.store.failures import LeagueOverError, LeaseLostError, NotRunningError
from referee.store.keeping import void
from referee.store.repository import Repository
from tests.support import played
from tests.support.bot_folders import make_bot, make_league
from tests.support.ledgers import finish

What = Played | Over
Step = Callable[["ScriptedPool"], Sequence[tuple[SittingOrder, What]]]


class ScriptedPool:
    """Stands in for the pool: each look for events is a step of the script."""

    def __init__(self, script: Iterator[Step]) -> None:
        self._script = script
        self.orders: dict[str, SittingOrder] = {}
        """Of what is being played, by table."""
        self.broken_off: list[str] = []
        self.stopped = False
        self.size = 3

    def __call__(self, jobs: int) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There are no workers to end."""

    @property
    def free(self) -> int:
        return self.size - len(self.orders)

    @property
    def idle(self) -> bool:
        return not self.orders

    def submit(self, order: SittingOrder) -> None:
        self.orders["+".join(sorted(order.matches[0].bots))] = order

    def stop(self) -> None:
        self.stopped = True

    def break_off(self, bot: str) -> None:
        self.broken_off += [table for table in self.orders if bot in table.split("+")]

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, What]]:
        for order, what in next(self._script)(self):
            if isinstance(what, Over):
                del self.orders["+".join(sorted(order.matches[0].bots))]
            yield order, what


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Database.open(str(tmp_path / "cup.db")) as database:
        yield Repository(database)


@pytest.fixture(autouse=True)
def attentive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the pool is followed by one at the database."""
    monkeypatch.setattr(playing, "BEAT_SECONDS", 0.0)


Open = Callable[[], LeagueRun]


@pytest.fixture
def open_cup(tmp_path: Path, repository: Repository) -> Open:
    """A league of three bots, one match at each table."""
    folders = [make_bot(tmp_path / name) for name in ("ann", "bob", "cid")]
    file = make_league(tmp_path, folders, rotations="none")
    return lambda: open_league(load_league(file), tmp_path, repository, played.SEED)


@pytest.fixture
def cup(open_cup: Open) -> LeagueRun:
    return open_cup()


Run = Callable[..., tuple[ScriptedPool, list[Event]]]


@pytest.fixture
def run(cup: LeagueRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the league by a script, that ends when nothing is being played."""

    def run(*script: Step, size: int = 3) -> tuple[ScriptedPool, list[Event]]:
        pool = ScriptedPool(iter(script))
        pool.size = size
        monkeypatch.setattr(app_league, "Pool", pool)
        events: list[Event] = []
        cup.run(jobs=1, logs=tmp_path, on_event=events.append, stop=threading.Event())
        assert next(iter(script[len(script) :]), None) is None
        return pool, events

    return run


def plan(table: str) -> MatchPlan:
    names = ("ann", "bob", "cid")
    league = played.league_format().model_copy(
        update={"name": "cup", "deals": 1, "rotations": "none"}
    )
    entrants = [{"name": name, "path": name} for name in names]
    league = league.model_validate(league.model_dump() | {"entrants": entrants})
    [found] = [one for one in sittings(league, played.SEED) if one.table == table]
    return found.matches[0]


def over(*tables: str) -> Step:
    """These sittings end, with their matches played."""

    def step(pool: ScriptedPool) -> list[tuple[SittingOrder, What]]:
        found: list[tuple[SittingOrder, What]] = []
        for table in tables:
            order = pool.orders[table]
            record = played.record_of(plan(table), order.matches[0].attempt)
            content = played.stored(record).record
            found += [(order, Played(record.match_key, content)), (order, Over(None))]
        return found

    return step


def broken_off(*tables: str) -> Step:
    """These sittings end without a word of their matches."""
    return lambda pool: [(pool.orders[table], Over(None)) for table in tables]


def after(work: Callable[[], object], then: Step = lambda _: ()) -> Step:
    def step(pool: ScriptedPool) -> Sequence[tuple[SittingOrder, What]]:
        work()
        return then(pool)

    return step


ALL = ("ann+bob", "ann+cid", "bob+cid")


def test_to_the_end(run: Run, cup: LeagueRun, repository: Repository) -> None:
    assert (cup.planned, cup.remaining, cup.counted) == (3, 3, 0)
    _, events = run(over(*ALL))
    assert [type(event) for event in events] == [MatchDone] * 3
    assert (cup.state, cup.planned, cup.remaining) == (LeagueState.FINISHED, 3, 0)
    assert repository.lease("cup") is None


@pytest.mark.parametrize("state", [EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED])
def test_a_bot_that_leaves(
    run: Run, cup: LeagueRun, repository: Repository, state: EntrantState
) -> None:
    leave = partial(repository.set_entrant, "cup", "ann", state, "it broke")
    pool, events = run(after(leave), over("ann+bob"), broken_off("ann+cid"), over("bob+cid"))
    assert pool.broken_off == ["ann+bob", "ann+cid"]
    gone, done = events
    assert gone == EntrantGone("ann", state, "it broke", planned=1)
    assert isinstance(done, MatchDone)
    assert (cup.state, cup.planned, cup.counted) == (LeagueState.FINISHED, 1, 1)
    assert repository.counted_keys("cup") == {"cup/bob+cid/1/0"}


def test_what_it_played_stays(run: Run, cup: LeagueRun, repository: Repository) -> None:
    leave = partial(repository.set_entrant, "cup", "ann", EntrantState.WITHDRAWN)
    _, events = run(over("ann+bob"), after(leave), broken_off("ann+cid"), over("bob+cid"))
    assert [event.planned for event in events if isinstance(event, EntrantGone)] == [2]
    assert (cup.state, cup.planned, cup.counted) == (LeagueState.FINISHED, 2, 2)


def test_a_match_that_ends_before_it_is_noticed(
    run: Run, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "BEAT_SECONDS", 1000.0)
    leave = partial(repository.set_entrant, "cup", "ann", EntrantState.WITHDRAWN)
    _, events = run(after(leave, over("ann+bob")), broken_off("ann+cid"), over("bob+cid"))
    assert [type(event) for event in events] == [EntrantGone, MatchDone]
    assert repository.counted_keys("cup") == {"cup/bob+cid/1/0"}


def test_a_sitting_that_would_begin_before_it_is_noticed(
    run: Run, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "BEAT_SECONDS", 1000.0)
    leave = partial(repository.set_entrant, "cup", "cid", EntrantState.WITHDRAWN)
    _, events = run(after(leave, over("ann+bob")), size=1)
    assert [type(event) for event in events] == [MatchDone, EntrantGone]
    assert len(list(repository.attempts("cup"))) == 1


def test_a_league_that_is_paused_ends_its_sittings(
    run: Run, cup: LeagueRun, repository: Repository, open_cup: Open
) -> None:
    pause = partial(repository.set_league, "cup", LeagueState.PAUSED, "lunch")
    pool, _ = run(after(pause), over("ann+bob"), over("ann+cid"), size=2)
    assert not pool.stopped
    assert (cup.state, cup.counted, cup.remaining) == (LeagueState.PAUSED, 2, 1)
    assert repository.lease("cup") is None
    assert open_cup().remaining == 1


def test_a_league_that_is_cancelled_breaks_off(
    run: Run, cup: LeagueRun, repository: Repository, open_cup: Open
) -> None:
    cancel = partial(repository.set_league, "cup", LeagueState.CANCELLED, "rain")
    pool, events = run(over("ann+bob"), after(cancel), over("ann+cid"), broken_off("bob+cid"))
    assert pool.stopped
    assert len(events) == 1
    assert (cup.state, cup.planned, cup.remaining) == (LeagueState.CANCELLED, 1, 0)
    assert repository.lease("cup") is None
    assert [attempt.status for attempt in repository.attempts("cup")] == [
        AttemptStatus.COUNTED,
        AttemptStatus.VOID,
        AttemptStatus.VOID,
    ]
    with pytest.raises(LeagueOverError, match=r"cup is cancelled \(rain\): nothing of it"):
        open_cup()


def test_a_league_that_another_took_over(run: Run, repository: Repository) -> None:
    theirs: list[Any] = []

    def take_over() -> None:
        theirs.append(repository.take_lease("cup", lambda _: True, host="away", worker="process 7"))

    with pytest.raises(LeaseLostError, match="cup was taken over by process 7 on away"):
        run(over("ann+bob"), after(take_over, over("ann+cid")))
    assert repository.counted_keys("cup") == {"cup/ann+bob/1/0"}
    # What they have is left to them.
    repository.beat(theirs[0])


def test_what_another_played_in_the_meantime_is_not_played_again(
    run: Run, cup: LeagueRun, repository: Repository, open_cup: Open
) -> None:
    run(over("ann+bob"), over("ann+cid"), over("bob+cid"), size=1)
    late = open_cup()
    assert late.state is LeagueState.FINISHED
    assert late.remaining == 0


def test_matches_that_counted_since_the_league_was_opened(
    run: Run, cup: LeagueRun, repository: Repository
) -> None:
    repository.create_league(cup._known)
    cup._begun = True
    played.count(repository, plan("ann+bob"))
    repository.release_lease(held_of(repository))
    _, events = run(over("ann+cid", "bob+cid"))
    assert len(events) == 2
    assert cup.state is LeagueState.FINISHED


def held_of(repository: Repository) -> Any:
    held = repository.lease("cup")
    assert held is not None
    return held.lease


def test_a_kill_after_the_last_match_leaves_a_league_to_be_finished(
    run: Run, cup: LeagueRun, repository: Repository
) -> None:
    repository.create_league(cup._known)
    cup._begun = True
    for table in ALL:
        played.count(repository, plan(table))
    repository.release_lease(held_of(repository))
    run()
    assert cup.state is LeagueState.FINISHED


def test_an_attempt_that_somebody_closed_is_no_operators_doing(
    run: Run, repository: Repository
) -> None:
    def close() -> None:
        with repository._database.writing() as session:
            void(session, [1], "by hand", datetime.now(UTC))

    with pytest.raises(NotRunningError):
        run(after(close, over("ann+bob")))


def test_one_left_running_is_void_before_anything_begins(
    run: Run, cup: LeagueRun, repository: Repository
) -> None:
    repository.create_league(cup._known)
    cup._begun = True
    lease = repository.take_lease("cup", lambda _: True, host="here", worker="process 1")
    repository.open_attempts(lease, [plan("ann+bob")])
    repository.release_lease(lease)
    run(over(*ALL))
    assert [attempt.status for attempt in repository.attempts("cup")] == [
        AttemptStatus.VOID,
        *[AttemptStatus.COUNTED] * 3,
    ]


def test_voids_are_told(run: Run, repository: Repository) -> None:
    _, events = run(
        lambda pool: [(pool.orders["ann+bob"], Over("no memory"))],
        over(*ALL),
    )
    assert isinstance(events[0], AttemptVoid)


def test_a_bot_that_left_need_not_be_there(
    tmp_path: Path, cup: LeagueRun, repository: Repository, open_cup: Open
) -> None:
    repository.create_league(cup._known)
    repository.set_entrant("cup", "ann", EntrantState.WITHDRAWN)
    (tmp_path / "ann" / "bot.toml").unlink()
    assert open_cup().remaining == 1
    finish(repository, "cup")
