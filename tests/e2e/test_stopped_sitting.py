"""A sitting that is cancelled, at whatever point: nothing of it is left."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import pytest

from referee.app.bots import load_bots
from referee.app.sitting import play_sitting
from referee.bots.supervised import _SupervisedBot
from referee.rpc.server import PlayServer
from referee.rpc.session import Session
from tests.support.bot_folders import make_bot
from tests.support.sittings import sitting_of

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

LEAVES: Final = "resigns"
"""Before the match's end."""
RETURNS: Final = "exits_once"


@pytest.mark.parametrize(
    ("mode", "where", "method", "nth"),
    [
        (LEAVES, PlayServer, "start", 0),
        (LEAVES, Session, "connected", 0),
        (LEAVES, Session, "connected", 1),
        (LEAVES, Session, "ask", 0),
        (LEAVES, Session, "ask", 1),
        (LEAVES, Session, "close", 0),
        (LEAVES, Session, "close", 1),
        (LEAVES, _SupervisedBot, "begin", 0),
        (LEAVES, _SupervisedBot, "begin", 1),
        (LEAVES, _SupervisedBot, "stop", 0),
        (LEAVES, _SupervisedBot, "stop", 1),
        (LEAVES, PlayServer, "stop", 0),
        # What the two have to do to sit down comes first.
        (RETURNS, Session, "close", 0),
        (RETURNS, _SupervisedBot, "stop", 0),
        (RETURNS, _SupervisedBot, "begin", 2),
        (RETURNS, Session, "connected", 2),
    ],
)
def test_a_sitting_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, where: type, method: str, nth: int
) -> None:
    """As the n-th call of a method begins, counted from 0."""
    bots = load_bots([make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob", mode)])
    order = sitting_of(bots, tmp_path / "logs")
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
    assert calls > nth
    assert sitting.cancelled()
