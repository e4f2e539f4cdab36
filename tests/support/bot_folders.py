"""Bots and leagues in folders, as their authors write them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

BOTS: Final = Path(__file__).parents[1] / "bots"
SAMPLES: Final = Path(__file__).parents[2] / "sample_bots" / "python"


def make_bot(
    folder: Path, mode: str = "fair", *, program: str = "python", start_limit: str = "60s"
) -> Path:
    """The bot of ``tests/bots`` in one of its modes, under the folder's name."""
    shutil.copytree(BOTS, folder / "tests/bots", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bot.py").write_text(
        "import sys\n\nfrom tests.bots.unruly import main\n\nmain(sys.argv[1])\n", encoding="utf-8"
    )
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
    tables: str = "",
) -> Path:
    """A league file with matches of one game, and further keys and ``tables`` as TOML."""
    file = folder / f"{name}.toml"
    file.write_text(
        f'name = "{name}"\nseries = {{ games = 1 }}\ntable_size = {table_size}\n'
        f'deals = {deals}\nrotations = "{rotations}"\ntime.move = "{move}"\n{tables}\n'
        + "".join(f"[[entrants]]\npath = {json.dumps(str(path))}\n" for path in entrants),
        encoding="utf-8",
    )
    return file
