"""``referee bot``: what bots have printed."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.app.logs import bot_log
from referee.cli.database import logs_of, opened
from referee.cli.options import AsJson, Database
from referee.cli.output import print_json, say

app = typer.Typer(help="Look at bots.", no_args_is_help=True)


@app.command()
def log(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in its match.")],
    match: Annotated[
        str | None, typer.Option("--match", metavar="MATCH", help="Only what it printed there.")
    ] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show what a bot printed, each line with the match, game and turn it came in."""
    key = None
    if match is not None:
        with opened(db) as repository:
            key = repository.find_match(match)
    lines = bot_log(logs_of(db), name, key)
    if as_json:
        print_json({"bot": name, "match": key, "lines": list(lines)})
    else:
        for line in lines:
            say(line)
