"""What a terminal sends for keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.keys import Key, decode


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b"", []),
        (b"nB?", ["n", "B", "?"]),
        (b" \r\n\x7f\x08", [" ", Key.ENTER, Key.ENTER, Key.BACKSPACE, Key.BACKSPACE]),
        (b"\x1b", [Key.ESCAPE]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", [Key.UP, Key.DOWN, Key.RIGHT, Key.LEFT]),
        (b"\x1bOC", [Key.RIGHT]),
        (b"\x1b[5~\x1b[6~\x1b[1~\x1b[F", [Key.PAGE_UP, Key.PAGE_DOWN, Key.HOME, Key.END]),
        (b"\x1b[1;5Cn", ["n"]),
        (b"\x1b[200~n", ["n"]),
        (b"\x1b[", []),
        (b"\x1bq", [Key.ESCAPE, "q"]),
        ("\u00e9\x00\x01".encode(), ["\u00e9"]),
        (b"\xff\xfe", []),
        (b"\x04", [Key.ESCAPE]),
    ],
)
def test_keys_are_told_apart(sent: bytes, keys: list[str]) -> None:
    assert decode(sent) == keys


@given(st.binary(max_size=64))
def test_whatever_comes_gives_keys_or_nothing(sent: bytes) -> None:
    assert all(len(key) == 1 or key in set(Key) for key in decode(sent))
