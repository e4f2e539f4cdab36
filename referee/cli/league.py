"""``referee league``: plan, run and look at leagues."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.cli.database import again, logs_of, opened
from referee.cli.deciding import cancel, disqualify, pause, withdraw
from referee.cli.options import AsJson, Database, HeldBack, LeagueName, Seed, read_seed
from referee.cli.output import Column, plain, print_json, print_table, remark, say, warn
from referee.cli.progress import Tally, showing
from referee.cli.rejudge import rejudge
from referee.cli.stopping import stoppable
from referee.cli.text import moment, replaced, span
from referee.core.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from referee.app.league import LeagueRun
    from referee.app.reports import EntrantReport, LeagueReport, RedrawReport, RunnerReport
    from referee.store.repository import Repository

app = typer.Typer(help="Plan, run and look after leagues.", no_args_is_help=True)

ASK_ABOVE_SECONDS: Final = 3600
STOPPED: Final = 130

LeagueFile = Annotated[Path, typer.Argument(metavar="LEAGUE.toml", help="The league file.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        max=1024,
        metavar="N",
        help="How many tables play at once; as many as the cores bear if not given.",
    ),
]


@app.command()
def run(
    file: LeagueFile,
    db: Database = None,
    jobs: Jobs = None,
    seed: Seed = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, however long it takes.")] = False,
) -> None:
    """Play a league, or go on with it where it was stopped.

    Ctrl-C stops it cleanly: matches that are being played are void and are played again when
    the same command runs next. A second Ctrl-C stops at once.
    """
    from referee.app.league import open_league
    from referee.files.temporary import sweep
    from referee.league.format import load_league
    from referee.store.entries import LeagueState

    league_seed = read_seed(seed)
    plan = load_league(file)
    jobs = _fitting_jobs(jobs, plan.table_size)
    with opened(db, create=True) as repository:
        league = open_league(plan, file.parent, repository, league_seed)
        if not yes:
            _agree(league, jobs)
        if league.state is LeagueState.FINISHED:
            # What finished it may have been killed before it had cleared up.
            sweep()
            say(f"{plan.name}: all {league.planned} matches count already")
        else:
            _play(league, jobs, logs_of(db), repository)
    say(f"see: referee standings {plan.name}{again(db)}")


@app.command()
def plan(file: LeagueFile, jobs: Jobs = None, as_json: AsJson = False) -> None:
    """Say how much a league is, and about how long it takes. Plays nothing."""
    from referee.app.league import estimate_seconds
    from referee.app.opening import load_entrants
    from referee.league.format import load_league
    from referee.league.schedule import size

    league, _ = load_entrants(load_league(file), file.parent)
    jobs = _fitting_jobs(jobs, league.table_size)
    whole = size(league)
    seconds = estimate_seconds(league, jobs)
    if as_json:
        print_json(
            {
                "league": league.name,
                "entrants": len(league.entrants),
                "tables": whole.tables,
                "sittings": whole.sittings,
                "matches": whole.matches,
                "bot_processes": whole.bot_processes,
                "jobs": jobs,
                "seconds": round(seconds),
            }
        )
        return
    say(f"{league.name}: {league.profile}, {league.series.resolve()}")
    say(f"entrants        {len(league.entrants)}")
    say(f"tables          {whole.tables}, of {league.table_size} seats")
    say(f"sittings        {whole.sittings}, starting {whole.bot_processes} bot processes in all")
    say(f"matches         {whole.matches}")
    say(f"time            about {span(seconds)} with --jobs {jobs}")


@app.command("list")
def list_(as_json: AsJson = False, db: Database = None) -> None:
    """List the leagues of the database."""
    from referee.app import reports

    with opened(db) as repository:
        found = reports.leagues(repository)
    if as_json:
        print_json({"leagues": found})
        return
    columns: list[Column[LeagueReport]] = [
        Column("league", lambda league: league.league),
        Column("state", lambda league: league.state),
        Column("matches", lambda league: f"{league.matches}/{league.planned}", number=True),
        Column("bots", lambda league: str(len(league.entrants)), number=True),
        Column("table", lambda league: str(league.table_size), number=True),
        Column("profile", lambda league: league.profile),
        Column("series", lambda league: league.series),
        Column("created", lambda league: moment(league.created_at)),
    ]
    print_table(columns, found, empty="No leagues.")


@app.command()
def show(
    league: LeagueName, held_back: HeldBack = False, as_json: AsJson = False, db: Database = None
) -> None:
    """Show a league: its state, its bots, and who is running it."""
    from referee.app import reports

    with opened(db) as repository:
        found = reports.league(repository, league, held_back=held_back)
    summary = found.summary
    if as_json:
        print_json(
            plain(summary)
            | {
                "since": found.since,
                "reason": found.reason,
                "entrants": found.entrants,
                "redraws": found.redraws,
                "runner": found.runner,
            }
        )
        return
    say(f"{summary.league}: {summary.state}{_since(found.since, found.reason)}")
    say(f"plays           {summary.profile}, {summary.series}, {summary.table_size} at a table")
    say(f"matches         {summary.matches} of {summary.planned} count")
    say(f"created         {moment(summary.created_at)}")
    say(f"run by          {_runner(found.runner)}")
    say(f"seed            {summary.seed.hex() if summary.seed else 'withheld until it is over'}")
    say(f"commitment      {summary.seed_commitment.hex()}")
    say("")
    print_table(_ENTRANTS, found.entrants, empty="No bots.")
    if found.redraws:
        say("")
        print_table(_REDRAWS, found.redraws, empty="")


def _since(since: datetime | None, reason: str) -> str:
    when = "" if since is None else f" since {moment(since)}"
    return f"{when} ({reason})" if reason else when


def _runner(runner: RunnerReport | None) -> str:
    if runner is None:
        return "nobody"
    who = f"{runner.worker} on {runner.host} since {moment(runner.since)}"
    if runner.gone:
        return f"nobody; {who} ended without a word"
    return f"{who}, heard of {span(runner.silent_us / 1_000_000)} ago"


_ENTRANTS: Final[list[Column[EntrantReport]]] = [
    Column("bot", lambda entrant: entrant.name),
    Column("version", lambda entrant: entrant.version),
    Column("language", lambda entrant: entrant.language),
    Column("author", lambda entrant: entrant.author),
    Column("state", lambda entrant: f"{entrant.state}{_since(entrant.since, entrant.reason)}"),
]


_REDRAWS: Final[list[Column[RedrawReport]]] = [
    Column("deal", lambda redraw: redraw.deal_key),
    Column("", lambda redraw: replaced(redraw.replaced_by)),
    Column("as void", lambda redraw: redraw.match_key),
    Column("attempt", lambda redraw: str(redraw.attempt), number=True),
]


@app.command()
def schema() -> None:
    """Print the JSON Schema of a league file."""
    from referee.league.format import schema as league_schema

    print_json(league_schema())


for command in (pause, cancel, withdraw, disqualify, rejudge):
    app.command()(command)


def _fitting_jobs(jobs: int | None, table_size: int) -> int:
    """As many as asked for, with a warning where the cores do not bear them."""
    cores = _cores()
    if jobs is None:
        return max(1, cores // table_size)
    if jobs * table_size > cores and jobs > 1:
        warn(
            f"--jobs {jobs} with {table_size} bots each are {jobs * table_size} bots on {cores} "
            "cores: they slow each other down, and their clocks run on"
        )
    return jobs


def _cores() -> int:
    """The cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _agree(league: LeagueRun, jobs: int) -> None:
    """Ask before a long run. Raises InputError where nobody can be asked, Abort on a no."""
    seconds = league.estimate_seconds(jobs)
    if seconds <= ASK_ABOVE_SECONDS:
        return
    takes = f"{league.league.name}: {league.remaining} matches take about {span(seconds)}"
    if not sys.stdin.isatty():
        raise InputError(f"{takes}: say --yes to play them")
    typer.confirm(f"{takes}. Play them?", abort=True, err=True)


def _play(league: LeagueRun, jobs: int, logs: Path, repository: Repository) -> None:
    """Raises Exit when it was stopped before its end."""
    from referee.app.reports import standings
    from referee.store.entries import LeagueState

    name = league.league.name
    rows = standings(repository, name).standings if league.counted else ()
    tally = Tally(
        total=league.planned,
        done=league.counted,
        began=time.monotonic(),
        scores={row.bot: (row.score * row.matches, row.matches) for row in rows},
    )
    if tally.done:
        remark(f"{name} goes on: {tally.done} of {tally.total} matches count already")
    with stoppable() as stop, showing(tally) as on_event:
        league.run(jobs=jobs, logs=logs, on_event=on_event, stop=stop)
    ended = league.state if league.state is not LeagueState.OPEN else "stopped"
    if league.remaining or ended is LeagueState.CANCELLED:
        remark(f"{ended}: {tally.done} of {tally.total} matches of {name} count")
        if league.remaining:
            remark("the same command goes on from here")
        raise typer.Exit(STOPPED)
    say(f"{name}: all {tally.total} matches count")
