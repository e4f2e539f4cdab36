"""No tracked file names a package registry or a path of somebody's machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN = re.compile(
    rb"(?:registry\.)[a-z0-9-]+\.[a-z]{2,}|pypi\.(?:org)|python(?:hosted)\.org|npm(?:js)\.(?:org|com)"
    rb"|(?<![\w.$}~*-])/(?:root|home|Users|work)/\w"
)


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=30
    ).stdout.decode()
    return [ROOT / name for name in listing.split("\0") if name]


def test_no_tracked_file_names_a_registry_or_a_machine() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {match.group().decode()}"
        for file in tracked_files()
        if file.is_file()
        for number, line in enumerate(file.read_bytes().splitlines(), 1)
        for match in FOREIGN.finditer(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        b"https://" + b"registry.example/simple",
        b"see " + b"/home/" + b"ann/elfer",
        b'"' + b"/work/" + b'x"',
    ],
)
def test_the_pattern_finds_them(line: bytes) -> None:
    assert FOREIGN.search(line)
