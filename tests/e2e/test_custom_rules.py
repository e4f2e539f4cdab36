"""A league with rules of its own, in a series to a limit: run, stopped, gone on with, checked."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from referee.app import league as app_league
from referee.app.events import Event, MatchDone
from referee.app.league import open_league
from referee.core.errors import InputError
from referee.league.format import load_league
from referee.store.database import Database
from referee.store.repository import Repository
from tests.e2e.conftest import Referee
from tests.support.bot_folders import make_bot
from tests.support.inline_pool import InlinePool

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

SEED = bytes(range(32))
LINE = (
    "custom@1 colours=RYGB numbers=9-13 table=- start=11 opener=first redeal=no opening=turn"
    " duty=no draw=2 pass=free hand=7,6,0,0,0"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    bots = [make_bot(tmp_path / name) for name in ("ann", "bob", "cleo")]
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "cup"\nprofile = "custom"\nseries = { limit = 60, cap = 9 }\n'
        'table_size = 3\ndeals = 1\n[time]\nmove = "60s"\n'
        '[rules]\nbase = "ravensburger"\nnumbers = "9-13"\nredeal = false\nopening = "turn"\n'
        'draw = 2\npass = "free"\nhand = "7,6,0,0,0"\n'
        + "".join(f"[[entrants]]\npath = {json.dumps(str(bot))}\n" for bot in bots),
        encoding="utf-8",
    )
    return file


def run(file: Path, *, matches: int) -> None:
    """Play so many matches more, and no further."""
    stop = threading.Event()
    done: list[Event] = []

    def on_event(event: Event) -> None:
        done.append(event)
        if sum(isinstance(event, MatchDone) for event in done) == matches:
            stop.set()

    with Database.open(str(file.with_name("cup.db"))) as database:
        league = open_league(load_league(file), file.parent, Repository(database), SEED)
        league.run(jobs=1, logs=file.parent / "logs", on_event=on_event, stop=stop)


def test_a_custom_league(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Referee
) -> None:
    monkeypatch.setattr(app_league, "Pool", InlinePool)
    run(file, matches=1)

    written = file.read_text(encoding="utf-8")
    file.write_text(written.replace("draw = 2", "draw = 1"), encoding="utf-8")
    with pytest.raises(InputError, match=r"has begun otherwise: rules\.draw was 2 and is 1\. Undo"):
        run(file, matches=1)

    # The same rules, spelled out: no change.
    slots = LINE.replace(" redeal=no ", " ").replace(" draw=2 ", " ").replace(" duty=no ", " ")
    keys = [word.split("=") for word in slots.split(" ")[1:]]
    spelled_out = "".join(f'{name} = "{value}"\n' for name, value in keys)
    rules, entrants = written.index("base ="), written.index("[[entrants]]")
    file.write_text(
        f"{written[:rules]}redeal = false\nduty = false\ndraw = 2\n{spelled_out}"
        f"{written[entrants:]}",
        encoding="utf-8",
    )
    run(file, matches=9)

    db = ("--db", "cup.db")
    listed = json.loads(referee("match", "list", "--json", *db).out)["matches"]
    assert [match["state"] for match in listed] == ["counted"] * 3
    assert [match["attempts"] for match in listed] == [1, 1, 1]
    verified = referee("replay", "verify", "--league", "cup", "--json", *db)
    assert (verified.code, json.loads(verified.out)["hold"]) == (0, 3)
    for match in listed:
        key = match["match_key"]
        text = referee("replay", "export", key, "--format", "transcript", *db).out
        assert text.splitlines()[1:3] == [f"rules {LINE}", "series limit 60 cap 9"]
        points = match["result"]["points"]
        games = match["result"]["games"]
        assert max(points) >= 60 or games == 9
        shown = referee("replay", "show", key, *db)
        assert shown.code == 0
        assert "custom@1, limit 60 cap 9, 3 seats" in shown.out
    report = json.loads(referee("league", "list", "--json", *db).out)["leagues"][0]
    assert (report["profile"], report["series"]) == ("custom@1", "limit 60 cap 9")
    assert referee("standings", "cup", *db).code == 0
