"""How long a bot may take to come, and that it comes once at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

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
    monkeypatch.setattr(chair, "meter_of", lambda _: None)
    bot = load_bot(make_bot(tmp_path / "ann", start_limit=of_the_bot))
    await BotChair(bot, server, tmp_path / "log", start_limit_us=of_the_league_us).sit("match/a")
    assert limits == [limit_us]


class Processes:
    """Stands in for ``launch`` and for a server whose bots are there at once."""

    address = ""

    def __init__(self) -> None:
        self.running = 0
        self.started = 0

    def add_seat(self, _: str) -> Any:
        async def connected(_: object) -> bool:
            await asyncio.sleep(0)
            return True

        async def close(_: str) -> None:
            await asyncio.sleep(0)

        return SimpleNamespace(
            token="", watch=lambda _: None, connected=connected, alive=False, close=close
        )

    async def launch(self, *_: object) -> Any:
        await asyncio.sleep(0)
        self.started += 1
        self.running += 1
        return SimpleNamespace(exited=asyncio.Future[object](), stop=self._stop)

    async def _stop(self) -> None:
        await asyncio.sleep(0)
        self.running -= 1


async def test_what_is_begun_while_a_bot_is_started_again_follows_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = Processes()
    monkeypatch.setattr(chair, "launch", processes.launch)
    monkeypatch.setattr(chair, "meter_of", lambda _: None)
    bot_chair = BotChair(
        load_bot(make_bot(tmp_path / "ann")), cast("Any", processes), tmp_path / "log"
    )
    await bot_chair.sit("match/a")
    bot_chair.restart()
    bot_chair.restart()
    assert await bot_chair.present() is not None
    assert (processes.started, processes.running) == (3, 1)
    bot_chair.restart()
    bot_chair.dismiss()
    assert await bot_chair.present() is None
    assert (processes.started, processes.running) == (4, 0)
    bot_chair.restart()
    bot_chair.restart()
    for _ in range(3):
        await asyncio.sleep(0)
    await bot_chair.close()
    assert processes.running == 0
