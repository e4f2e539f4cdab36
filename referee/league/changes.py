"""What differs between two states of a league file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.files.toml import shown_value
from referee.league.format import LeagueFormat


class Change(NamedTuple):
    """A key whose value is another than it was."""

    key: str
    """Dotted; an entrant goes by its name: ``entrants.greedy.path``."""
    old: str | None
    """As JSON; ``None`` where there was none."""
    new: str | None

    def __str__(self) -> str:
        old, new = ("nothing" if value is None else value for value in (self.old, self.new))
        return f"{shown_value(self.key)} was {old} and is {new}"


def changes(old: str, new: str) -> tuple[Change, ...]:
    """What differs between the canonical JSON of two named formats, sorted by key."""
    before, after = (dict(_leaves(json.loads(text))) for text in (old, new))
    return tuple(
        Change(key, before.get(key), after.get(key))
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
    )


def new_keys(text: str) -> tuple[str, ...]:
    """Keys of today's league file that an older referee's canonical JSON has no value for, sorted.

    A table of a table that is new as a whole is named alone.
    """
    today = LeagueFormat.from_canonical(text).canonical_json()
    lacking = {change.key for change in changes(text, today) if change.old is None}
    return tuple(sorted({".".join(key.split(".")[:2]) for key in lacking}))


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    prefix = f"{key}." if key else ""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, prefix + name)
    elif isinstance(value, list):
        for entrant in value:
            yield f"{prefix}{entrant['name']}.path", json.dumps(entrant["path"])
    else:
        yield key, json.dumps(value)
