"""The command ``referee`` as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

_PROGRAM: Final = Path(sys.executable).with_name("referee")
_LIMIT: Final = 100
"""Seconds; a test's own limit is above it."""


def start(folder: Path, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start a command in ``folder``, in a process group of its own, as a terminal does.

    ``environment`` is what is set in it beside our own.
    """
    return subprocess.Popen(
        [_PROGRAM, *map(str, arguments)],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "REFEREE_DB"}
        | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a command's end. Gives exit code and both outputs."""
    try:
        out, err = process.communicate(timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return process.returncode, out, err


def play(folder: Path, *arguments: object) -> None:
    """Run a command that has to succeed."""
    code, out, err = finish(start(folder, *arguments))
    assert code == 0, out + err
