"""``docs/running-a-league.md`` says what the code does."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from referee.league.format import LeagueFormat
from referee.league.sections import ConductKeys, SeriesKeys
from referee.match.conduct import BREACHES, Consequence

PAGE = (Path(__file__).parents[3] / "docs" / "running-a-league.md").read_text(encoding="utf-8")


def keys(table: dict[str, object], prefix: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict) and key != "penalties":
            yield from keys(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def test_the_example_is_a_league_file_with_every_key() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    league = LeagueFormat.model_validate(tomllib.loads(example))
    used = set(keys(tomllib.loads(example)))
    assert used == set(keys(league.model_dump())) - {"series.limit", "series.cap"}


def test_the_table_of_keys_is_complete() -> None:
    told = set(re.findall(r"^\| `([a-z_.]+)(?:\.KIND)?` \|", PAGE, re.MULTILINE)) - set(BREACHES)
    series = {f"series.{key}" for key in SeriesKeys.model_fields}
    entrants = {"entrants", "entrants.path", "entrants.name"}
    fields = {"name", "profile", "table_size", "deals", "rotations", "time.move", "time.handshake"}
    conduct = {f"conduct.{key}" for key in ConductKeys.model_fields}
    assert told == fields | series | entrants | conduct
    assert {key.partition(".")[0] for key in told} == LeagueFormat.model_fields.keys()


def test_the_penalties_are_the_defaults_and_those_that_forfeit_come_first() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert rows == [(kind.value, str(breach.penalty)) for kind, breach in BREACHES.items()]
    forfeits = [breach.consequence is Consequence.FORFEIT for breach in BREACHES.values()]
    assert forfeits == [True] * 6 + [False] * (len(forfeits) - 6)
