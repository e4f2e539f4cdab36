"""A sitting without processes and sockets: what its matches are told, and what breaks them off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from referee.app import sitting
from referee.app.bots import load_bots
from referee.app.sitting import Played, Voided, play_sitting
from referee.core.dice import bot_seed
from referee.core.errors import HostFault
from referee.match.player import MatchEnd, Message
from referee.match.table import MatchSetup
from referee.store.entries import VoidCause
from tests.support.bot_folders import SAMPLES
from tests.support.sittings import sitting_of


class NoServer:
    """Nobody comes to it."""

    def __init__(self, **_: object) -> None: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class Chairs:
    """Chairs for bots that are always there."""

    def __init__(self) -> None:
        self.told: list[Message] = []
        self.left = 0
        self.servers: list[NoServer] = []

    def __call__(self, _bot: object, server: NoServer, *_: object, **__: object) -> Chairs:
        self.servers.append(server)
        return self

    async def sit(self, match_key: str) -> None: ...

    def player(self, *_: object) -> None: ...

    def tell(self, message: Message) -> None:
        self.told.append(message)

    async def leave(self) -> None:
        self.left += 1

    async def close(self) -> None: ...


def sit_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> tuple[list[Played | Voided], list[MatchSetup], Chairs]:
    """A sitting of one match between two bots in which the table fails."""
    setups: list[MatchSetup] = []

    class FailingTable:
        broke_off_at = 1
        points = (12, 0)

        def __init__(self, setup: MatchSetup, *_: Any) -> None:
            setups.append(setup)

        async def play(self) -> None:
            raise error

    chairs = Chairs()
    for name, stand_in in [("PlayServer", NoServer), ("BotChair", chairs), ("Table", FailingTable)]:
        monkeypatch.setattr(sitting, name, stand_in)
    reports: list[Played | Voided] = []
    bots = load_bots([SAMPLES / "random", SAMPLES / "greedy"])
    asyncio.run(play_sitting(sitting_of(bots, tmp_path), reports.append))
    return reports, setups, chairs


@pytest.mark.parametrize(
    ("error", "cause"),
    [(HostFault("no memory"), VoidCause.HOST), (KeyError("our mistake"), VoidCause.REFEREE)],
)
def test_a_match_that_breaks_off_is_void_and_its_bots_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, cause: VoidCause
) -> None:
    [report], _, chairs = sit_down(tmp_path, monkeypatch, error)
    assert isinstance(report, Voided)
    assert (report.match_key, report.cause) == ("match/a", cause)
    assert str(error) in report.detail
    assert report.bot == "greedy"
    assert report.standing == {"random": 12, "greedy": 0}
    assert chairs.told == [MatchEnd(None)] * 2
    # What they make of it is unknown: others come for the next match.
    assert chairs.left == 2


def test_no_bot_can_take_up_the_connections_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, chairs = sit_down(tmp_path, monkeypatch, HostFault("enough"))
    assert len(set(chairs.servers)) == 2


def test_what_a_match_starts_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, [setup], _ = sit_down(tmp_path, monkeypatch, HostFault("enough"))
    assert setup.dice_seeds == tuple(bot_seed(bytes(32), "match/a", seat) for seat in range(2))
    # A match key would let a bot recognise a deal.
    assert "match/a" not in setup.match_id
