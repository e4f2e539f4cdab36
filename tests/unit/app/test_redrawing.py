"""A league that is being run, and has a deal replaced when a match of it is void."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee.app import league as app_league
from referee.app.events import DealReplaced, Event
from referee.app.league import LeagueRun, open_league
from referee.app.playing import MOST_VOIDS
from referee.app.replay import check, counted_keys, load_match
from referee.app.secrecy import is_secret, secrets_of
from referee.app.sitting import Played, SittingOrder, Standing, Voided
from referee.app.worker import Over
from referee.core.errors import HostFault
from referee.league.format import load_league
from referee.league.redraws import Redraw
from referee.league.schedule import MatchPlan, sittings
from referee.store.database import Database
from referee.store.entries import LeagueState, VoidCause
from referee.store.repository import Repository
from tests.support import inline_pool, played
from tests.support.bot_folders import make_bot, make_league
from tests.support.inline_pool import InlinePool

TABLE = "ann+bob"
AHEAD = {"ann": 0, "bob": 12}
Report = Callable[[Played | Voided], None]


def key(deal: int, rotation: int) -> str:
    return f"cup/{TABLE}/{deal}/{rotation}"


def host_fault(deal: int, rotation: int, *, dealt: bool) -> Voided:
    standing = AHEAD if dealt else None
    return Voided(key(deal, rotation), VoidCause.HOST, "no memory", standing=standing)


@dataclass
class Hall:
    """Where the league is played: two deals between ann and bob, each in two rotations."""

    folder: Path
    repository: Repository
    monkeypatch: pytest.MonkeyPatch
    voids: list[Voided] = field(default_factory=list)
    """What happens instead of a match, each once."""
    breaks_at: str = ""
    """The sitting ends without a word at this match, once."""
    stop: threading.Event = field(default_factory=threading.Event)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bots = [make_bot(self.folder / name) for name in ("ann", "bob")]
        self.monkeypatch.setattr(inline_pool, "play_sitting", self.play_sitting)
        self.use(InlinePool)

    def use(self, pool: type[InlinePool]) -> None:
        self.monkeypatch.setattr(app_league, "Pool", pool)

    def open(self, *, redraw: bool = True) -> LeagueRun:
        keys = f"redraw = {str(redraw).lower()}"
        file = make_league(self.folder, self.bots, deals=2, tables=keys)
        return open_league(load_league(file), self.folder, self.repository, played.SEED)

    def run(self, league: LeagueRun | None = None) -> LeagueRun:
        league = league or self.open()
        league.run(jobs=1, logs=self.folder / "logs", on_event=self.events.append, stop=self.stop)
        return league

    async def play_sitting(self, order: SittingOrder, report: Report) -> None:
        for match in order.matches:
            if match.match_key == self.breaks_at:
                self.breaks_at = ""
                raise OSError("lost")
            void = next((one for one in self.voids if one.match_key == match.match_key), None)
            if void is not None:
                self.voids.remove(void)
                report(void)
                continue
            _, table, deal, rotation = match.match_key.split("/")
            plan = MatchPlan(
                match.match_key,
                match.deal_key,
                table,
                int(deal),
                int(rotation),
                match.bots,
                match.seed,
            )
            record = await asyncio.to_thread(played.record_of, plan, match.attempt)
            report(Played(match.match_key, played.stored(record).record))

    def counted(self) -> dict[str, bytes]:
        """Play digests by match."""
        keys = counted_keys(self.repository, "cup")
        assert set(keys) == self.repository.counted_keys("cup")
        found = [self.repository.get_match(key).entry.counted for key in keys]
        return {key: one.play_digest for key, one in zip(keys, found, strict=True) if one}

    @property
    def redraws(self) -> tuple[Redraw, ...]:
        return self.repository.get_league("cup").redraws

    @property
    def replaced(self) -> list[DealReplaced]:
        return [event for event in self.events if isinstance(event, DealReplaced)]


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    with Database.open(str(tmp_path / "cup.db")) as database:
        yield Hall(tmp_path, Repository(database), monkeypatch)


def test_where_nothing_is_void_it_makes_no_difference(hall: Hall, tmp_path: Path) -> None:
    (tmp_path / "off").mkdir()
    with Database.open(str(tmp_path / "off.db")) as database:
        off = Hall(tmp_path / "off", Repository(database), hall.monkeypatch)
        for each, redraw in ((hall, True), (off, False)):
            league = each.run(each.open(redraw=redraw))
            assert (league.state, league.counted, league.remaining) == (LeagueState.FINISHED, 4, 0)
        assert hall.counted() == off.counted()


def test_a_deal_whose_cards_were_seen_is_replaced_in_all_rotations(hall: Hall) -> None:
    hall.voids = [host_fault(1, 1, dealt=True)]
    league = hall.run()
    assert league.state is LeagueState.FINISHED
    assert (league.counted, league.remaining, league.planned) == (4, 0, 4)
    assert set(hall.counted()) == {key(deal, rotation) for deal in (2, 3) for rotation in (0, 1)}
    assert hall.redraws == (Redraw(TABLE, 3, 1, 1, 1),)
    [event] = hall.replaced
    assert (event.deal_key, event.replaced_by) == (f"cup/{TABLE}/1", 3)
    assert [match.match_key for match in event.uncounted] == [key(1, 0)]


def test_the_record_of_a_further_deal_holds(hall: Hall) -> None:
    hall.voids = [host_fault(1, 1, dealt=True)]
    hall.run()
    for rotation in (0, 1):
        held = load_match(hall.repository, key(3, rotation))
        assert held.record is not None
        assert held.record.deal_key == f"cup/{TABLE}/3"
        assert check(held) is None


@pytest.mark.parametrize("redraw", [True, False])
def test_a_match_that_never_began_is_played_again(hall: Hall, *, redraw: bool) -> None:
    hall.voids = [host_fault(1, 1, dealt=not redraw)]
    hall.run(hall.open(redraw=redraw))
    assert hall.redraws == ()
    assert hall.replaced == []
    assert set(hall.counted()) == {key(deal, rotation) for deal in (1, 2) for rotation in (0, 1)}
    assert len(hall.repository.get_match(key(1, 1)).attempts) == 2


def test_a_match_is_given_up_after_as_many_voids_of_all_its_deals(hall: Hall) -> None:
    hall.voids = [
        host_fault(1, 1, dealt=True),
        host_fault(3, 1, dealt=False),
        host_fault(3, 1, dealt=True),
        host_fault(4, 0, dealt=True),
    ]
    with pytest.raises(HostFault) as given_up:
        hall.run()
    assert MOST_VOIDS == 3
    assert str(given_up.value) == (
        f"{key(1, 1)} was void 3 times; at whose question it broke off: nobody; "
        "who was last then: bob (2); see: referee attempts cup"
    )
    assert [redraw.replaced_by for redraw in hall.redraws] == [3, 4, 5]
    # Its other rotation is not given up, and the next run plays what is left.
    assert set(hall.counted()) == {key(2, 0), key(2, 1), key(5, 0)}
    league = hall.open()
    assert (league.counted, league.remaining) == (3, 1)
    hall.run(league)
    assert league.state is LeagueState.FINISHED
    assert set(hall.counted()) == {key(2, 0), key(2, 1), key(5, 0), key(5, 1)}


def test_a_lost_worker_may_have_dealt_the_match_that_it_had_come_to(hall: Hall) -> None:
    hall.breaks_at = key(1, 1)
    hall.run()
    assert hall.redraws == (Redraw(TABLE, 3, 1, 1, 1),)
    # What was to come later in that sitting had not begun.
    assert len(hall.repository.get_match(key(2, 1)).attempts) == 2
    assert set(hall.counted()) == {key(deal, rotation) for deal in (2, 3) for rotation in (0, 1)}


@pytest.mark.parametrize(("began", "further"), [(key(1, 1), [3]), (key(2, 0), [])])
def test_a_sitting_that_was_stopped_says_how_far_it_had_come(
    hall: Hall, began: str, further: list[int]
) -> None:
    class StoppedPool(InlinePool):
        def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
            for order, what in super().events(timeout):
                if isinstance(what, Over) and what.lost:
                    hall.stop.set()
                    yield order, Over(None, Standing(began, AHEAD))
                else:
                    yield order, what

    hall.use(StoppedPool)
    hall.breaks_at = key(1, 1)
    league = hall.run()
    assert [redraw.replaced_by for redraw in hall.redraws] == further
    assert {attempt.cause for attempt in hall.repository.attempts("cup")} == {
        None,
        VoidCause.INTERRUPTED,
    }
    assert (league.counted, league.remaining) == ((1, 3) if further else (2, 2))
    hall.stop.clear()
    hall.run()
    assert len(hall.counted()) == 4
    assert [redraw.replaced_by for redraw in hall.redraws] == further


def test_what_a_killed_referee_had_begun_is_replaced(hall: Hall) -> None:
    hall.breaks_at = key(1, 1)
    hall.stop.set()
    hall.run()
    first, second = sittings(hall.open().league, played.SEED)
    lease = hall.repository.take_lease("cup", lambda _: True, host="here", worker="process 1")
    for plan, attempt in zip(
        first.matches, hall.repository.open_attempts(lease, first.matches), strict=True
    ):
        record = played.record_of(plan, attempt.number)
        hall.repository.count(attempt, record, played.stored(record))
    hall.repository.open_attempts(lease, second.matches)
    hall.repository.release_lease(lease)
    hall.stop.clear()
    league = hall.open()
    assert (league.counted, league.remaining) == (2, 2)
    hall.run(league)
    assert [redraw.deal for redraw in hall.redraws] == [1, 2]
    assert [len(event.uncounted) for event in hall.replaced] == [1, 1]
    assert set(hall.counted()) == {key(deal, rotation) for deal in (3, 4) for rotation in (0, 1)}
    assert league.state is LeagueState.FINISHED


class Beside(InlinePool):
    """Two sittings are begun before anything is told of either."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._orders: list[SittingOrder] = []

    @property
    def free(self) -> int:
        return 2 - len(self._orders)

    @property
    def idle(self) -> bool:
        return not self._orders

    def submit(self, order: SittingOrder) -> None:
        self._orders.append(order)

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        self._order = self._orders[0]
        yield from super().events(timeout)
        del self._orders[0]


def test_what_comes_of_another_rotation_that_is_being_played_counts_nothing(hall: Hall) -> None:
    hall.use(Beside)
    hall.voids = [host_fault(1, 0, dealt=True)]
    hall.run()
    [beside] = hall.repository.get_match(key(1, 1)).attempts
    assert (beside.cause, beside.detail) == (
        VoidCause.INTERRUPTED,
        "its deal was replaced by deal 3",
    )
    assert set(hall.counted()) == {key(deal, rotation) for deal in (2, 3) for rotation in (0, 1)}


@pytest.mark.parametrize("redraw", [True, False])
def test_nothing_of_a_replaced_deal_is_held_back(hall: Hall, *, redraw: bool) -> None:
    hall.voids = [host_fault(1, 0, dealt=True)]

    def stop(_: Event) -> None:
        hall.stop.set()

    league = hall.open(redraw=redraw)
    league.run(jobs=1, logs=hall.folder / "logs", on_event=stop, stop=hall.stop)
    assert league.state is LeagueState.OPEN
    secret = secrets_of(hall.repository)
    assert (secret(key(1, 0)), secret(key(2, 0))) == (not redraw, True)
    assert is_secret(hall.repository, key(1, 0)) is not redraw
