"""Text that others wrote, made safe to show."""

from __future__ import annotations

import unicodedata


def sanitise(text: str, *, keep_tabs: bool = False) -> str:
    r"""Give ``text`` as one line that cannot steer a terminal.

    Control, escape, bidi and other format characters, line breaks, lone surrogates and
    code points without a meaning are shown as Python escapes (``\x1b``, ``\u202e``).
    With ``keep_tabs`` a tab stays a tab. Doing it twice changes nothing more.
    """
    if text.isprintable():
        return text
    return "".join(
        char if _is_safe(char) or (keep_tabs and char == "\t") else _escaped(char) for char in text
    )


def _is_safe(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
