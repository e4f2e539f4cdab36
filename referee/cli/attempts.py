"""``referee attempts``: every attempt of a league, and how often they break off where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from referee.cli.database import opened
from referee.cli.options import AsJson, Database, HeldBack, LeagueName
from referee.cli.output import Column, plain, print_json, print_table, say, warn
from referee.cli.source import shown_details
from referee.cli.text import moment, replaced, share

if TYPE_CHECKING:
    from referee.app.rates import BotRates, HostRates
    from referee.store.entries import AttemptEntry

# The words of the ledger, which a command's help does not load.
Status = Literal["running", "counted", "void"]
Cause = Literal["interrupted", "referee", "host"]


def attempts(
    league: LeagueName,
    status: Annotated[
        Status | None,
        typer.Option("--status", help="Only those that are running, count, or are void."),
    ] = None,
    cause: Annotated[
        Cause | None,
        typer.Option("--cause", help="Only those that are void for this."),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="NAME", help="Only those at matches of this bot."),
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="NAME", help="Only those on this host.")
    ] = None,
    held_back: HeldBack = False,
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """List every attempt at the matches of a league; void ones with cause and whom it hurt.

    A void attempt is told with the bot at whose question it broke off, and with the points of
    that moment: who led loses by it, and who was last gains. Below, for each host and each bot of
    the whole league, how often attempts were void and answers late. A host that looks bad is
    warned of.
    """
    from referee.app.attempts import attempts as attempts_of

    with opened(db) as repository:
        report = attempts_of(repository, league, status=status, cause=cause, bot=bot, host=host)
        found = shown_details(repository, report.attempts, held_back=held_back)
    if as_json:
        print_json(plain(report) | {"attempts": [attempt_data(entry) for entry in found]})
        return
    print_table(ATTEMPT_COLUMNS, found, empty="No attempts.")
    if report.hosts:
        say("")
        print_table(_HOSTS, report.hosts, empty="")
        say("")
        print_table(_BOTS, report.bots, empty="")
    for text in report.warnings:
        warn(text)


def attempt_data(entry: AttemptEntry) -> dict[str, Any]:
    """An attempt for programs."""
    return {**plain(entry), "led": entry.led, "trailed": entry.trailed}


def _status(entry: AttemptEntry) -> str:
    if entry.replaced_by is None:
        return entry.status
    return f"{entry.status}, {replaced(entry.replaced_by)}"


def _standing(entry: AttemptEntry) -> str:
    return "  ".join(f"{bot} {points}" for bot, points in (entry.standing or {}).items())


ATTEMPT_COLUMNS: Final[list[Column[AttemptEntry]]] = [
    Column("match", lambda entry: entry.match_key),
    Column("attempt", lambda entry: str(entry.number), number=True),
    Column("status", _status),
    Column("cause", lambda entry: entry.cause or ""),
    Column("bot", lambda entry: entry.bot or ""),
    Column("standing", _standing),
    Column("led", lambda entry: " ".join(entry.led)),
    Column("last", lambda entry: " ".join(entry.trailed)),
    Column("started", lambda entry: moment(entry.started_at)),
    Column("ended", lambda entry: moment(entry.ended_at)),
    Column("host", lambda entry: entry.host),
    Column("detail", lambda entry: entry.detail),
]

_HOSTS: Final[list[Column[HostRates]]] = [
    Column("host", lambda rates: rates.host),
    Column("attempts", lambda rates: str(rates.attempts), number=True),
    Column("void by host", lambda rates: str(rates.void_by_host), number=True),
    Column("", lambda rates: share(rates.void_by_host, rates.attempts), number=True),
    Column("by referee", lambda rates: str(rates.void_by_referee), number=True),
    Column("interrupted", lambda rates: str(rates.interrupted), number=True),
    Column("asks", lambda rates: str(rates.asks), number=True),
    Column("late", lambda rates: str(rates.late), number=True),
    Column("", lambda rates: share(rates.late, rates.asks), number=True),
]

_BOTS: Final[list[Column[BotRates]]] = [
    Column("bot", lambda rates: rates.bot),
    Column("attempts", lambda rates: str(rates.attempts), number=True),
    Column("void by host", lambda rates: str(rates.void_by_host), number=True),
    Column("", lambda rates: share(rates.void_by_host, rates.attempts), number=True),
    Column("asked then", lambda rates: str(rates.asked), number=True),
    Column("and last", lambda rates: str(rates.asked_and_last), number=True),
    Column("asks", lambda rates: str(rates.asks), number=True),
    Column("late", lambda rates: str(rates.late), number=True),
    Column("", lambda rates: share(rates.late, rates.asks), number=True),
]
