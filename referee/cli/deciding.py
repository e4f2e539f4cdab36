"""What an operator decides about a league: ``pause``, ``cancel``, ``withdraw``, ``disqualify``."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from referee.cli.database import opened
from referee.cli.options import Database, LeagueName
from referee.cli.output import remark, say
from referee.core.errors import InputError

MOST_REASON: Final = 200
"""Characters."""

BotName = Annotated[str, typer.Argument(metavar="BOT", help="The bot's name in the league.")]
Reason = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept and shown with it.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def pause(league: LeagueName, reason: Reason = "", db: Database = None) -> None:
    """Let a league rest: sittings under way end, no other begins. `league run` goes on with it."""
    from referee.app import reports
    from referee.store.entries import LeagueState

    _check(reason)
    with opened(db) as repository:
        repository.set_league(league, LeagueState.PAUSED, reason)
        runner = reports.league(repository, league).runner
    say(f"{league} is paused; league run goes on with it")
    if runner is not None and not runner.gone:
        remark(f"{runner.worker} on {runner.host} lets the sittings under way end")


def cancel(league: LeagueName, reason: Reason = "", yes: Yes = False, db: Database = None) -> None:
    """End a league before all is played. What counts stays; its seed and matches may be shown."""
    from referee.store.entries import LeagueState

    _check(reason)
    _make_sure(f"cancel {league}: nothing of it will be played any more", yes=yes)
    with opened(db) as repository:
        repository.set_league(league, LeagueState.CANCELLED, reason)
    say(f"{league} is cancelled")


def withdraw(
    league: LeagueName, bot: BotName, reason: Reason = "", yes: Yes = False, db: Database = None
) -> None:
    """Take a bot out of a league: it plays no more, what it played counts."""
    from referee.store.entries import EntrantState

    _check(reason)
    _make_sure(f"withdraw {bot} from {league}: it will play no more", yes=yes)
    with opened(db) as repository:
        repository.set_entrant(league, bot, EntrantState.WITHDRAWN, reason)
    say(f"{bot} is withdrawn from {league}")


def disqualify(
    league: LeagueName, bot: BotName, reason: Reason = "", yes: Yes = False, db: Database = None
) -> None:
    """Rule a bot out: it plays no more, and standings are without the matches in which it sat."""
    from referee.store.entries import EntrantState

    _check(reason)
    _make_sure(
        f"disqualify {bot} in {league}: it will play no more, and its matches will not count "
        "for anybody",
        yes=yes,
    )
    with opened(db) as repository:
        repository.set_entrant(league, bot, EntrantState.DISQUALIFIED, reason)
    say(f"{bot} is disqualified in {league}")


def _check(reason: str) -> None:
    if len(reason) > MOST_REASON:
        raise InputError(
            f"--reason: {len(reason)} characters: allowed are {MOST_REASON} at the most"
        )


def _make_sure(what: str, *, yes: bool) -> None:
    """Raises InputError where nobody can be asked, Abort on a no."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{what}. That cannot be undone: say --yes")
    typer.confirm(f"{what}. That cannot be undone. Are you sure?", abort=True, err=True)
