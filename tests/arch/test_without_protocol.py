"""The rules, the match and the league, and ``referee --help``, load neither grpc nor protobuf."""

import subprocess
import sys

import pytest

IMPORT_ALL = """
import importlib, pkgutil, sys

for root in sys.argv[1:]:
    module = importlib.import_module(root)
    for found in pkgutil.walk_packages(getattr(module, "__path__", []), root + "."):
        importlib.import_module(found.name)
loaded = {"grpc", "google.protobuf"} & set(sys.modules)
assert not loaded, loaded
"""


@pytest.mark.parametrize(
    "roots",
    [
        ["elfer.cards", "elfer.tableau", "elfer.acts", "elfer.notation"],
        ["referee.core", "referee.games", "referee.match", "referee.files", "referee.league"],
        ["referee.cli.main"],
    ],
    ids=lambda roots: roots[-1],
)
def test_these_load_neither_grpc_nor_protobuf(roots: list[str]) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *roots], capture_output=True, text=True, timeout=50
    )
    assert outcome.returncode == 0, outcome.stderr
