"""The one function that says how a match ended, for the table and for the verifier."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from referee.match.conduct import Conduct
from referee.match.record import InfractionRecord, Result
from referee.match.series import Played, points_of


def derive(
    seats: int,
    played: Sequence[Played],
    forfeits: Collection[int],
    infractions: Iterable[InfractionRecord],
    conduct: Conduct,
) -> Result:
    """Points, penalties, totals and places by rulebook §7.4.

    ``played`` holds the games that were finished, in order.
    """
    points = points_of(seats, played)
    penalties = [0] * seats
    for infraction in infractions:
        penalties[infraction.seat] += infraction.penalty
    totals = (
        points
        if conduct.list_only
        else tuple(sum(pair) for pair in zip(points, penalties, strict=True))
    )
    tie_break_winner = _tie_break_winner(played)
    ranks = [
        (True, 0, False)
        if seat in forfeits
        else (False, totals[seat], tie_break_winner is not None and seat != tie_break_winner)
        for seat in range(seats)
    ]
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    return Result(
        points=points,
        penalties=tuple(penalties),
        totals=totals,
        places=places,
        forfeits=tuple(seat in forfeits for seat in range(seats)),
        winners=tuple(seat for seat in range(seats) if places[seat] == 1 and seat not in forfeits),
    )


def _tie_break_winner(played: Sequence[Played]) -> int | None:
    if not played or not played[-1].pairing.tie_break:
        return None
    last = played[-1]
    return min(last.pairing.seats, key=lambda seat: last.points[seat])
