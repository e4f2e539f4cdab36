"""The terms on which a league's matches are played: rules, series, clocks and conduct."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Self

from referee.core.dice import SEED_BYTES
from referee.league.format import LeagueFormat
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.record import MatchRecord
from referee.match.recorded import Difference
from referee.match.transcript import header_lines


@dataclass(frozen=True, slots=True)
class Terms:
    """What every record of a league has to say."""

    header: tuple[str, ...]
    """How its transcript begins, up to the seed."""
    time_control: TimeControl
    conduct: Conduct

    @classmethod
    def of(cls, league: LeagueFormat) -> Self:
        *header, _seed = header_lines(league.game, league.series.resolve(), bytes(SEED_BYTES))
        return cls(tuple(header), league.time.resolve(), league.conduct.resolve())

    def difference(self, record: MatchRecord) -> Difference | None:
        """The first of them on which a match was not played."""
        for where, expected, found in self._pairs(record):
            if expected != found:
                return Difference(where, str(expected), str(found))
        return None

    def _pairs(self, record: MatchRecord) -> Iterator[tuple[str, object, object]]:
        lines = record.transcript.split("\n", len(self.header))
        for number, line in enumerate(self.header, 1):
            found = lines[number - 1] if number <= len(lines) else ""
            yield f"transcript line {number}", repr(line), repr(found[:200])
        for field in fields(TimeControl):
            of_league, of_match = (
                getattr(limits, field.name) for limits in (self.time_control, record.time_control)
            )
            yield f"time_control.{field.name}", of_league, of_match
        for kind, measure in self.conduct.measures.items():
            yield f"conduct of {kind}", measure, record.conduct.measures.get(kind)
        for field in fields(Conduct):
            if field.name != "measures":
                of_league, of_match = (
                    getattr(policy, field.name) for policy in (self.conduct, record.conduct)
                )
                yield f"conduct.{field.name}", of_league, of_match
