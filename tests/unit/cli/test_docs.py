"""``docs/cli.md`` and ``README.md`` say what the command line does."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from referee.cli.main import app
from referee.core.errors import RefereeError
from referee.match.conduct import Infraction
from tests.unit.cli.conftest import Run

ROOT = Path(__file__).parents[3]
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")

REPORTS = [
    ["standings", "demo"],
    ["crosstable", "demo"],
    ["infractions", "demo"],
    ["attempts", "demo"],
    ["league", "list"],
    ["league", "show", "demo"],
    ["match", "list"],
    ["match", "show", "demo/ann+bob/1/0"],
    ["replay", "verify", "--league", "demo"],
]
LOOK_UPS = [
    ["rules", "list"],
    ["rules", "show", "any-start"],
    ["rules", "diff", "ravensburger", "junior"],
]
"""Reports that need no database."""
DATA = {"ann", "bob", *Infraction}
"""Keys that are data, not names of fields."""


def field_names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from field_names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from field_names(inner)


@pytest.mark.parametrize("report", REPORTS, ids=" ".join)
def test_every_field_is_documented(run: Run, open_ledger: Path, report: list[str]) -> None:
    found = set(field_names(json.loads(run(*report, "--json", "--db", open_ledger).out))) - DATA
    assert found
    assert {key for key in found if f"`{key}`" not in CLI} == set()


@pytest.mark.parametrize("report", LOOK_UPS, ids=" ".join)
def test_every_field_that_is_looked_up_is_documented(run: Run, report: list[str]) -> None:
    found = set(field_names(json.loads(run(*report, "--json").out)))
    assert found
    assert {key for key in found if f"`{key}`" not in CLI} == set()


def _commands(group: Any, *before: str) -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *before, name)
        else:
            yield " ".join([*before, name])


@pytest.mark.parametrize("command", [*_commands(typer.main.get_command(app))])
def test_every_command_is_documented(command: str) -> None:
    assert f"`{command}" in CLI


def test_every_exit_code_is_documented() -> None:
    def codes(kind: type[RefereeError]) -> Iterator[int]:
        yield kind.exit_code
        for below in kind.__subclasses__():
            yield from codes(below)

    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", CLI, re.MULTILINE)}
    assert documented == {*codes(RefereeError), 0, 70, 130}


def test_the_bot_of_the_readme_is_the_guides() -> None:
    (bot,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert f"# mybot/bot.py\n{bot}" in GUIDE
    assert len(bot.splitlines()) <= 20


def test_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []
