"""A made-up thirteenth profile touches nothing but data."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.pages import ROOT


def test_a_profile_more_is_one_literal(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.support.thirteenth"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    assert "\nmade-up@1, 60 cards\n" in done.stdout
