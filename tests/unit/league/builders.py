"""Matches and leagues for the tests of this folder."""

from collections.abc import Mapping, Sequence

from referee.league.format import LeagueFormat
from referee.league.results import MatchResult, SeatResult
from referee.league.timing import AnswerTimes
from referee.match.conduct import Infraction
from referee.match.record import Result


def league(
    names: Sequence[str],
    *,
    table_size: int = 2,
    deals: int = 10,
    rotations: str = "all",
) -> LeagueFormat:
    return LeagueFormat.model_validate(
        {
            "name": "test",
            "table_size": table_size,
            "deals": deals,
            "rotations": rotations,
            "entrants": [{"name": name, "path": name} for name in names],
        }
    )


def match(
    bots: Sequence[str],
    points: Sequence[int],
    *,
    deal: int = 1,
    rotation: int = 0,
    games: int = 1,
    penalties: Sequence[int] | None = None,
    forfeits: Sequence[int] = (),
    infractions: Mapping[str, Mapping[Infraction, int]] | None = None,
    times_us: Mapping[str, Sequence[int]] | None = None,
) -> MatchResult:
    """A match in which places follow from points, penalties and who forfeited (§7.4)."""
    table = "+".join(sorted(bots))
    penalties = tuple(penalties or [0] * len(bots))
    totals = tuple(p + q for p, q in zip(points, penalties, strict=True))
    ranks = [
        (seat in forfeits, 0 if seat in forfeits else totals[seat]) for seat in range(len(bots))
    ]
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    winners = tuple(s for s, place in enumerate(places) if place == 1 and s not in forfeits)
    return MatchResult(
        match_key=f"test/{table}/{deal}/{rotation}",
        table=table,
        deal=deal,
        games=games,
        result=Result(
            points=tuple(points),
            penalties=penalties,
            totals=totals,
            places=places,
            forfeits=tuple(seat in forfeits for seat in range(len(bots))),
            winners=winners,
        ),
        seats=tuple(
            SeatResult(
                bot,
                (infractions or {}).get(bot, {}),
                AnswerTimes.of((times_us or {}).get(bot, ())),
            )
            for bot in bots
        ),
    )
