"""A profile is data: no line of code but its own literal knows it by name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games.elfer_raus.profiles import PROFILES

ROOT = Path(__file__).parents[2]
NAMES = {name for profile in PROFILES for name in (profile, profile.partition("@")[0])}
MAY_NAME = {
    "referee/games/elfer_raus/profiles.py": NAMES,
    # What a league plays that names none.
    "referee/league/format.py": {"ravensburger"},
}


def modules() -> list[Path]:
    """All but the command line, whose options have their defaults too."""
    cli = ROOT / "referee/cli"
    return [path for path in (ROOT / "referee").rglob("*.py") if cli not in path.parents]


def texts(tree: ast.Module) -> Iterator[str]:
    """All text of a module that is no docstring: expressions that stand alone do nothing."""
    alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone:
            yield node.value


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_asks_which_profile_it_is(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    named = {name for text in texts(tree) for name in NAMES if name == text}
    assert named <= MAY_NAME.get(module.relative_to(ROOT).as_posix(), set())


@pytest.mark.parametrize(
    "name", ["state", "deal", "house", "view", "picture", "rulings", "notation"]
)
def test_the_play_knows_slots_alone(name: str) -> None:
    source = (ROOT / f"referee/games/elfer_raus/{name}.py").read_text(encoding="utf-8")
    assert "profile" not in source.lower()
