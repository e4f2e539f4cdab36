"""``referee bot rerun``: bots are asked a recorded turn again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import AsJson, Database, HeldBack
from referee.cli.output import print_json, say, terminal
from referee.cli.source import Source, refuse_secret
from referee.core.errors import InputError

if TYPE_CHECKING:
    from referee.match.explain import SeatExplained, TurnExplained


def rerun(
    match: Annotated[
        str, typer.Argument(metavar="MATCH|FILE", help="A match key, or its beginning; or a file.")
    ],
    bots: Annotated[list[Path], typer.Argument(metavar="BOT...", help="The folders of bots.")],
    game: Annotated[int, typer.Option("--game", metavar="G", min=1, help="The game, from 1.")],
    turn: Annotated[int, typer.Option("--turn", metavar="T", min=1, help="The turn, from 1.")],
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="S", help="The seat, where several were asked at once."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE.py",
            help="Write the turn as a unit test of the bot, which has to be one in Python with the "
            "SDK.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file of --save.")] = False,
    held_back: HeldBack = False,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Ask bots a turn of a match again, and show what they answer now.

    Each plays the match up to there in the seat's place, with the seat's dice: what was recorded
    stands, whatever it answers on the way.
    """
    from referee.app.bots import load_bots
    from referee.app.rerun import rerun as ask_again
    from referee.app.rerun import rerun_for_test
    from referee.bots.program import bot_class
    from referee.cli.explaining import rerun_data, rerun_parts
    from referee.cli.page import Page
    from referee.cli.saved_test import saved_test
    from referee.files.writing import new_file, refuse_taken
    from referee.match.explain import explain
    from referee.match.moment import find_moment

    seated = load_bots(bots)
    if save is not None:
        if len(seated) != 1:
            raise InputError(f"--save: {len(seated)} bots: allowed is one")
        if save.suffix != ".py":
            raise InputError(f"--save {save}: allowed is a name that ends in .py")
        if not force:
            refuse_taken(save)
    # Before any bot is started, so that nothing is waited for in vain.
    program = None if save is None else bot_class(seated[0].manifest, seated[0].folder)
    with Source(db, held_back=held_back) as source:
        held = source.load(match)
    refuse_secret(held)
    if held.record is None:
        raise InputError(f"{held.name}: a transcript alone does not say what its seats were asked")
    moment = find_moment(held.transcript, game, turn)
    explained = explain(moment, held.record)
    chosen = _seat(explained, seat)
    if save is None or program is None:
        reruns = ask_again(held.record, moment, chosen.seat, seated)
    else:
        found, heard = rerun_for_test(held.record, moment, chosen.seat, seated[0])
        reruns = [found]
        text = saved_test(save, held.name, explained, chosen, found, heard, program)
        with new_file(save) as file:
            file.write(text.encode())
    if as_json:
        print_json(rerun_data(held.name, explained, chosen, reruns, save))
        return
    page = Page(moment.game, terminal())
    for title, lines in rerun_parts(explained, chosen, reruns):
        page.title(title)
        page.show(lines)
    if save is not None:
        say("")
        say(f"saved as {save}; run it with python -m pytest {shlex.quote(str(save))}")


def _seat(turn: TurnExplained, seat: int | None) -> SeatExplained:
    """The seat to ask again. Raises InputError where it was not asked, or several were."""
    where = f"game {turn.game}, turn {turn.turn}"
    asked = {found.seat: found for found in turn.seats if found.answers}
    if seat is not None:
        if seat not in asked:
            raise InputError(f"--seat {seat}: it was not asked in {where}")
        return asked[seat]
    if len(asked) > 1:
        raise InputError(f"{where}: seats {', '.join(map(str, asked))} were asked: say --seat")
    if not asked:
        raise InputError(f"{where}: nobody was asked")
    return next(iter(asked.values()))
