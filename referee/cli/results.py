"""``referee standings``, ``crosstable`` and ``infractions`` of a league."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.cli.database import opened
from referee.cli.options import AsJson, Database, HeldBack, LeagueName
from referee.cli.output import Column, plain, print_csv, print_json, print_table, say
from referee.cli.source import shown_details
from referee.cli.text import decimal, milliseconds, wins
from referee.core.errors import InputError

if TYPE_CHECKING:
    from referee.app.reports import StandingsReport
    from referee.league.standings import Row
    from referee.store.entries import InfractionEntry

_NOTHING_YET: Final = "No match counts yet."


def standings(
    league: LeagueName,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """Show a league's standings: by score, then by mean total a game.

    The score is the mean of what the matches gave, (seats - place) / (seats - 1), 1 for first and
    0 for last; +/- is its standard error over deals. Points and total are means a game, and
    few is good; the total has the penalties in it. Below, how long answers took: on average, and
    what 99 of 100 did not exceed.
    """
    if as_csv and as_json:
        raise InputError("--csv and --json: allowed is one of them")
    from referee.app import reports

    with opened(db) as repository:
        report = reports.standings(repository, league)
    if as_json:
        print_json(report)
    elif as_csv:
        _print_csv(report)
    else:
        _print_standings(report)


def _print_standings(report: StandingsReport) -> None:
    print_table(_STANDINGS, report.standings, empty=_NOTHING_YET)
    if report.standings:
        say("")
        print_table(_ANSWERS, report.standings, empty="")
        say("")
    if report.withdrawn:
        say(f"withdrawn, plays no more: {', '.join(report.withdrawn)}")
    if report.disqualified:
        say(f"disqualified, its matches left out: {', '.join(report.disqualified)}")
    say(f"{report.league}: {report.matches} of {report.planned} matches, {report.state}")


def _kinds(row: Row) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in row.infractions.items()) or "none"


_STANDINGS: Final[list[Column[Row]]] = [
    Column("", lambda row: str(row.place), number=True),
    Column("bot", lambda row: row.bot),
    Column("matches", lambda row: str(row.matches), number=True),
    Column("score", lambda row: decimal(row.score, 3), number=True),
    Column("+/-", lambda row: decimal(row.score_error, 3), number=True),
    Column("wins", lambda row: wins(row.wins), number=True),
    Column("points", lambda row: decimal(row.points_per_game, 1), number=True),
    Column("total", lambda row: decimal(row.total_per_game, 1), number=True),
    Column("penalties", lambda row: str(row.penalties), number=True),
    Column("forfeits", lambda row: str(row.forfeits), number=True),
]

_ANSWERS: Final[list[Column[Row]]] = [
    Column("bot", lambda row: row.bot),
    Column("mean ms", lambda row: milliseconds(row.mean_answer_us), number=True),
    Column("99% ms", lambda row: milliseconds(row.p99_answer_us), number=True),
    Column("infractions", _kinds),
]


def _print_csv(report: StandingsReport) -> None:
    """A line for each bot, with a column for each kind of infraction."""
    from referee.league.standings import Row
    from referee.match.conduct import Infraction

    kinds = [f"infractions_{kind}" for kind in Infraction]
    names = [field.name for field in dataclasses.fields(Row) if field.name != "infractions"]
    rows = []
    for row in report.standings:
        flat = plain(row)
        counts = flat.pop("infractions")
        rows.append(dict.fromkeys(kinds, 0) | flat)
        rows[-1].update({f"infractions_{kind}": count for kind, count in counts.items()})
    print_csv([*names, *kinds], rows)


def crosstable(league: LeagueName, as_json: AsJson = False, db: Database = None) -> None:
    """Show how the bots of a league did against each other.

    Each line is a bot's mean score against the others, in the order of the standings: 1 for a
    place ahead of the other, 0.5 for the same place, 0 behind.
    """
    from referee.app import reports

    with opened(db) as repository:
        report = reports.crosstable(repository, league)
    if as_json:
        print_json(report)
        return

    def against(other: str) -> Column[str]:
        return Column(
            other, lambda bot: decimal(report.scores.get(bot, {}).get(other), 3), number=True
        )

    columns: list[Column[str]] = [Column("", lambda bot: bot), *map(against, report.bots)]
    print_table(columns, report.bots, empty=_NOTHING_YET)


def infractions(
    league: LeagueName, held_back: HeldBack = False, as_json: AsJson = False, db: Database = None
) -> None:
    """List what bots of a league did wrong, and what it cost them."""
    with opened(db) as repository:
        entries = list(repository.infractions(league))
        found = shown_details(repository, entries, held_back=held_back)
    if as_json:
        print_json({"league": league, "infractions": found})
    else:
        print_table(INFRACTION_COLUMNS, found, empty="No infractions.")


INFRACTION_COLUMNS: Final[list[Column[InfractionEntry]]] = [
    Column("match", lambda entry: entry.match_key),
    Column("game", lambda entry: str(entry.game), number=True),
    Column("turn", lambda entry: str(entry.turn), number=True),
    Column("seat", lambda entry: str(entry.seat), number=True),
    Column("bot", lambda entry: entry.bot),
    Column("kind", lambda entry: entry.kind),
    Column("penalty", lambda entry: str(entry.penalty), number=True),
    Column("then", lambda entry: entry.consequence),
    Column("detail", lambda entry: entry.detail),
]
