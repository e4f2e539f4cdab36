"""No tracked file holds a download address of packages or a path of somebody's machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN = re.compile(
    # a package's address
    rb"https?://[^\s\"'<>)]*(?:/simple(?![\w-])|\.whl|\.tgz|\.tar\.gz|registry)"
    rb"|--(?:extra-)?(?:index-url|find-links)"
    # a folder that only one machine has
    rb"|(?<![\w.$}~*-])/(?:root|home|Users|work)/\w"
)


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=30
    ).stdout.decode()
    return [ROOT / name for name in listing.split("\0") if name]


def test_no_tracked_file_names_a_download_address_or_a_machine() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {match.group().decode()}"
        for file in tracked_files()
        if file.is_file()
        for number, line in enumerate(file.read_bytes().splitlines(), 1)
        for match in FOREIGN.finditer(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "parts",
    [
        ("https:", "//packages.example", "/simple"),
        ("elfer @ https:", "//packages.example", "/elfer-1.whl"),
        ("pip install --", "index-url=x"),
        ("see /", "home/", "ann/elfer"),
        ('"/', "root/", 'x"'),
    ],
)
def test_such_lines_are_found(parts: tuple[str, ...]) -> None:
    assert FOREIGN.search("".join(parts).encode())


@pytest.mark.parametrize("line", [b"cd ~/" + b"work/elfer", b"https://www.example.org/simple-bots"])
def test_other_lines_are_not(line: bytes) -> None:
    assert not FOREIGN.search(line)
