"""What ``from elfer import …`` offers, and what it needs."""

import ast
import importlib.metadata
import sys
from pathlib import Path

import pytest

import elfer

EXPORTED = {
    "Act",
    "Bot",
    "Card",
    "Cards",
    "Colour",
    "Conduct",
    "Game",
    "GameResult",
    "Match",
    "MatchResult",
    "Resign",
    "Rules",
    "Ruling",
    "Series",
    "Tableau",
    "TimeControl",
    "Turn",
    "Verb",
    "run",
}


def test_exported_names() -> None:
    assert set(elfer.__all__) == EXPORTED
    assert elfer.__all__ == sorted(elfer.__all__)


def test_every_exported_name_is_there_and_documented() -> None:
    for name in elfer.__all__:
        assert getattr(elfer, name).__doc__
    assert set(elfer.__all__) <= set(dir(elfer))


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'elfer' has no attribute 'Trun'"):
        _ = elfer.Trun  # type: ignore[attr-defined]


def test_it_needs_grpcio_and_protobuf_only() -> None:
    allowed = sys.stdlib_module_names | {"elfer", "grpc", "google"}
    for path in Path(elfer.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert {name.partition(".")[0] for name in names} <= allowed, path.name
    requires = importlib.metadata.requires("elfer") or []
    assert {name.partition(">")[0] for name in requires} == {"grpcio", "protobuf"}


def test_it_says_that_it_is_typed() -> None:
    assert (Path(elfer.__file__).parent / "py.typed").is_file()
