"""Where commands take matches from: files, and the database."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar

from referee.cli.database import opened
from referee.cli.output import remark
from referee.core.errors import InputError, NotFoundError, StoreError
from referee.core.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.app.replay import Held
    from referee.store.entries import AttemptEntry, InfractionEntry
    from referee.store.repository import Repository

HELD_BACK: Final = "another rotation of its deal is still to be played, so it is not shown (§10.4)"

E = TypeVar("E", "InfractionEntry", "AttemptEntry")


class Source:
    """Matches by their names. The database is opened when one is first wanted from it."""

    def __init__(
        self,
        db: str | None,
        *,
        files: bool = True,
        create: bool = False,
        held_back: bool = False,
    ) -> None:
        """``held_back``: nothing is secret to whoever asks."""
        self._db = db
        self._files = files
        self._create = create
        self._held_back = held_back
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @cached_property
    def repository(self) -> Repository:
        return self._stack.enter_context(opened(self._db, create=self._create))

    def names(self, given: Sequence[str] | None, league: str | None) -> Sequence[str]:
        """The matches that a command is to work on: those given, or all of a league that count.

        Raises InputError unless it is one or the other.
        """
        if league is None:
            if not given:
                raise InputError("no match is named: say which, or --league LEAGUE")
            return given
        if given:
            raise InputError("matches and --league: allowed is one of them")
        from referee.app.replay import counted_keys

        return counted_keys(self.repository, league)

    def load(self, name: str) -> Held:
        """A match from the file of this name, else from the database."""
        from referee.app.replay import load_file, load_match

        # Unlike Path.exists, this is false for whatever can be no path.
        if self._files and os.path.exists(name):  # noqa: PTH110
            return load_file(Path(name))
        try:
            repository = self.repository
        except StoreError as error:
            if not self._files:
                raise
            raise StoreError(f"{sanitise(name)}: no file of this name, and {error}") from error
        try:
            key = repository.find_match(name)
        except NotFoundError as error:
            if not self._files:
                raise
            raise NotFoundError(f"{error}, and no file of this name") from None
        held = load_match(repository, key)
        return replace(held, secret=False) if self._held_back else held


def shown_details(repository: Repository, entries: Sequence[E], *, held_back: bool) -> Sequence[E]:
    """Infractions or attempts as they may be shown, with a remark where something is missing."""
    from referee.app.secrecy import is_secret, secrets_of, without_details

    if held_back:
        return entries
    of_one = len({entry.match_key for entry in entries}) == 1
    secret = partial(is_secret, repository) if of_one else secrets_of(repository)
    shown = without_details(entries, secret)
    if missing := sum(one != other for one, other in zip(shown, entries, strict=True)):
        remark(f"{missing} details held back: {HELD_BACK}")
    return shown


def refuse_secret(held: Held) -> None:
    """Raises InputError where nobody may look at a match yet."""
    if held.secret:
        raise InputError(f"{held.name}: {HELD_BACK}")
