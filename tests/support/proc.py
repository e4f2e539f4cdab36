"""A ``/proc`` that a test fills."""

from __future__ import annotations

from pathlib import Path
from threading import get_native_id


class FakeProc:
    """Processes with threads; the referee's process is ``self``, its event loop this thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loop = get_native_id()
        self.load()
        self.thread("self", self.loop, ran=1, state="R")

    def load(self, runnable: int = 1, youngest: int = 1) -> None:
        """So many are runnable, this thread included."""
        text = f"0.00 0.01 0.05 {runnable}/123 {youngest}\n"
        self._write(self.folder / "loadavg", text)

    def thread(
        self,
        process: int | str,
        thread: int,
        *,
        ran: int = 0,
        waited: int = 0,
        state: str = "S",
        name: str = "python",
        children: str = "",
    ) -> None:
        """What a thread shows; times in milliseconds."""
        folder = self.folder / str(process) / "task" / str(thread)
        folder.mkdir(parents=True, exist_ok=True)
        self._write(folder / "schedstat", f"{ran * 1_000_000} {waited * 1_000_000} 17\n")
        self._write(folder / "stat", f"{thread} ({name}) {state} 1 1 1 0 -1 4194304 100 0 0 0\n")
        self._write(folder / "children", children)

    def _write(self, path: Path, text: str) -> None:
        # In place: who has the file open sees the change.
        with path.open("r+" if path.exists() else "w", encoding="ascii") as file:
            file.write(text)
            file.truncate()
