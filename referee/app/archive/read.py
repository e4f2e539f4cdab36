"""Reads an archive, file by file: what it holds has the digests that stand in it.

Whether it is true is for ``referee.app.archive.verify``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from referee.app.archive import form
from referee.app.signing import SIGNATURE_BYTES
from referee.core.errors import InputError, VerificationError
from referee.files.reading import refusing, shown
from referee.files.tar import Member, TarReader
from referee.match.recorded import same
from referee.rpc.codec import Envelope, decode_envelope
from referee.rpc.codec.checks import MOST_BYTES


class ArchiveReader:
    """An archive that is open: its head, and its matches one by one.

    Everything raises ``VerificationError`` at the first thing that is not as it has to be.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file: Final = file
        tar = TarReader(file)
        self.manifest_bytes: Final = tar.first(form.MANIFEST, form.MOST_BYTES).read()
        self.manifest: Final = form.decode_manifest(self.manifest_bytes)
        self.signature: Final = (
            None
            if self.manifest.public_key is None
            else tar.member(form.SIGNATURE, SIGNATURE_BYTES).read()
        )
        self.format: Final = self._small(tar, form.FORMAT)
        self.head: Final = form.decode(form.LeagueHead, self._small(tar, form.LEAGUE), form.LEAGUE)
        self.standings: Final = self._small(tar, form.STANDINGS)
        self._lines: Final = tar.member(form.MATCHES, self.manifest.files[form.MATCHES].size)
        self._check(self._lines, self.manifest.files[form.MATCHES])
        self._records_at: Final = tar.position
        self._records = tar

    def _small(self, tar: TarReader, name: str) -> bytes:
        content = self.manifest.files[name]
        if content.size > form.MOST_BYTES:
            raise VerificationError(
                f"{name}: {content.size} bytes are too much; it has at most {form.MOST_BYTES}"
            )
        member = tar.member(name, content.size)
        self._check(member, content)
        return member.read()

    def _check(self, member: Member, content: form.Content) -> None:
        _same_digest(member.name, content.sha256, member.sha256())

    def matches(self) -> Iterator[form.Match]:
        """In the order of the archive; may be begun again.

        ``envelope`` has to be called with each of them. When they end, so does the file.
        """
        self._records = TarReader(self._file, self._records_at)
        digest = hashlib.sha256()
        for number, text in enumerate(self._lines.lines(form.LONGEST_LINE), 1):
            data = text + b"\n"
            digest.update(data)
            yield form.decode(form.Match, data, f"{form.MATCHES}: line {number}")
        # The file may have been altered since it was opened.
        _same_digest(form.MATCHES, self.manifest.files[form.MATCHES].sha256, digest.digest())
        self._records.end()

    def envelope(self, match: form.Match) -> Envelope | None:
        """The record of the match that came last; ``None`` where it has none."""
        if match.record is None:
            return None
        name = form.record_file(match.match_key)
        if match.record.size > MOST_BYTES:
            raise VerificationError(
                f"{name}: {match.record.size} bytes are too much; it has at most {MOST_BYTES}"
            )
        content = self._records.member(name, match.record.size).read()
        _same_digest(name, match.record.sha256, hashlib.sha256(content).digest())
        try:
            return decode_envelope(content)
        except VerificationError as error:
            raise VerificationError(f"{name}: {error}") from error


def _same_digest(name: str, expected: bytes, found: bytes) -> None:
    same(f"SHA-256 of {name}", expected.hex(), found.hex())


@contextmanager
def opened(path: Path) -> Iterator[ArchiveReader]:
    """Raises InputError where there is no such file or it cannot be read."""
    with refusing(path, "read"):
        if not path.exists():
            raise InputError(f"{shown(path)}: there is no such file")
        if not path.is_file():
            raise InputError(f"{shown(path)}: not a regular file")
        with path.open("rb") as file:
            yield ArchiveReader(file)
