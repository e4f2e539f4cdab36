"""Matches of a league that turn out void: how often they are played again, and who is spared."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from referee.app import league as app_league
from referee.app.league import open_league
from referee.app.playing import MOST_VOIDS
from referee.app.sitting import MOST_SPARED, Played, SittingOrder, Standing, Voided
from referee.app.worker import Over
from referee.core.errors import HostFault, RefereeError
from referee.league.format import load_league
from referee.store.database import Database
from referee.store.entries import VoidCause
from referee.store.repository import Repository
from tests.support import inline_pool
from tests.support.bot_folders import make_bot, make_league
from tests.support.inline_pool import InlinePool

Report = Callable[[Played | Voided], None]

KEY: Final = "cup/ann+bob/1/0"
LOST: Final = Standing(KEY, {"ann": 5, "bob": 21})
DOUBTFUL: Final = Voided(KEY, VoidCause.HOST, "too late?", "ann", {"ann": 31, "bob": 7})


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Database.open(str(tmp_path / "league.db")) as database:
        yield Repository(database)


GiveUp = Callable[[Voided], tuple[RefereeError, list[SittingOrder]]]


@pytest.fixture
def give_up(tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> GiveUp:
    """Runs a league of one match between ann and bob that is void whenever it is played.

    Gives the error that this ends with, and what was ordered.
    """
    file = make_league(
        tmp_path, [make_bot(tmp_path / name) for name in ("ann", "bob")], rotations="none"
    )
    monkeypatch.setattr(app_league, "Pool", InlinePool)

    def run(void: Voided) -> tuple[RefereeError, list[SittingOrder]]:
        orders: list[SittingOrder] = []

        async def play_sitting(order: SittingOrder, report: Report) -> None:
            orders.append(order)
            report(void)

        monkeypatch.setattr(inline_pool, "play_sitting", play_sitting)
        league = open_league(load_league(file), tmp_path, repository)
        with pytest.raises(RefereeError) as given_up:
            league.run(
                jobs=1, logs=tmp_path / "logs", on_event=lambda _: None, stop=threading.Event()
            )
        return given_up.value, orders

    return run


def test_a_match_is_given_up_after_some_voids_and_it_is_told_who_was_last(
    give_up: GiveUp, repository: Repository
) -> None:
    error, orders = give_up(DOUBTFUL)
    assert isinstance(error, HostFault)
    assert str(error) == (
        f"{KEY} was void {MOST_VOIDS} times; at whose question it broke off: ann ({MOST_VOIDS}); "
        f"who was last then: ann ({MOST_VOIDS}); see: referee attempts cup"
    )
    assert len(orders) == MOST_VOIDS
    attempts = list(repository.attempts("cup"))
    assert [(attempt.bot, attempt.trailed) for attempt in attempts] == [
        ("ann", ("ann",))
    ] * MOST_VOIDS


def test_a_bot_is_spared_so_often_in_a_league_however_often_that_is_gone_on_with(
    give_up: GiveUp,
) -> None:
    orders = [order for _ in range(2) for order in give_up(DOUBTFUL)[1]]
    spared = [
        dict(zip((bot.name for bot in order.bots), order.spare, strict=True)) for order in orders
    ]
    assert [left["bob"] for left in spared] == [MOST_SPARED] * 2 * MOST_VOIDS
    assert [left["ann"] for left in spared] == [
        max(0, MOST_SPARED - voids) for voids in range(2 * MOST_VOIDS)
    ]


@pytest.mark.parametrize(
    "void",
    [
        Voided(KEY, VoidCause.HOST, "no memory"),
        Voided(KEY, VoidCause.REFEREE, "our mistake", "ann", {"ann": 0, "bob": 0}),
    ],
)
def test_what_is_no_doubtful_lateness_takes_nothing_of_that(give_up: GiveUp, void: Voided) -> None:
    error, orders = give_up(void)
    assert isinstance(error, HostFault) == (void.cause is VoidCause.HOST)
    assert "who was last then: nobody" in str(error)
    assert {order.spare for order in orders} == {(MOST_SPARED, MOST_SPARED)}


def test_a_lost_worker_tells_what_it_last_said_of_the_standing(
    give_up: GiveUp, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    class LosingPool(InlinePool):
        def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Over]]:
            for order, what in super().events(timeout):
                if isinstance(what, Over):
                    yield order, Over("a worker process ended unexpectedly", LOST)

    monkeypatch.setattr(app_league, "Pool", LosingPool)
    error, _ = give_up(DOUBTFUL)
    assert f"bob ({MOST_VOIDS})" in str(error)
    attempts = list(repository.attempts("cup"))
    assert {attempt.detail for attempt in attempts} == {"a worker process ended unexpectedly"}
    assert [attempt.standing for attempt in attempts] == [LOST.points] * MOST_VOIDS
