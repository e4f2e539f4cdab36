"""The layers of docs/architecture.md, as the contracts in pyproject.toml state them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def test_imports_keep_the_contracts() -> None:
    outcome = subprocess.run(
        [LINT_IMPORTS, "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
