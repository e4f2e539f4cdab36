"""Deals that are replaced, each by a further deal of its table, as bots had seen its cards.

Further deals are numbered on from those that are planned. Nothing of a replaced deal counts, in
no rotation; what was played of it stays recorded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Redraw(NamedTuple):
    """One deal that is replaced. They sort in the order in which a table's were made."""

    table: str
    """The sorted names joined by ``+``."""
    replaced_by: int
    """Above every number of a deal that its table had before."""
    deal: int
    rotation: int
    """Of the match with the void attempt that is the cause, as the next."""
    attempt: int


class Redraws:
    """All redraws of a league, as a value."""

    def __init__(self, redraws: Iterable[Redraw] = ()) -> None:
        self._all = tuple(redraws)
        self._after = {(one.table, one.deal): one.replaced_by for one in self._all}
        self._before = {(one.table, one.replaced_by): one.deal for one in self._all}

    def having(self, redraw: Redraw) -> Redraws:
        """These and one more."""
        return Redraws((*self._all, redraw))

    def replaced_by(self, table: str, deal: int) -> int | None:
        """The deal that replaces this one, where one does."""
        return self._after.get((table, deal))

    def is_further(self, table: str, deal: int) -> bool:
        """Whether this deal replaces another one."""
        return (table, deal) in self._before

    def current(self, table: str, deal: int) -> int:
        """The deal that stands for this one in the end: itself where it is not replaced."""
        while (after := self.replaced_by(table, deal)) is not None:
            deal = after
        return deal

    def planned(self, table: str, deal: int) -> int:
        """The planned deal that this one stands for."""
        while (before := self._before.get((table, deal))) is not None:
            deal = before
        return deal
