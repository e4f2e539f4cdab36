"""Bots and leagues in folders, as their authors write them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

UNRULY: Final = Path(__file__).parents[1] / "bots" / "unruly.py"
SAMPLES: Final = Path(__file__).parents[2] / "sample_bots" / "python"


def make_bot(
    folder: Path, mode: str = "fair", *, program: str = "python", start_limit: str = "60s"
) -> Path:
    """The bot of ``tests/bots``, under the folder's name."""
    folder.mkdir(parents=True)
    shutil.copy(UNRULY, folder / "bot.py")
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\nversion = "1"\nauthor = "Tests"\nlanguage = "python"\n'
        f'command = ["{program}", "bot.py", "{mode}"]\nstart_limit = "{start_limit}"\n',
        encoding="utf-8",
    )
    return folder


def make_league(
    folder: Path,
    entrants: Sequence[Path],
    *,
    name: str = "cup",
    table_size: int = 2,
    deals: int = 1,
    rotations: str = "all",
    move: str = "60s",
) -> Path:
    """A league file with matches of one game."""
    file = folder / f"{name}.toml"
    file.write_text(
        f'name = "{name}"\nseries = {{ games = 1 }}\ntable_size = {table_size}\n'
        f'deals = {deals}\nrotations = "{rotations}"\n[time]\nmove = "{move}"\n'
        + "".join(f"[[entrants]]\npath = {json.dumps(str(path))}\n" for path in entrants),
        encoding="utf-8",
    )
    return file
