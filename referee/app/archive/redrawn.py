"""The redraws of an archive, checked against their league and the attempts at its matches."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Final

from referee.app.archive import form
from referee.core.text import sanitise
from referee.league.format import LeagueFormat
from referee.league.redraws import Redraw, Redraws
from referee.league.schedule import places
from referee.match.recorded import DiffersError, same
from referee.store.entries import AttemptStatus

_WHERE: Final = f"redraws of {form.LEAGUE}"


class Redrawn:
    """The deals of a league that are replaced. Everything raises ``DiffersError``.

    Further deals have to be numbered on from the planned ones, each has to replace one deal, and
    because of a void attempt at it that is in the archive.
    """

    def __init__(self, head: form.LeagueHead, league: LeagueFormat) -> None:
        redraws = [Redraw(**redraw.model_dump()) for redraw in head.redraws]
        if redraws and not league.redraw:
            raise DiffersError(_WHERE, "none, by the league's file", f"{len(redraws)}")
        same(f"order of the {_WHERE}", sorted(redraws), redraws)
        for table, of_table in groupby(redraws, attrgetter("table")):
            numbers = [redraw.replaced_by for redraw in of_table]
            first = league.deals + 1
            further = list(range(first, first + len(numbers)))
            same(f"further deals of {sanitise(table)}", further, numbers)
        self.all: Final = Redraws(redraws)
        self._causes: Final[dict[str, int]] = {}
        """Numbers of void attempts by match key, which are still to come."""
        place_of, replaced = places(league, self.all), set()
        for redraw in redraws:
            deal = f"deal {redraw.deal} of {sanitise(redraw.table)}"
            key = f"{league.name}/{redraw.table}/{redraw.deal}/{redraw.rotation}"
            if redraw.deal >= redraw.replaced_by or place_of(key) is None:
                raise DiffersError(_WHERE, "a deal that there was, and a rotation of it", deal)
            if (redraw.table, redraw.deal) in replaced:
                raise DiffersError(_WHERE, "each deal once", f"{deal} twice")
            replaced.add((redraw.table, redraw.deal))
            self._causes[key] = redraw.attempt

    def check_cause(self, line: form.Match) -> None:
        """A match, with all attempts at it."""
        number = self._causes.pop(line.match_key, None)
        if number is None:
            return
        found = next((one.status for one in line.attempts if one.number == number), "none")
        same(f"attempt {number}, the cause of a redraw", AttemptStatus.VOID, found)

    def check_all_caused(self) -> None:
        """After the last match."""
        for key in self._causes:
            raise DiffersError(form.MATCHES, f"{key}, with the cause of a redraw", "none")
