"""A bot that takes part: its folder, read once, and the name it plays under."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import referee
from referee.bots.bundle import bundle_digest
from referee.bots.manifest import MANIFEST_NAME, Manifest, load_manifest
from referee.match.record import SeatRecord


@dataclass(frozen=True, slots=True)
class Bot:
    name: str
    """The entrant's: a slug."""
    folder: Path
    """Absolute."""
    manifest: Manifest
    bundle_sha256: bytes

    def at_seat(self, seat: int) -> SeatRecord:
        return SeatRecord(
            seat=seat,
            bot=self.name,
            version=self.manifest.version,
            bundle_sha256=self.bundle_sha256,
            author=self.manifest.author,
            language=self.manifest.language,
        )


def load_bot(folder: Path, name: str | None = None) -> Bot:
    """Read a bot's folder. Without a name it plays under its own.

    Raises ``InputError``.
    """
    manifest = load_manifest(folder)
    return Bot(
        name=name or manifest.name,
        folder=folder.resolve(),
        manifest=manifest,
        bundle_sha256=bytes.fromhex(bundle_digest(folder)),
    )


def sample_bots() -> tuple[Path, ...]:
    """The folders of the Python sample bots, where the referee runs from its repository."""
    root = Path(referee.__file__).parents[1] / "sample_bots" / "python"
    return tuple(sorted(manifest.parent for manifest in root.glob(f"*/{MANIFEST_NAME}")))


def load_bots(folders: Sequence[Path], taken: Iterable[str] = ()) -> tuple[Bot, ...]:
    """Bots for the seats of one match: ``random``, then ``random-2`` for the same name again.

    ``taken`` are names of others at the table.
    """
    bots: list[Bot] = []
    taken = set(taken)
    for folder in folders:
        bot = load_bot(folder)
        name, count = bot.name, 1
        while name in taken:
            count += 1
            name = f"{bot.name}-{count}"
        taken.add(name)
        bots.append(Bot(name, bot.folder, bot.manifest, bot.bundle_sha256))
    return tuple(bots)
