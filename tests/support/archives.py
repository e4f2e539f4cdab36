"""Archives taken apart and put together otherwise, with their digests made right again or not."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.app.archive import LeagueArchive
from referee.app.archive.form import FORMAT, MANIFEST, MATCHES, NAMED, record_file
from referee.app.ed25519 import SigningKey
from referee.files.tar import TarWriter
from referee.match.record import MatchRecord
from referee.rpc.codec import decode_envelope, decode_record, encode_envelope, encode_record
from tests.unit.cli.conftest import repository_of


def write_archive(
    database: Path, out: Path, key: SigningKey | None = None, *, partial: bool = False
) -> Path:
    """The archive of the league ``demo``."""
    with repository_of(database) as repository:
        LeagueArchive(repository, "demo", partial=partial).write(out, key, uncounted)
    return out


@contextmanager
def uncounted(total: int) -> Iterator[Callable[[], None]]:
    """Tells nobody."""
    yield lambda: None


class Parts(dict[str, bytes]):
    """The files of an archive by name, in their order."""

    @classmethod
    def of(cls, path: Path) -> Parts:
        with tarfile.open(path) as tar:
            return cls((one.name, tar.extractfile(one).read()) for one in tar)  # type: ignore[union-attr]

    def change(self, name: str, change: Callable[[Any], object]) -> None:
        """Change the value of a JSON file in place."""
        value = json.loads(self[name])
        change(value)
        # The league's format is kept as the database has it, without a line's end.
        self[name] = line(value).rstrip() if name == FORMAT else line(value)

    def change_match(self, number: int, change: Callable[[Any], object]) -> None:
        """Change a line of the matches, counted from 0."""
        lines = [json.loads(text) for text in self[MATCHES].splitlines()]
        change(lines[number])
        self.set_matches(lines)

    def set_matches(self, lines: Iterable[Any]) -> None:
        self[MATCHES] = b"".join(map(line, lines))

    def change_record(self, match_key: str, change: Callable[[MatchRecord], MatchRecord]) -> None:
        envelope = decode_envelope(self[record_file(match_key)])
        record = change(decode_record(envelope.record))
        self[record_file(match_key)] = encode_envelope(encode_record(record))

    def forged(self) -> bytes:
        """An archive in which all digests are right."""
        lines = [json.loads(text) for text in self[MATCHES].splitlines()]
        for match in lines:
            if match["record"] is not None:
                match["record"] = content(self[record_file(match["match_key"])])
        self.set_matches(lines)
        self.change(
            MANIFEST,
            lambda value: value.update(files={name: content(self[name]) for name in NAMED}),
        )
        return self.packed()

    def packed(self) -> bytes:
        """An archive of these files as they are."""
        file = io.BytesIO()
        tar = TarWriter(file)
        for name, data in self.items():
            tar.add(name, len(data), [data])
        tar.end()
        return file.getvalue()


def content(data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def line(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"
