"""A league that has begun is gone on with, or refused by what is otherwise."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.app.league import open_league
from referee.app.opening import load_entrants
from referee.core.errors import InputError
from referee.league.format import LeagueFormat
from referee.store.database import Database
from referee.store.entries import Entrant, League
from referee.store.repository import Repository
from tests.support.bot_folders import make_bot
from tests.support.ledgers import make_league

FORMAT = LeagueFormat.model_validate(
    {"name": "demo", "entrants": [{"path": "ann", "name": "ann"}, {"path": "bob", "name": "bob"}]}
)


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Database.open(str(tmp_path / "league.db")) as database:
        yield Repository(database)


def begun(folder: Path, text: str) -> League:
    """The league with this format, and the bots that it makes in ``folder``."""
    for name in FORMAT.names:
        make_bot(folder / name)
    _, bots = load_entrants(FORMAT, folder)
    league = make_league("demo", FORMAT.names, text)
    entrants = tuple(
        Entrant(bot.name, str(bot.folder), "1", "-", "-", bot.bundle_sha256) for bot in bots
    )
    return replace(league, format_sha256=hashlib.sha256(text.encode()).digest(), entrants=entrants)


def test_a_league_is_gone_on_with(repository: Repository, tmp_path: Path) -> None:
    repository.create_league(begun(tmp_path, FORMAT.canonical_json()))
    assert open_league(FORMAT, tmp_path, repository).remaining == 20


def test_an_older_referees_league_is_refused_by_what_it_lacks(
    repository: Repository, tmp_path: Path
) -> None:
    older = json.loads(FORMAT.canonical_json())
    del older["conduct"]["strikes"], older["conduct"]["grace"], older["time"]["match"]
    repository.create_league(begun(tmp_path, json.dumps(older)))
    with pytest.raises(InputError) as refused:
        open_league(FORMAT, tmp_path, repository)
    assert str(refused.value) == (
        "league demo was begun by an older referee, whose league files had no "
        "conduct.grace, conduct.strikes, time.match. "
        "Go on with that one, or give the league another name"
    )


def test_a_changed_league_is_refused_by_what_changed(
    repository: Repository, tmp_path: Path
) -> None:
    repository.create_league(begun(tmp_path, FORMAT.canonical_json()))
    changed = FORMAT.model_copy(update={"deals": 11})
    with pytest.raises(InputError, match=r"has begun otherwise: deals was 10 and is 11\. Undo it"):
        open_league(changed, tmp_path, repository)
