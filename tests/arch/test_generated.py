"""The committed protocol code is what ``make proto`` gives."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def generated_files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "elfer/v1").glob("*_pb2*.py*")}


def test_committed_protocol_is_what_make_proto_gives(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "proto/generate.py", tmp_path], check=True, timeout=50)
    fresh = generated_files(tmp_path)
    assert fresh
    assert generated_files(ROOT / "sdk/python") == fresh
