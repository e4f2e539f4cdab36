"""A league that was played, judged again, against the league played under that conduct."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.conftest import Referee
from tests.support.bot_folders import make_bot, make_league
from tests.support.commands import play

pytestmark = [pytest.mark.linux, pytest.mark.slow, pytest.mark.timeout(300)]

SEED: Final = "5a" * 32
TIMES: Final = {"mean_answer_us", "p99_answer_us"}
PRICES: Final = "[conduct.penalties]\nillegal = 500\ncrashed = 0\n"
STRICT: Final = "[conduct]\nrestarts = 0\n"


def standings(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the times that answers took."""
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


@pytest.mark.usefixtures("nothing_left")
def test_judging_again_gives_what_play_gives(tmp_path: Path, referee: Referee) -> None:
    bots = [make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob", "illegal_once")]
    bots.append(make_bot(tmp_path / "cleo", "exits_once"))

    def run(tables: str, db: str) -> Path:
        file = make_league(tmp_path, bots, tables=tables)
        play(tmp_path, "league", "run", file, "--seed", SEED, "--jobs", 2, "--db", db)
        return file

    run("", "mild.db")
    file = run(PRICES, "dear.db")
    conduct = tmp_path / "conduct.toml"

    def rejudged(text: str) -> dict[str, Any]:
        conduct.write_text(text, encoding="utf-8")
        line = ("league", "rejudge", "cup", "--conduct", conduct, "--json", "--db", "mild.db")
        outcome = referee(*line)
        assert outcome.code == 0, outcome.err
        found: dict[str, Any] = json.loads(outcome.out)
        return found

    same = rejudged("")
    assert (same["judged"], same["repriced"], same["unjudged"]) == (6, 0, [])
    assert same["standings"] == same["standings_before"]

    # The file of a whole league serves too: its conduct is taken.
    dear = rejudged(file.read_text(encoding="utf-8"))
    played = json.loads(referee("standings", "cup", "--json", "--db", "dear.db").out)
    assert standings(dear["standings"]) == standings(played["standings"])
    assert dear["judged"] == dear["repriced"] == 6
    assert {change["key"] for change in dear["conduct"]} == {
        "conduct.penalties.crashed",
        "conduct.penalties.illegal",
    }

    strict = rejudged(STRICT)
    assert strict["judged"] == 2
    assert {match["match_key"] for match in strict["unjudged"]} == {
        f"cup/{table}/1/{rotation}" for table in ("ann+cleo", "bob+cleo") for rotation in (0, 1)
    }
    assert {(match["bot"], match["would_follow"]) for match in strict["unjudged"]} == {
        ("cleo", "forfeit")
    }

    told = json.loads(referee("attempts", "cup", "--json", "--db", "mild.db").out)
    assert {attempt["status"] for attempt in told["attempts"]} == {"counted"}
    [host] = told["hosts"]
    assert (host["attempts"], host["seats"], host["late"]) == (6, 12, 0)
    assert [bot["attempts"] for bot in told["bots"]] == [4, 4, 4]
    assert host["asks"] == sum(bot["asks"] for bot in told["bots"]) > 0
    assert told["warnings"] == []
