"""A league of real bots, archived, verified and imported elsewhere; then every part altered."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.app.archive.form import FORMAT, LEAGUE, MATCHES, STANDINGS, record_file
from referee.match.conduct import Infraction
from tests.e2e.conftest import Referee
from tests.support.archives import Parts
from tests.support.bot_folders import SAMPLES, make_bot, make_league
from tests.support.commands import play

pytestmark = [pytest.mark.linux, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a league that was played, with ``cup.db`` and ``cup.tar``."""
    folder = tmp_path_factory.mktemp("cup")
    bots = [SAMPLES / "greedy", SAMPLES / "holdback", make_bot(folder / "rude", "always_illegal")]
    file = make_league(folder, bots, table_size=3, deals=2)
    play(folder, "league", "run", file, "--jobs", 2, "--db", "cup.db")
    play(folder, "league", "archive", "cup", "--out", "cup.tar", "--db", "cup.db")
    return folder


def report(referee: Referee, command: str, league: str, db: Path | str) -> Any:
    found = json.loads(referee(command, league, "--json", "--db", db).out)
    return {key: value for key, value in found.items() if key not in {"league", "state"}}


def test_it_holds_and_says_the_same_elsewhere(archived: Path, referee: Referee) -> None:
    verified = referee("league", "verify", archived / "cup.tar")
    assert verified.code == 0, verified.out
    assert "league cup, finished, 6 matches" in verified.out
    brought = json.loads(
        referee("league", "import", archived / "cup.tar", "--json", "--db", "other.db").out
    )
    assert (brought["matches"], brought["new"]) == (6, True)
    for command in ("standings", "crosstable"):
        assert report(referee, command, "cup", archived / "cup.db") == report(
            referee, command, brought["league"], "other.db"
        )
    rude = report(referee, "infractions", brought["league"], "other.db")["infractions"]
    assert {one["bot"] for one in rude} == {"rude"}
    assert Infraction.ILLEGAL in {one["kind"] for one in rude}
    held = referee("replay", "verify", "--league", brought["league"], "--db", "other.db")
    assert held.out == "6 of 6 matches hold\n"


KEY, OTHER = (f"cup/greedy+holdback+rude/2/{rotation}" for rotation in (1, 2))


def _another_answer(parts: Parts) -> None:
    """An answer that was refused, given in another way."""

    def change(record: Any) -> Any:
        (refused, *_) = (index for index, ask in enumerate(record.asks) if ask.ruling is not None)
        asks = list(record.asks)
        asks[refused] = replace(asks[refused], answer=replace(asks[refused].answer, cards=(80,)))
        return replace(record, asks=tuple(asks))

    parts.change_record(KEY, change)


def _no_penalties(parts: Parts) -> None:
    parts.change_record(
        KEY,
        lambda record: replace(
            record,
            infractions=tuple(replace(one, penalty=0) for one in record.infractions),
        ),
    )


ALTERED: list[tuple[Callable[[Parts], object], str]] = [
    (
        lambda parts: parts.change(FORMAT, lambda league: league["conduct"].update(list_only=True)),
        "conduct.list_only",
    ),
    (
        lambda parts: parts.change(LEAGUE, lambda head: head.update(seed="00" * 32)),
        "seed_commitment of league.json",
    ),
    (
        lambda parts: parts.change(
            LEAGUE, lambda head: head["entrants"][0].update(bundle_sha256="00" * 32)
        ),
        ".bundle_sha256",
    ),
    (
        lambda parts: parts.change(STANDINGS, lambda rows: rows[-1].update(penalties=0)),
        "standings.json, row 3: penalties",
    ),
    (
        lambda parts: parts.change_match(
            4, lambda match: match["attempts"][0].update(ended_at="2026-01-01T00:00:00Z")
        ),
        f"{KEY}: end_time",
    ),
    (_another_answer, f"{KEY}: asks["),
    (_no_penalties, f"{KEY}: infractions[0].penalty"),
    (
        lambda parts: parts.change_record(
            KEY,
            lambda record: replace(
                record, result=replace(record.result, totals=(0,) * len(record.result.totals))
            ),
        ),
        f"{KEY}: result.totals",
    ),
    (
        lambda parts: parts.update(
            {record_file(KEY): parts[record_file(KEY.replace("2/1", "2/2"))]}
        ),
        f"{KEY}: match_key",
    ),
    (
        lambda parts: parts.update({MATCHES: b"".join(parts[MATCHES].splitlines(True)[:-1])}),
        "something stands where the file should end",
    ),
]


@pytest.mark.parametrize(("alter", "told"), ALTERED, ids=[case[1] for case in ALTERED])
def test_what_was_altered_is_named(
    archived: Path, referee: Referee, alter: Callable[[Parts], object], told: str
) -> None:
    parts = Parts.of(archived / "cup.tar")
    alter(parts)
    Path("forged.tar").write_bytes(parts.forged())
    verified = referee("league", "verify", "forged.tar")
    assert verified.code == 4
    assert told in verified.out
    imported = referee("league", "import", "forged.tar", "--db", "other.db")
    assert imported.code == 4
    assert told in imported.err
    assert json.loads(referee("league", "list", "--json", "--db", "other.db").out) == {
        "leagues": []
    }
