"""What is left on this machine of a test's processes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil


def processes_in(folder: Path) -> list[psutil.Process]:
    """Processes that run within a folder: a test's commands, their workers and all bots."""
    return [
        process
        for process in psutil.process_iter(["cwd"])
        if process.info["cwd"]
        and Path(process.info["cwd"]).is_relative_to(folder)
        and process.pid != os.getpid()
    ]


def await_end(processes: list[psutil.Process]) -> None:
    """Wait until processes have ended; zombies that somebody has yet to reap have."""
    _, left = psutil.wait_procs(processes, timeout=20)
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


@contextmanager
def peak_memory_growth() -> Iterator[Callable[[], int]]:
    """How many bytes more this process has held at a time than when it came here (Linux)."""
    before = _memory("VmRSS")
    # Else the peak is that of the process's whole life.
    Path("/proc/self/clear_refs").write_text("5")
    yield lambda: _memory("VmHWM") - before


def _memory(field: str) -> int:
    status = Path("/proc/self/status").read_text()
    [kibibytes] = re.findall(rf"^{field}:\s+(\d+) kB$", status, re.MULTILINE)
    return int(kibibytes) * 1024
