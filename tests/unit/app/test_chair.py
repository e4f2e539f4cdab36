"""How long a bot may take to come."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.app import chair
from referee.app.bots import load_bot
from referee.app.chair import BotChair
from tests.support.bot_folders import make_bot


@pytest.mark.parametrize(
    ("of_the_bot", "of_the_league_us", "limit_us"),
    [
        ("10s", 60_000_000, 10_000_000),
        ("60s", 10_000_000, 10_000_000),
        ("10s", None, 10_000_000),
    ],
)
async def test_a_bot_has_the_lesser_of_its_own_limit_and_the_leagues(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of_the_bot: str,
    of_the_league_us: int | None,
    limit_us: int,
) -> None:
    limits: list[int | None] = []

    async def connected(limit: int | None) -> bool:
        limits.append(limit)
        return True

    async def launch(*_: object) -> Any:
        return SimpleNamespace(exited=asyncio.Future[object]())

    session = SimpleNamespace(token="", watch=lambda _: None, connected=connected)
    server: Any = SimpleNamespace(address="", add_seat=lambda _: session)
    monkeypatch.setattr(chair, "launch", launch)
    bot = load_bot(make_bot(tmp_path / "ann", start_limit=of_the_bot))
    await BotChair(bot, server, tmp_path / "log", start_limit_us=of_the_league_us).sit("match/a")
    assert limits == [limit_us]
