"""A tar stream in one form: what is written is read, and nothing else is."""

import io
import tarfile
import tracemalloc
from collections.abc import Callable

import pytest

from referee.core.errors import VerificationError
from referee.files.tar import BLOCK, TarReader, TarWriter, header


def packed(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    writer = TarWriter(file)
    for name, content in members:
        writer.add(name, len(content), [content])
    writer.end()
    return file.getvalue()


MEMBERS = (("a.json", b"{}\n"), ("b/empty", b""), ("b/full", bytes(range(256)) * 2))
PACKED = packed(*MEMBERS)


def read(data: bytes) -> list[bytes]:
    reader = TarReader(io.BytesIO(data))
    found = [reader.first("a.json", 100).read()]
    found += [reader.member(name, len(content)).read() for name, content in MEMBERS[1:]]
    reader.end()
    return found


def test_what_is_written_is_read() -> None:
    assert read(PACKED) == [content for _, content in MEMBERS]


def test_other_tools_read_it() -> None:
    with tarfile.open(fileobj=io.BytesIO(PACKED)) as tar:
        assert [(one.name, one.size, one.mode, one.mtime, one.isreg()) for one in tar] == [
            (name, len(content), 0o644, 0, True) for name, content in MEMBERS
        ]


@pytest.mark.parametrize("at", range(0, len(PACKED), 37))
def test_every_byte_beside_the_content_is_checked(at: int) -> None:
    contents = {start + offset for start, length in _contents() for offset in range(length)}
    altered = bytearray(PACKED)
    altered[at] ^= 1
    if at in contents:
        assert read(bytes(altered)) != [content for _, content in MEMBERS]
    else:
        with pytest.raises(VerificationError):
            read(bytes(altered))


def _contents() -> list[tuple[int, int]]:
    at, found = 0, []
    for _, content in MEMBERS:
        found.append((at + BLOCK, len(content)))
        at += BLOCK + len(content) + -len(content) % BLOCK
    return found


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, len(PACKED) - 1])
def test_one_that_is_cut_is_refused(size: int) -> None:
    with pytest.raises(VerificationError):
        read(PACKED[:size])


def test_nothing_comes_after_its_end() -> None:
    for more in (b"\0", bytes(BLOCK), b"x"):
        with pytest.raises(VerificationError, match="where the file should end"):
            read(PACKED + more)


def otherwise(change: Callable[[tarfile.TarInfo], object]) -> bytes:
    """The archive with another header for its second member, made by another tool."""
    info = tarfile.TarInfo("b/empty")
    change(info)
    block = info.tobuf(tarfile.USTAR_FORMAT)
    start = PACKED.index(header("b/empty", 0))
    return PACKED[:start] + block + PACKED[start + BLOCK :]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda info: setattr(info, "type", tarfile.SYMTYPE), "another form of it"),
        (lambda info: setattr(info, "type", tarfile.LNKTYPE), "another form of it"),
        (lambda info: setattr(info, "type", tarfile.FIFOTYPE), "another form of it"),
        (lambda info: setattr(info, "type", tarfile.CHRTYPE), "another form of it"),
        (lambda info: setattr(info, "type", tarfile.DIRTYPE), "found b/empty"),
        (lambda info: setattr(info, "mode", 0o777), "another form of it"),
        (lambda info: setattr(info, "mtime", 1), "another form of it"),
        (lambda info: setattr(info, "uname", "root"), "another form of it"),
        (lambda info: setattr(info, "size", 1), "found one of 1 bytes"),
        (lambda info: setattr(info, "size", 8**11 - 1), "found one of 8589934591 bytes"),
        (lambda info: setattr(info, "name", "../b"), r"found \.\./b"),
        (lambda info: setattr(info, "name", "/etc/passwd"), "found /etc/passwd"),
        (lambda info: setattr(info, "name", "a.json"), r"found a\.json"),
        (lambda info: setattr(info, "name", "\x1b[2J"), r"found \\x1b"),
    ],
)
def test_another_member_is_refused_by_what_it_is(
    change: Callable[[tarfile.TarInfo], object], told: str
) -> None:
    with pytest.raises(VerificationError, match=told) as caught:
        read(otherwise(change))
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_other_kinds_of_tar_are_refused(kind: int) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as tar:
        for name, content in MEMBERS:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    with pytest.raises(VerificationError):
        read(file.getvalue())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the end of the file"),
        (bytes(2 * BLOCK), "the end of the archive"),
        (b"x" * BLOCK, "no header of a file"),
    ],
)
def test_where_no_first_member_is_no_size_is_told(data: bytes, told: str) -> None:
    with pytest.raises(VerificationError, match=f"^expected the file a.json, found {told}$"):
        TarReader(io.BytesIO(data)).first("a.json", 100)


def test_the_first_member_has_a_limit() -> None:
    reader = TarReader(io.BytesIO(packed(("a.json", bytes(101)))))
    with pytest.raises(VerificationError, match="101 bytes are too much; it has at most 100"):
        reader.first("a.json", 100)


def test_sizes_beyond_the_file_take_no_memory() -> None:
    file = io.BytesIO(header("a.json", 8**11 - 1))
    tracemalloc.start()
    with pytest.raises(VerificationError, match="cut short"):
        TarReader(file).first("a.json", 8**11)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def lines_of(content: bytes, longest: int = 10) -> list[bytes]:
    reader = TarReader(io.BytesIO(packed(("lines", content))))
    return list(reader.member("lines", len(content)).lines(longest))


def test_lines() -> None:
    assert lines_of(b"") == []
    assert lines_of(b"\n") == [b""]
    assert lines_of(b"one\ntwo\r\n0123456789\n") == [b"one", b"two\r", b"0123456789"]
    many = b"0123456\n" * 300_000
    assert lines_of(many) == many.split(b"\n")[:-1]


def test_lines_that_are_none() -> None:
    with pytest.raises(VerificationError, match="lines: line 2 has no end"):
        lines_of(b"one\ntwo")
    with pytest.raises(VerificationError, match="line 2 is longer than 10 bytes"):
        lines_of(b"one\n" + b"0" * 11 + b"\n")


def test_a_long_line_takes_little_memory() -> None:
    data = packed(("lines", b"0" * 30_000_000))
    tracemalloc.start()
    reader = TarReader(io.BytesIO(data))
    with pytest.raises(VerificationError, match="longer than"):
        list(reader.member("lines", 30_000_000).lines(10))
    assert tracemalloc.get_traced_memory()[1] < 35_000_000 + 5_000_000
    tracemalloc.stop()


def test_a_writer_holds_to_the_size_it_was_told() -> None:
    for content in (b"", b"ab", b"abcd"):
        with pytest.raises(ValueError, match="another size than 3"):
            TarWriter(io.BytesIO()).add("a", 3, [content])
