"""The bot in a program, found without running it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.bots.manifest import load_manifest
from referee.bots.program import BotClass, bot_class
from referee.core.errors import InputError
from tests.support.bot_folders import SAMPLES

GUARDED = 'if __name__ == "__main__":\n    '


def found(folder: Path, text: str | bytes, command: str = '["python", "bot.py"]') -> BotClass:
    (folder / "bot.toml").write_text(
        f'name = "b"\nversion = "1"\nauthor = "A"\nlanguage = "python"\ncommand = {command}\n'
    )
    (folder / "bot.py").write_bytes(text.encode() if isinstance(text, str) else text)
    return bot_class(load_manifest(folder), folder)


@pytest.mark.parametrize("name", ["random", "greedy", "holdback", "counter"])
def test_the_sample_bots_are_found(name: str) -> None:
    folder = SAMPLES / name
    assert bot_class(load_manifest(folder), folder)[:2] == (folder, "bot")


@pytest.mark.parametrize(
    "text",
    [
        f"from elfer import Bot, run\nPATTERN = '\\d'\n{GUARDED}run(Mine)",
        f"from elfer.runner import run as go\n{GUARDED}go(Mine)",
        f"import elfer\n{GUARDED}elfer.run(Mine)",
        f"import elfer as e\nimport os\ndef go():\n    os.run(x)\n    e.run(Mine)\n{GUARDED}go()",
    ],
)
def test_what_is_given_to_run_is_the_bot(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == (tmp_path, "bot", "Mine")


def test_the_program_may_lie_deeper(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.py").write_text(f"from elfer import run\n{GUARDED}run(Mine)")
    place = found(tmp_path, "", '["python", "-O", "src/main.py", "quick"]')
    assert place == (tmp_path / "src", "main", "Mine")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import subprocess\nsubprocess.run(x)", "does not call run of the SDK"),
        ("run(Mine)", "does not call run of the SDK"),
        (f"from elfer import run\n{GUARDED}run()", "not given the bot's class by its name"),
        (f"from elfer import run\n{GUARDED}run(lambda: Mine(3))", "by its name"),
        ("from elfer import run\nrun(Mine)", "importing it runs the bot"),
        ("if", "no Python program: "),
        (b"\0", "no Python program: "),
        ("(" * 100_000, "no Python program: "),
        (b"# coding: klingon\n", "no Python program: "),
    ],
)
def test_why_there_is_none_is_told(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        found(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'bot.py'}: ")
    assert str(caught.value).isprintable()


def test_a_program_in_another_language_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"bot.toml: the command names no Python file"):
        found(tmp_path, "", '["./bot"]')
    with pytest.raises(InputError, match=r"none.py: there is no such file"):
        found(tmp_path, "", '["python", "none.py"]')


def test_a_name_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "my-bot.py").write_text(f"from elfer import run\n{GUARDED}run(Mine)")
    with pytest.raises(InputError, match="this name cannot be imported"):
        found(tmp_path, "", '["python", "my-bot.py"]')
