"""``bot.toml``: what a bot's folder says about itself and how it is started."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from referee.core.duration import format_duration
from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.files.fields import SLUG_TEXT, Duration, Slug
from referee.files.reading import refusing, shown
from referee.files.toml import load_toml

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST_NAME: Final = "bot.toml"
LONGEST_START_US: Final = 600_000_000


def _on_one_line(text: str) -> str:
    if sanitise(text) != text:
        raise ValueError("control, format and line-breaking characters are not allowed")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character cannot be passed to a program")
    return text


def _start_limit(microseconds: int) -> int:
    if not 0 < microseconds <= LONGEST_START_US:
        raise ValueError(f"not above zero and at most {format_duration(LONGEST_START_US)}")
    return microseconds


Version = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$")]
FreeText = Annotated[
    str, StringConstraints(min_length=1, max_length=100), AfterValidator(_on_one_line)
]
Argument = Annotated[str, StringConstraints(max_length=1000), AfterValidator(_without_nul)]


class Manifest(BaseModel):
    """A bot's ``bot.toml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Slug = Field(description=SLUG_TEXT)
    version: Version = Field(
        description="a text such as '1.0.0': up to 32 letters, digits, dots, plus and hyphens"
    )
    author: FreeText = Field(description="a text of 1 to 100 characters on one line")
    language: FreeText = Field(description="a text of 1 to 100 characters on one line")
    command: tuple[Argument, ...] = Field(
        min_length=1,
        max_length=64,
        description="the program and its arguments as a list of 1 to 64 texts, "
        "such as ['python', 'main.py']; it is run in the bot's folder",
    )
    start_limit: Annotated[Duration, AfterValidator(_start_limit)] = Field(
        default=10_000_000,
        description="how long the bot may take to say hello: a text such as '10s', at most '10m'",
    )


def load_manifest(folder: Path) -> Manifest:
    """Read the manifest of the bot in ``folder``.

    Raises InputError (one line naming file, key, value and what is allowed) where the folder
    or its ``bot.toml`` is missing, unreadable, too large, not UTF-8, not TOML, or wrong.
    """
    with refusing(folder, "read"):
        if not folder.is_dir():
            wrong = "not a bot's folder" if folder.exists() else "there is no such bot folder"
            raise InputError(f"{shown(folder)}: {wrong}")
    manifest = load_toml(folder / MANIFEST_NAME, Manifest)
    if not manifest.command[0]:
        raise InputError(
            f"{shown(folder / MANIFEST_NAME)}: command[0] = '': the program has no name"
        )
    return manifest
