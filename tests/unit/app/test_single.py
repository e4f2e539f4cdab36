"""A single match that breaks off: why it is void."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.app import single
from referee.app.bots import load_bots
from referee.app.single import SingleMatch, play_single
from referee.core.errors import HostFault
from referee.games.registry import game_for
from referee.match.series import Games
from referee.store.database import Database
from referee.store.entries import VoidCause
from referee.store.repository import Repository
from tests.support.bot_folders import SAMPLES


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (HostFault("no socket"), VoidCause.HOST),
        (KeyError("a mistake of ours"), VoidCause.REFEREE),
        (KeyboardInterrupt(), VoidCause.INTERRUPTED),
    ],
)
def test_what_breaks_a_match_off_is_its_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, cause: VoidCause
) -> None:
    async def break_off(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(single, "play_sitting", break_off)
    match = SingleMatch(
        load_bots([SAMPLES / "random", SAMPLES / "greedy"]), game_for("ravensburger", 2), Games(1)
    )
    with Database.open(str(tmp_path / "single.db")) as database:
        repository = Repository(database)
        with pytest.raises(type(error)):
            play_single(match, repository, tmp_path / "logs")
        [entry] = repository.list_matches()
        [attempt] = repository.get_match(entry.match_key).attempts
    assert attempt.cause is cause
