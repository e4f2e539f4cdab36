"""``referee bot``: what bots printed, and how long their answers took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.database import logs_of, opened
from referee.cli.options import AsJson, Database, HeldBack
from referee.cli.output import print_json, print_table, remark, say
from referee.cli.rerun import rerun
from referee.cli.source import HELD_BACK
from referee.core.errors import InputError

if TYPE_CHECKING:
    from referee.app.logs import ShownLines
    from referee.cli.asks import Asked
    from referee.store.repository import Repository

app = typer.Typer(help="Look at bots.", no_args_is_help=True)
app.command()(rerun)


@app.command()
def log(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in its match.")],
    match: Annotated[
        str | None, typer.Option("--match", metavar="MATCH", help="Only what it printed there.")
    ] = None,
    times: Annotated[
        bool,
        typer.Option(
            "--times", help="Show instead how long each answer took there, and what came of it."
        ),
    ] = False,
    trouble: Annotated[
        bool,
        typer.Option(
            "--trouble",
            help="Show instead what it did wrong there: rulings, figures and the lines around.",
        ),
    ] = False,
    held_back: HeldBack = False,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show what a bot printed, each line with the match, game and turn it came in.

    Behind a bar stands what the bot printed, behind a hash a note of the referee. All times
    are milliseconds: limit, bank and match are what it had when it was asked; what elapsed
    counts without what is excused; CPU is what its own process computed.
    """
    from referee.app.logs import ShownLines, bot_log
    from referee.app.replay import load_match
    from referee.app.secrecy import is_secret, secrets_of
    from referee.cli.asks import asked_of, times_table, troubles

    if match is None and (times or trouble):
        raise InputError("--times and --trouble are about one match: say --match MATCH, too")
    if times + trouble + as_json > 1:
        raise InputError("--times, --trouble and --json: allowed is one of them")
    with opened(db) as repository:
        key = None if match is None else repository.find_match(match)
        if key is not None and not held_back and is_secret(repository, key):
            raise InputError(f"{key}: {HELD_BACK}")
        asked = None
        if key is not None and (times or trouble or (as_json and _counts(repository, key))):
            asked = asked_of(load_match(repository, key), name)
        if asked is not None and times:
            print_table(times_table(asked.asks), asked.asks, empty=f"{name} was never asked.")
            return
        secret = _never if held_back else secrets_of(repository)
        lines = ShownLines(bot_log(logs_of(db), name, secret), key)
        if as_json:
            _print_json(name, key, lines, asked)
        elif asked is not None:
            _print_troubles(troubles(asked, [*lines]))
        else:
            for line in lines:
                say(line.text)
    if lines.secret:
        remark(f"{lines.secret} lines held back: {HELD_BACK}")


def _never(_: str) -> bool:
    """To the operator no match is secret."""
    return False


def _counts(repository: Repository, match_key: str) -> bool:
    return repository.get_match(match_key).entry.counted is not None


def _print_json(name: str, key: str | None, lines: ShownLines, asked: Asked | None) -> None:
    print_json(
        {
            "bot": name,
            "match": key,
            "lines": [line.text for line in lines],
            "held_back": lines.secret,
            "asks": None if asked is None else asked.asks,
            "infractions": None if asked is None else asked.infractions,
        }
    )


def _print_troubles(troubles: Iterable[tuple[str, Sequence[str]]]) -> None:
    found = False
    for title, lines in troubles:
        if found:
            say("")
        found = True
        for line in (title, *lines):
            say(line)
    if not found:
        say("No infractions.")
