"""``docs/writing-a-bot.md`` and ``docs/protocol.md`` say what the code does."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import grpc
import pytest

from elfer import Turn
from elfer.ruling import SECTION
from elfer.v1 import play_pb2
from referee.bots.manifest import Manifest
from referee.games.elfer_raus.slots import SLOT_NAMES
from referee.match.conduct import BREACHES
from referee.rpc import handshake, server
from referee.rpc.server import PlayServer
from tests.support.pages import DOCS, page, rows, section
from tests.unit.sdk.conversation import conversation, play_one_game

GUIDE = page("writing-a-bot")
PROTOCOL = DOCS / "protocol.md"
MOST_LINES = 40

EXAMPLES: dict[str, str] = dict(
    re.findall(r"```(?:python|toml)\n# (\S+)\n(.*?)```", GUIDE, re.DOTALL)
)
"""What the guide shows, by file."""


def write_examples(folder: Path) -> None:
    for name, text in EXAMPLES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_the_guide_shows_these_files() -> None:
    assert set(EXAMPLES) == {
        "mybot/bot.toml",
        "mybot/bot.py",
        "mybot/test_bot.py",
        "examples/tableau.py",
        "rawbot/bot.py",
    }
    assert GUIDE.count("```python") + GUIDE.count("```toml") == len(EXAMPLES)


@pytest.mark.parametrize("name", ["mybot/bot.py", "rawbot/bot.py"])
def test_a_bot_takes_less_than_40_lines(name: str) -> None:
    assert len(EXAMPLES[name].splitlines()) < MOST_LINES


@pytest.mark.parametrize("name", ["mybot/bot.py", "rawbot/bot.py"])
@pytest.mark.parametrize("profile", ["ravensburger", "classic", "three-starts"])
async def test_the_bots_play(tmp_path: Path, name: str, profile: str) -> None:
    write_examples(tmp_path)
    async with PlayServer(tcp=True) as play_server:
        seat = play_server.add_seat("mybot")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            name,
            cwd=tmp_path,
            env={
                **os.environ,
                "ELFER_ADDRESS": play_server.address,
                "ELFER_TOKEN": seat.token,
            },
        )
        assert await seat.connected(None)
        play = await play_one_game(seat, profile, 3)
        await seat.close()
        assert await process.wait() == 0
    assert play.asks
    assert play.infractions == ()


def test_the_manifest_is_one_and_its_table_is_complete() -> None:
    Manifest.model_validate(tomllib.loads(EXAMPLES["mybot/bot.toml"]))
    told = {key for row in rows(section(GUIDE, "A bot")) for key in row[0].split("`, `")}
    assert told == Manifest.model_fields.keys()


def test_the_unit_tests_pass(tmp_path: Path) -> None:
    write_examples(tmp_path)
    # As in the root of the repository, where the guide's reader is.
    shutil.copy(DOCS.parent / "pyproject.toml", tmp_path)
    given = "-m pytest --import-mode=prepend mybot"
    assert f"`python {given}`" in GUIDE
    command = [sys.executable, *given.split(), "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


def test_the_other_example_runs() -> None:
    exec(EXAMPLES["examples/tableau.py"], {})


def test_the_table_of_a_turn_is_complete() -> None:
    told = {
        key for row in rows(section(GUIDE, "What a turn tells")) for key in row[0].split("`, `")
    }
    there = {name for name in dir(Turn) if not name.startswith("_")} | {"match", "refused"}
    assert told == there - {"judge", "lines"}
    assert "turn.judge(" in GUIDE


async def test_the_conversation_is_what_is_said(update_golden: bool) -> None:
    """All elements up to the bot's second turn, and the last three."""
    page = PROTOCOL.read_text(encoding="utf-8")
    fence = re.compile(r"(?<=```textproto\n)([^`]*)(?=```\n)")
    said = [element.text for element in await conversation()]
    shown = [*said[:8], *said[-3:]]
    assert len(fence.findall(page)) == len(shown)
    if update_golden:
        texts = iter(shown)
        PROTOCOL.write_text(fence.sub(lambda _: next(texts), page), encoding="utf-8")
    else:
        assert fence.findall(page) == shown


def test_every_message_and_field_is_told() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    for name, message in play_pb2.DESCRIPTOR.message_types_by_name.items():
        _, text = page.split(f"\n### {name}\n")
        table = re.search(r"\| field \| meaning \|\n\|---\|---\|\n((?:\|.*\n)+)", text)
        assert table is not None
        told = [key for row in rows(table[1]) for key in row[0].split("`, `")]
        assert sorted(told) == sorted(field.name for field in message.fields), name


def test_every_ruling_is_told() -> None:
    page = section(PROTOCOL.read_text(encoding="utf-8"), "Rulings")
    assert [row[:2] for row in rows(page)] == [(code.value, SECTION[code]) for code in SECTION]


def test_every_infraction_is_told() -> None:
    page = section(PROTOCOL.read_text(encoding="utf-8"), "Infractions")
    assert [row[:4] for row in rows(page)] == [
        (kind.value, *map(str, default)) for kind, (default, *_) in BREACHES.items()
    ]


def test_every_slot_is_told() -> None:
    page = PROTOCOL.read_text(encoding="utf-8")
    _, text = page.split("\n### Slot\n")
    slots = text.split("| slot | values |")[1].split("\n### ")[0]
    assert tuple(row[0] for row in rows(slots)) == SLOT_NAMES


def test_every_status_is_told() -> None:
    page = section(PROTOCOL.read_text(encoding="utf-8"), "How a stream ends")
    told = {row[0] for row in rows(page)}
    used = {
        status
        for module in (handshake, server)
        for status in re.findall(
            r"StatusCode\.([A-Z_]+)", Path(str(module.__file__)).read_text(encoding="utf-8")
        )
    }
    assert used | {"OK", "UNAVAILABLE"} == told
    assert told <= set(grpc.StatusCode.__members__)
