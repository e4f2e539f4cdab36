"""``referee league rejudge``: a league under another conduct."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.cli.database import opened
from referee.cli.options import AsJson, Database, LeagueName
from referee.cli.output import Column, plain, print_json, print_table, remark, say, warn
from referee.cli.text import decimal

if TYPE_CHECKING:
    from referee.app.rejudging import RejudgeReport
    from referee.league.rejudged import Changed, Rejudged, Unjudged
    from referee.league.standings import Row


def rejudge(
    league: LeagueName,
    conduct: Annotated[
        Path,
        typer.Option(
            "--conduct",
            metavar="FILE",
            help="A TOML file with the keys of a league file's conduct table, or with that table. "
            "What is left out has its default.",
        ),
    ],
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """Say what results and standings would be under another conduct. Nothing is changed.

    Matches that would have gone on otherwise are named, each with the infraction from which on,
    and are in neither of the standings that are compared.
    """
    from referee.app.rejudging import rejudge_league
    from referee.cli.progress import counting
    from referee.league.format import load_conduct

    other = load_conduct(conduct)
    with opened(db) as repository:
        report = rejudge_league(repository, league, other, counting)
    if report.shorter_grace:
        warn(
            "a shorter grace is not judged: records do not tell of streams that were lost "
            "and came back"
        )
    if as_json:
        print_json(
            {
                "league": report.league,
                "conduct": report.changes,
                "matches": report.matches,
                **plain(report.rejudged),
            }
        )
    else:
        _print(report)


def _print(report: RejudgeReport) -> None:
    for change in report.changes:
        say(str(change))
    if not report.changes:
        remark("this is the conduct of the league")
    found = report.rejudged
    say("")
    print_table(_standings_columns(found), found.standings, empty="No match can be judged.")
    if found.changed:
        say("")
        print_table(_CHANGED, found.changed, empty="")
    if found.unjudged:
        say("")
        print_table(_UNJUDGED, found.unjudged, empty="")
    say("")
    say(
        f"{report.league}: {found.judged} of {report.matches} matches judged again, "
        f"{found.repriced} with other penalties or totals, {len(found.changed)} with other places"
    )
    if found.unjudged:
        say(
            f"{len(found.unjudged)} would need play that did not happen, "
            "and are left out of the standings before and after"
        )


def _standings_columns(found: Rejudged) -> list[Column[Row]]:
    """The new standings, each figure with what it was."""
    before = {row.bot: row for row in found.standings_before}
    return [
        Column("", lambda row: str(row.place), number=True),
        Column("was", lambda row: str(before[row.bot].place), number=True),
        Column("bot", lambda row: row.bot),
        Column("score", lambda row: decimal(row.score, 3), number=True),
        Column("was", lambda row: decimal(before[row.bot].score, 3), number=True),
        Column("total", lambda row: decimal(row.total_per_game, 1), number=True),
        Column("was", lambda row: decimal(before[row.bot].total_per_game, 1), number=True),
        Column("penalties", lambda row: str(row.penalties), number=True),
        Column("was", lambda row: str(before[row.bot].penalties), number=True),
    ]


def _by_bot(bots: tuple[str, ...], values: tuple[int, ...]) -> str:
    return "  ".join(f"{bot} {value}" for bot, value in zip(bots, values, strict=True))


_CHANGED: Final[list[Column[Changed]]] = [
    Column("match", lambda match: match.match_key),
    Column("places", lambda match: _by_bot(match.bots, match.places)),
    Column("were", lambda match: _by_bot(match.bots, match.places_before)),
    Column("totals", lambda match: _by_bot(match.bots, match.totals)),
    Column("were", lambda match: _by_bot(match.bots, match.totals_before)),
]

_UNJUDGED: Final[list[Column[Unjudged]]] = [
    Column("needs play", lambda match: match.match_key),
    Column("game", lambda match: str(match.infraction.game), number=True),
    Column("turn", lambda match: str(match.infraction.turn), number=True),
    Column("bot", lambda match: match.bot),
    Column("kind", lambda match: match.infraction.kind),
    Column("then", lambda match: match.infraction.consequence),
    Column("would be", lambda match: match.would_follow or "not seen"),
]
