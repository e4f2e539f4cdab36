"""A bot's folder as one canonical tar stream, and the digest that names it.

The stream holds the folder's regular files and nothing else, so that the same files give the
same bytes on any machine:

- one member a file, under its path relative to the folder with ``/`` between names, in the
  order of the paths as UTF-8; folders have no members of their own, so empty ones do not count;
- POSIX (pax) headers: a plain ustar header, preceded by an extended header where a path is
  not ASCII or does not fit; owner and group 0 without names, time 0, mode 755 where the
  owner may execute the file, 644 otherwise;
- the content, padded with zeros to 512 bytes; at the end two blocks of zeros and no more.

What tools leave behind or install is left out by name, at any depth: see ``LEFT_OUT``.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.core.errors import InputError
from referee.core.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator

LEFT_OUT: Final = frozenset(
    {".git", ".venv", "node_modules", "__pycache__"}
    | {".mypy_cache", ".pytest_cache", ".ruff_cache", ".DS_Store"}
)
LEFT_OUT_SUFFIX: Final = ".pyc"

ENTRY_LIMIT: Final = 10_000
"""The most files and folders together."""

SIZE_LIMIT: Final = 256 * 1024 * 1024
"""The most bytes of content together."""

_BLOCK: Final = 512
_CHUNK: Final = 1024 * 1024


def bundle_digest(folder: Path) -> str:
    """Give the SHA-256 of the folder's canonical tar stream, in lower-case hex.

    Raises InputError as ``canonical_tar`` does.
    """
    digest = hashlib.sha256()
    for chunk in canonical_tar(folder):
        digest.update(chunk)
    return digest.hexdigest()


def canonical_tar(folder: Path) -> Iterator[bytes]:
    """Yield the folder as the tar stream of this module's docstring, in chunks up to 1 MiB.

    Raises InputError, naming the entry, for a symbolic link, a pipe, a socket or a device, a
    name that is not UTF-8, a file that cannot be read or changes meanwhile, and for more
    than ``ENTRY_LIMIT`` entries or ``SIZE_LIMIT`` bytes.
    """
    total = 0
    for member in _members(folder):
        try:
            descriptor = os.open(member.path, _OPEN_FLAGS)
        except OSError as error:
            raise _refusal(member.path, f"cannot be read: {error.strerror}") from error
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _refusal(member.path, "changed while it was read")
            total += status.st_size
            if total > SIZE_LIMIT:
                raise _refusal(folder, f"more than {SIZE_LIMIT} bytes, which is the most allowed")
            yield _header(member.name, status)
            left = status.st_size
            while left:
                chunk = file.read(min(left, _CHUNK))
                if not chunk:
                    raise _refusal(member.path, "changed while it was read")
                left -= len(chunk)
                yield chunk
            yield bytes(-status.st_size % _BLOCK)
    yield bytes(2 * _BLOCK)


_OPEN_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
"""So that what became a link or a pipe since it was listed neither leads away nor blocks."""


@dataclass(frozen=True)
class _Member:
    name: bytes
    """Relative path, ``/`` between names, UTF-8."""

    path: Path


def _members(folder: Path) -> list[_Member]:
    members: list[_Member] = []
    entries = 0
    folders = [(b"", folder)]
    while folders:
        prefix, current = folders.pop()
        for name in _listing(current):
            if name in LEFT_OUT or name.endswith(LEFT_OUT_SUFFIX):
                continue
            path = current / name
            entries += 1
            if entries > ENTRY_LIMIT:
                raise _refusal(folder, f"more than {ENTRY_LIMIT} files, which is the most allowed")
            try:
                relative = prefix + name.encode("utf-8")
            except UnicodeEncodeError as error:
                raise _refusal(path, "its name is not UTF-8") from error
            try:
                mode = path.lstat().st_mode
            except OSError as error:
                raise _refusal(path, f"cannot be read: {error.strerror}") from error
            if stat.S_ISDIR(mode):
                folders.append((relative + b"/", path))
            elif stat.S_ISREG(mode):
                members.append(_Member(relative, path))
            else:
                raise _refusal(path, f"{_kind(mode)}; allowed: regular files and folders")
    return sorted(members, key=lambda member: member.name)


def _listing(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names, undecodable bytes included, not paths
    except OSError as error:
        raise _refusal(folder, f"cannot be read: {error.strerror}") from error


def _header(name: bytes, status: os.stat_result) -> bytes:
    info = tarfile.TarInfo(name.decode("utf-8"))
    info.size = status.st_size
    info.mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
    return info.tobuf(tarfile.PAX_FORMAT, encoding="utf-8", errors="strict")


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link, which could lead out of the folder"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _refusal(path: Path, reason: str) -> InputError:
    return InputError(f"{sanitise(str(path))}: {reason}")
