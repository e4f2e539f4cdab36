"""A tar stream in the one form that names and contents allow.

A member is a regular file with a plain ustar header: mode 644, owner and group 0 without names,
time 0; the content padded with zeros to 512 bytes; at the end two blocks of zeros and no more.
So the same members give the same bytes on any machine.

The reader is told which member has to come, and compares its header with the one that the writer
makes. Links, paths that lead elsewhere, members twice or beside the order, and second forms of
the same thing are other bytes, and refused as such.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from referee.core.errors import VerificationError
from referee.core.text import sanitise

BLOCK: Final = 512
LONGEST_NAME: Final = 100
"""Characters; ASCII."""

_END: Final = bytes(2 * BLOCK)
_CHUNK: Final = 1024 * 1024
_NAME: Final = slice(0, LONGEST_NAME)
_SIZE: Final = slice(124, 136)
_OCTAL: Final = re.compile(rb"[0-7]{11}\0")


def header(name: str, size: int) -> bytes:
    """Raises ``ValueError`` on a name or size that has no place in it."""
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.USTAR_FORMAT, encoding="ascii", errors="strict")


class TarWriter:
    """Writes members one after another. The file's position is its own."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, name: str, size: int, content: Iterable[bytes]) -> None:
        """Raises ``ValueError`` unless the content has this size."""
        self._file.write(header(name, size))
        left = size
        for chunk in content:
            left -= len(chunk)
            self._file.write(chunk)
        if left:
            raise ValueError(f"{name} has another size than {size}")
        self._file.write(bytes(-size % BLOCK))

    def end(self) -> None:
        self._file.write(_END)


class Member:
    """The content of a member, to be read when it is wanted; any number of times."""

    def __init__(self, file: BinaryIO, name: str, offset: int, size: int) -> None:
        self.name: Final = name
        self.size: Final = size
        self._file: Final = file
        self._offset: Final = offset

    def chunks(self) -> Iterator[bytes]:
        """Up to 1 MiB each. Others may read from the file meanwhile."""
        for start in range(0, self.size, _CHUNK):
            self._file.seek(self._offset + start)
            wanted = min(_CHUNK, self.size - start)
            chunk = self._file.read(wanted)
            if len(chunk) < wanted:
                raise VerificationError(f"{self.name}: cut short")
            yield chunk

    def read(self) -> bytes:
        """All of it: who asked for the member has seen to its size."""
        return b"".join(self.chunks())

    def sha256(self) -> bytes:
        digest = hashlib.sha256()
        for chunk in self.chunks():
            digest.update(chunk)
        return digest.digest()

    def lines(self, longest: int) -> Iterator[bytes]:
        """Each line without its end. Raises ``VerificationError`` on one of more bytes."""
        number, rest = 1, b""
        for chunk in self.chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._check_line(number, line, longest)
                yield line
                number += 1
            self._check_line(number, rest, longest)
        if rest:
            raise VerificationError(f"{self.name}: line {number} has no end")

    def _check_line(self, number: int, line: bytes, longest: int) -> None:
        if len(line) > longest:
            raise VerificationError(
                f"{self.name}: line {number} is longer than {longest} bytes, "
                "which is the most allowed"
            )


class TarReader:
    """Finds members one after another. Raises ``VerificationError`` where another one stands."""

    def __init__(self, file: BinaryIO, position: int = 0) -> None:
        self._file = file
        self.position = position
        """Of the next header."""

    def first(self, name: str, most: int) -> Member:
        """The next member, of at most so many bytes."""
        block = self._block()
        if not _OCTAL.fullmatch(block[_SIZE]):
            raise VerificationError(f"expected the file {name}, found {_told(block, name)}")
        size = int(block[_SIZE][:-1], 8)
        member = self._member(name, size, block)
        if size > most:
            raise VerificationError(f"{name}: {size} bytes are too much; it has at most {most}")
        return member

    def member(self, name: str, size: int) -> Member:
        """The next member, of just this size."""
        return self._member(name, size, self._block())

    def end(self) -> None:
        """Nothing comes any more."""
        self._file.seek(self.position)
        if self._file.read(len(_END) + 1) != _END:
            raise VerificationError("something stands where the file should end")

    def _block(self) -> bytes:
        self._file.seek(self.position)
        return self._file.read(BLOCK)

    def _member(self, name: str, size: int, block: bytes) -> Member:
        if block != header(name, size):
            raise VerificationError(
                f"expected the file {name} of {size} bytes, found {_told(block, name)}"
            )
        content = self.position + BLOCK
        padding = -size % BLOCK
        self._file.seek(content + size)
        if self._file.read(padding) != bytes(padding):
            raise VerificationError(f"{name}: cut short, or not padded with zeros")
        self.position = content + size + padding
        return Member(self._file, name, content, size)


def _told(block: bytes, name: str) -> str:
    """What stands in the place of a header."""
    if len(block) < BLOCK:
        return "the end of the file"
    if not any(block):
        return "the end of the archive"
    found = block[_NAME].rstrip(b"\0").decode("ascii", "backslashreplace")
    if not _OCTAL.fullmatch(block[_SIZE]):
        return "no header of a file"
    if found == name:
        return f"one of {int(block[_SIZE][:-1], 8)} bytes, or another form of it"
    return sanitise(found)
