"""``referee play``: a person sits down with bots."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli.database import logs_of, opened
from referee.cli.match import SEATS, print_result
from referee.cli.options import (
    DEFAULT_PROFILE,
    NO_CLOCK,
    Database,
    Games,
    Limit,
    Profile,
    Record,
    Seed,
    read_clock,
    read_seed,
    read_series,
)
from referee.cli.output import remark, say, terminal
from referee.core.errors import InputError

NAME: Final = "you"


def play(
    vs: Annotated[
        str,
        typer.Option(
            "--vs",
            metavar="BOT,BOT",
            help="Whom you play, 1 to 5 of them: sample bots by name, such as greedy, or the "
            "folders of bots.",
        ),
    ],
    profile: Profile = DEFAULT_PROFILE,
    games: Games = None,
    limit: Limit = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat, from 0.")] = 0,
    hints: Annotated[bool, typer.Option("--hints", help="Show a hint in every turn.")] = False,
    clock: Annotated[
        str, typer.Option(metavar="TIME", help="The limit of a turn, such as 30s, or off.")
    ] = NO_CLOCK,
    seed: Seed = None,
    record: Record = None,
    db: Database = None,
) -> None:
    """Sit at a table with bots yourself: the same referee, the same record.

    Ctrl-C leaves at once, and the match does not count.
    """
    folders = [_folder(name.strip()) for name in vs.split(",")]
    seats = len(folders) + 1
    if seats not in SEATS:
        raise InputError(f"--vs: {len(folders)} bots: allowed are 1 to {SEATS[-1] - 1}")
    if seat not in range(seats):
        raise InputError(f"--seat {seat}: allowed are the seats 0 to {seats - 1}")
    series = read_series(games, limit)
    move_limit = read_clock(clock)
    if sys.stdin is None:
        raise InputError("play: standard input is closed; allowed: a terminal, a pipe or a file")
    deal_seed = read_seed(seed)

    from referee.app.bots import load_bots
    from referee.app.envelopes import encoded, envelope_of
    from referee.app.guest import Guest
    from referee.app.signing import load_key
    from referee.app.single import SingleMatch, play_single
    from referee.cli.keyboard import Lines
    from referee.cli.page import Page
    from referee.cli.person import Person
    from referee.files.writing import refuse_taken, write_file
    from referee.games.registry import game_for
    from referee.match.clock import TimeControl

    game = game_for(profile, seats)
    bots = load_bots(folders, taken=[NAME])
    key = None
    if record is not None:
        refuse_taken(record)
        key = load_key()
    names = [bot.name for bot in bots]
    names.insert(seat, NAME)
    page = Page(game, terminal())
    person = Person(game, names, page, Lines(sys.stdin.fileno()), hints=hints)
    guest = Guest(NAME, version="-", author="-", language="human", player=person)
    match = SingleMatch(
        seats=(*bots[:seat], guest, *bots[seat:]),
        game=game,
        series=series,
        seed=deal_seed,
        time_control=TimeControl(move_limit_us=move_limit),
    )
    with opened(db, create=True) as repository:
        try:
            played, stored = play_single(match, repository, logs_of(db))
        except KeyboardInterrupt:
            say("")
            remark("stopped; the match does not count")
            raise
    if record is not None:
        write_file(record, encoded(envelope_of(stored), key))
    say("")
    print_result(played, db, unlogged=seat)


def _folder(name: str) -> Path:
    """The folder of a bot that is named by it, or of a sample bot."""
    from referee.app.bots import sample_bots

    with suppress(OSError):  # such as a name that no file could have
        if name and Path(name).is_dir():
            return Path(name)
    samples = {folder.name: folder for folder in sample_bots()}
    if name not in samples:
        known = f" or a sample bot ({', '.join(samples)})" if samples else ""
        raise InputError(f"--vs {name!r}: there is no such bot; allowed: a bot's folder{known}")
    return samples[name]
