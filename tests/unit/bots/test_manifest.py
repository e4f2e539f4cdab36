from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from pydantic import ValidationError

from referee.bots.manifest import Manifest, load_manifest
from referee.core.errors import InputError

WHOLE = {
    "name": '"holdback"',
    "version": '"1.0.0"',
    "author": '"Zoë"',
    "language": '"Python"',
    "command": '["python", "main.py"]',
}


def write(folder: Path, **changes: str | None) -> None:
    entries = WHOLE | changes
    lines = [f"{key} = {value}" for key, value in entries.items() if value is not None]
    (folder / "bot.toml").write_text("\n".join(lines), encoding="utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_manifest(folder)
    text = str(caught.value)
    assert text.isprintable()
    return text.replace(str(folder), "BOT")


def test_a_whole_manifest_is_read_and_frozen(tmp_path: Path) -> None:
    write(tmp_path, start_limit='"500ms"')
    manifest = load_manifest(tmp_path)
    assert manifest == Manifest(
        name="holdback",
        version="1.0.0",
        author="Zoë",
        language="Python",
        command=("python", "main.py"),
        start_limit=cast(int, "500ms"),
    )
    assert manifest.start_limit == 500_000
    with pytest.raises(ValidationError):
        setattr(manifest, "name", "other")  # noqa: B010 - mypy knows that it is frozen


def test_the_start_limit_is_ten_seconds_unless_said(tmp_path: Path) -> None:
    write(tmp_path)
    assert load_manifest(tmp_path).start_limit == 10_000_000


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": None}, "name is missing; allowed: 1 to 64 of a-z"),
        ({"name": '"Hold Back"'}, "name = 'Hold Back': not of the allowed form; allowed: 1 to 64"),
        ({"name": '"../up"'}, "name = '../up'"),
        ({"name": '"a\\n"'}, r"name = 'a\n'"),
        ({"name": '"' + "a" * 65 + '"'}, "name = 'aaa"),
        ({"version": "1.0"}, "version = 1.0: not a text; allowed: a text such as '1.0.0'"),
        ({"author": '"a\\u001b[2J"'}, r"author = 'a\x1b[2J': control"),
        ({"author": '"\\u202egnp"'}, r"author = '\u202egnp': control"),
        ({"author": '"' + "a" * 101 + '"'}, "author = 'aaa"),
        ({"language": '""'}, "language = ''"),
        ({"command": "[]"}, "command = a list: too few; allowed: the program and its"),
        ({"command": '"python main.py"'}, "command = 'python main.py': not a list; allowed: the"),
        ({"command": '["python", 3]'}, "command[1] = 3: not a text"),
        ({"command": '["python", "a\\u0000b"]'}, r"command[1] = 'a\x00b': a NUL"),
        ({"command": '[""]'}, "command[0] = ''"),
        ({"start_limit": "10"}, "start_limit = 10: not a duration; allowed: how long the bot may"),
        ({"start_limit": '"0s"'}, "start_limit = '0s': not above zero and at most 10m; allowed:"),
        ({"start_limit": '"11m"'}, "start_limit = '11m': not above zero and at most 10m"),
        ({"speed": "3"}, "speed is not a known key; allowed: name, version, author, language"),
        ({"x\\u001b": "3"}, "not valid TOML"),
        ({'"x\\u001b"': "3"}, r"x\x1b is not a known key"),
    ],
)
def test_an_error_names_file_key_value_and_what_is_allowed(
    tmp_path: Path, changes: dict[str, str | None], said: str
) -> None:
    write(tmp_path, **changes)
    assert refusal(tmp_path).startswith(f"BOT/bot.toml: {said}")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "BOT: there is no such bot folder"
    assert refusal(tmp_path) == "BOT/bot.toml: there is no such file"
    (tmp_path / "bot.toml").mkdir()
    assert refusal(tmp_path) == "BOT/bot.toml: not a regular file"
    file = tmp_path / "bot.py"
    file.touch()
    assert refusal(file) == "BOT: not a bot's folder"


def test_a_hostile_path_is_shown_safely(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_manifest(tmp_path / "a\x1b[2J")
    assert str(caught.value).endswith(r"a\x1b[2J: there is no such bot folder")
