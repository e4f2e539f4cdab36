from __future__ import annotations

import hashlib
import io
import os
import socket
import tarfile
from pathlib import Path

import pytest

from referee.bots import bundle
from referee.bots.bundle import bundle_digest, canonical_tar
from referee.core.errors import InputError

LONG = "long-" + "x" * 120 + ".txt"

CONTENTS = {
    "bot.toml": b"name = 'a'\n",
    "data/empty": b"",
    "data/block": b"b" * 512,
    "data-2/z\u00fcge.txt": b"\x00\xff" * 400,
    LONG: b"far",
    "run.sh": b"#!/bin/sh\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    for name, content in CONTENTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)
    (folder / "run.sh").chmod(0o700)
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        bundle_digest(folder)
    text = str(caught.value)
    assert text.isprintable()
    return text.replace(str(folder), "BOT")


def test_the_digest_is_the_same_on_every_machine_and_python(folder: Path) -> None:
    assert bundle_digest(folder) == (
        "9a3b6b6255b1cc6895c57daaa7d716595889e6b6045aa699110b4bbfc84ef196"
    )


def test_the_stream_is_a_tar_of_the_files_in_order(folder: Path) -> None:
    stream = b"".join(canonical_tar(folder))
    assert hashlib.sha256(stream).hexdigest() == bundle_digest(folder)
    with tarfile.open(fileobj=io.BytesIO(stream)) as archive:
        members = archive.getmembers()
        assert [member.name for member in members] == sorted(CONTENTS, key=str.encode)
        for member in members:
            file = archive.extractfile(member)
            assert file is not None
            assert file.read() == CONTENTS[member.name]
            assert member.mode == (0o755 if member.name == "run.sh" else 0o644)
            assert (member.mtime, member.uid, member.gid) == (0, 0, 0)
            assert (member.uname, member.gname) == ("", "")


def test_times_owners_other_permissions_and_leftovers_do_not_count(folder: Path) -> None:
    before = bundle_digest(folder)
    os.utime(folder / "bot.toml", (1, 1))
    (folder / "bot.toml").chmod(0o666)
    (folder / "empty-folder").mkdir()
    for name in ("__pycache__", ".git", "data/node_modules", ".venv"):
        (folder / name).mkdir()
        (folder / name / "link").symlink_to("/")
    (folder / "old.pyc").write_bytes(b"x")
    assert bundle_digest(folder) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "data/empty").write_bytes(b"x"),
        lambda folder: (folder / "data/empty").rename(folder / "data/other"),
        lambda folder: (folder / "bot.toml").chmod(0o700),
        lambda folder: (folder / "new").touch(),
        lambda folder: (folder / LONG).unlink(),
    ],
    ids=["content", "name", "executable", "added", "removed"],
)
def test_what_matters_changes_the_digest(folder: Path, change: object) -> None:
    before = bundle_digest(folder)
    assert callable(change)
    change(folder)
    assert bundle_digest(folder) != before


def test_links_pipes_and_sockets_are_refused(folder: Path) -> None:
    strange = folder / "data" / "strange"
    strange.symlink_to("empty")
    assert refusal(folder).startswith("BOT/data/strange: a symbolic link")
    strange.unlink()
    os.mkfifo(strange)
    assert refusal(folder) == ("BOT/data/strange: a named pipe; allowed: regular files and folders")
    strange.unlink()
    with socket.socket(socket.AF_UNIX) as unix, pytest.MonkeyPatch.context() as patch:
        patch.chdir(strange.parent)  # the path of a socket must be short
        unix.bind("strange")
        assert refusal(folder).startswith("BOT/data/strange: a socket")


@pytest.mark.linux
def test_a_name_that_is_not_utf8_is_refused(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/a\xff")).touch()
    assert refusal(folder) == r"BOT/a\udcff: its name is not UTF-8"


def test_too_many_files_and_too_many_bytes_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Eight entries: six files in the folder itself and below, and two folders.
    monkeypatch.setattr(bundle, "ENTRY_LIMIT", 8)
    monkeypatch.setattr(bundle, "SIZE_LIMIT", sum(map(len, CONTENTS.values())))
    bundle_digest(folder)
    with (folder / "bot.toml").open("ab") as file:
        file.write(b"#")
    assert "bytes, which is the most allowed" in refusal(folder)
    (folder / "more").mkdir()
    assert refusal(folder) == "BOT: more than 8 files, which is the most allowed"


def test_a_file_that_changes_meanwhile_is_refused(folder: Path) -> None:
    big = folder / "a-first"
    big.write_bytes(bytes(3 * 1024 * 1024))
    stream = canonical_tar(folder)
    next(stream)
    next(stream)
    os.truncate(big, 10)
    with pytest.raises(InputError, match="a-first: changed while it was read"):
        list(stream)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "BOT: cannot be read: No such file or directory"
