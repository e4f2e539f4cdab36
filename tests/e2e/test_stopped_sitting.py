"""A sitting that is cancelled, at whatever point: nothing of it is left."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from referee.app.bots import load_bots
from referee.app.sitting import SittingOrder, play_sitting
from referee.bots.supervised import _SupervisedBot
from referee.rpc.server import PlayServer
from referee.rpc.session import Session
from tests.support.bot_folders import make_bot
from tests.support.sittings import sitting_of

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]


def order_of(tmp_path: Path) -> SittingOrder:
    """A sitting in which a bot forfeits, so that it leaves before the end."""
    bots = load_bots([make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob", "resigns")])
    return sitting_of(bots, tmp_path / "logs")


@pytest.mark.parametrize("nth", range(2))
@pytest.mark.parametrize(
    ("where", "method"),
    [
        (PlayServer, "start"),
        (Session, "connected"),
        (Session, "ask"),
        (Session, "close"),
        (_SupervisedBot, "begin"),
        (_SupervisedBot, "stop"),
        (PlayServer, "stop"),
    ],
)
def test_a_sitting_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: type, method: str, nth: int
) -> None:
    """As the n-th call of a method begins, counted from 0."""
    order = order_of(tmp_path)
    original = getattr(where, method)
    calls = 0
    sitting: asyncio.Task[None]

    async def cancelling(*arguments: Any) -> Any:
        nonlocal calls
        if calls == nth:
            sitting.cancel()
        calls += 1
        return await original(*arguments)

    async def play() -> None:
        nonlocal sitting
        sitting = asyncio.create_task(play_sitting(order, lambda _: None))
        await asyncio.wait([sitting])

    monkeypatch.setattr(where, method, cancelling)
    asyncio.run(play())
    assert sitting.cancelled() == (calls > nth)
