from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bots.output import LINE_LIMIT, NOTES_CUT, OUTPUT_CUT, BotLog


def written(log: BotLog) -> list[str]:
    log.close()
    return log.path.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def log(tmp_path: Path) -> BotLog:
    return BotLog(tmp_path / "bot.log")


def test_lines_carry_where_the_match_stood_when_they_began(log: BotLog) -> None:
    log.note("started")
    log.feed(b"hello\n")
    log.mark("demo/a+b/1/0", 2, 14)
    log.feed(b"one\ntw")
    log.mark("demo/a+b/1/0", 2, 15)
    log.feed(b"o\nthree")
    log.mark(None)
    log.note("exited with status 0")
    assert written(log) == [
        "- # started",
        "- | hello",
        "demo/a+b/1/0 game 2 turn 14 | one",
        "demo/a+b/1/0 game 2 turn 14 | two",
        "demo/a+b/1/0 game 2 turn 15 | three",
        "- # exited with status 0",
    ]


def test_the_file_is_safe_to_print(log: BotLog) -> None:
    log.feed(b"a\tb\r\n\x1b[2J\xff\xc3\xbc\r.\n\xe2\x80\xae\n\n")
    log.note("evil\nname")
    assert written(log) == ["- | a\tb", "- | \\x1b[2J\\xff\u00fc\\r.", r"- | \u202e", "- | "] + [
        r"- # evil\nname"
    ]


def test_a_character_may_arrive_in_two_parts(log: BotLog) -> None:
    log.feed(b"\xc3")
    log.feed(b"\xbc\n")
    assert written(log) == ["- | \u00fc"]


def test_a_long_line_is_cut_and_what_is_missing_counted(log: BotLog) -> None:
    for _ in range(100):
        log.feed(b"x" * 1000)
    log.feed(b"\nnext\n")
    rest = 100_000 - LINE_LIMIT
    assert written(log) == [
        f"- | {'x' * LINE_LIMIT} [+{rest} bytes]",
        "- | next",
        f"- # {rest} bytes of output dropped",
    ]
    assert log.dropped == rest


def test_beyond_the_cap_only_notes_are_written(tmp_path: Path) -> None:
    log = BotLog(tmp_path / "bot.log", cap=25)
    log.feed(b"0123456789\n")
    log.feed(b"0123456789\nabc")
    log.feed(b"more\n")
    log.note("exited with status 1")
    assert written(log) == [
        "- | 0123456789",
        f"- # {OUTPUT_CUT}",
        "- # exited with status 1",
        "- # 19 bytes of output dropped",
    ]


def test_notes_have_a_cap_too(tmp_path: Path) -> None:
    log = BotLog(tmp_path / "bot.log", cap=30)
    for number in range(10):
        log.note(f"ruling {number}")
    log.feed(b"heard\n")
    assert written(log) == ["- # ruling 0", "- # ruling 1", f"- # {NOTES_CUT}", "- | heard"]


def test_a_full_disk_hurts_nobody(log: BotLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log.feed(b"kept\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        log.feed(b"lost\n")
    log.feed(b"also lost\n")
    log.note("not written")
    assert log.lost == "No space left on device"
    assert log.dropped >= len("also lost\n")
    assert written(log) == ["- | kept"]


def test_a_log_that_cannot_be_opened_hurts_nobody(tmp_path: Path) -> None:
    log = BotLog(tmp_path / "none" / "bot.log")
    log.feed(b"text\n")
    log.note("note")
    log.close()
    assert log.lost == "No such file or directory"
    assert log.dropped == 5


def test_what_comes_after_the_end_is_dropped(log: BotLog) -> None:
    log.close()
    log.feed(b"late\n")
    log.note("late")
    log.close()
    assert written(log) == []
    assert log.dropped == 5


@pytest.mark.linux
def test_only_the_owner_may_read_it(log: BotLog) -> None:
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


@given(st.lists(st.binary(max_size=40)), st.integers(0, 200))
def test_however_output_is_cut_up_the_file_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], cap: int
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    whole, chunked = BotLog(folder / "whole", cap), BotLog(folder / "chunked", cap)
    whole.feed(b"".join(parts))
    for part in parts:
        chunked.feed(part)
    assert written(whole) == written(chunked)
    assert whole.dropped == chunked.dropped
    assert all(line.replace("\t", "").isprintable() for line in written(whole))
