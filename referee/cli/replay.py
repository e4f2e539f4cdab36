"""``referee replay``: look at matches again, check them, write them out and bring them in."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.app.forms import Form, file_name
from referee.cli.options import AsJson, Database, HeldBack, Key
from referee.cli.output import print_json, remark, say, terminal
from referee.cli.source import HELD_BACK, Source, refuse_secret
from referee.core.errors import InputError, VerificationError

if TYPE_CHECKING:
    from referee.app.ed25519 import SigningKey
    from referee.app.replay import Held

app = typer.Typer(
    help="Look at matches again, check them, write them out and bring them in.",
    no_args_is_help=True,
)

OfLeague = Annotated[
    str | None, typer.Option("--league", metavar="LEAGUE", help="All matches of a league.")
]

Match = Annotated[
    str, typer.Argument(metavar="MATCH|FILE", help="A match key, or its beginning; or a file.")
]


@app.command()
def show(
    match: Match,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", metavar="N", help="Show what this seat sees; what is hidden is counted."
        ),
    ] = None,
    game: Annotated[
        int | None, typer.Option("--game", metavar="G", min=1, help="Begin with this game.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="T", min=1, help="And in it with this turn.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Print all of it, on a terminal too.")
    ] = False,
    held_back: HeldBack = False,
    db: Database = None,
) -> None:
    """Step through a match: rows, hands, answers, rulings and infractions.

    On a terminal ? tells the keys; elsewhere all of it is printed, turn by turn.
    """
    from referee.app.story import Story
    from referee.cli.play_by_play import lines
    from referee.cli.stepping import can_step, step_through
    from referee.cli.viewer import Viewer
    from referee.match.moment import find_moment

    if turn is not None and game is None:
        raise InputError(f"--turn {turn}: say the game, too, with --game")
    with Source(db, held_back=held_back) as source:
        held = source.load(match)
    refuse_secret(held)
    story = Story(held.transcript, held.record)
    if seat is not None and seat not in range(story.seats):
        raise InputError(f"--seat {seat}: allowed are the seats 0 to {story.seats - 1}")
    if game is not None:
        find_moment(held.transcript, game, turn or 1)
    start = (game or 0, turn or 0)
    if everything or not can_step():
        for line in lines(story, held.record, sight=seat, start=start):
            say(line)
        return
    viewer = Viewer(story, held.record, sight=seat)
    viewer.go(*start)
    step_through(viewer)


@app.command()
def explain(
    match: Match,
    game: Annotated[int, typer.Option("--game", metavar="G", min=1, help="The game, from 1.")],
    turn: Annotated[int, typer.Option("--turn", metavar="T", min=1, help="The turn, from 1.")],
    bots: Annotated[
        list[Path] | None,
        typer.Option(
            "--bot",
            metavar="FOLDER",
            help="A bot to put in the seat; may be given again. "
            "Without it the sample bots, where the referee runs from its repository.",
        ),
    ] = None,
    held_back: HeldBack = False,
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """Explain a turn: what was seen, fitted and due, the ruling, and what bots would answer."""
    from referee.app.bots import load_bots, sample_bots
    from referee.app.rerun import rerun
    from referee.cli.explaining import data, parts
    from referee.cli.page import Page
    from referee.match.explain import explain as explain_turn
    from referee.match.moment import find_moment

    with Source(db, held_back=held_back) as source:
        held = source.load(match)
    refuse_secret(held)
    moment = find_moment(held.transcript, game, turn)
    explained = explain_turn(moment, held.record)
    asked = [seat.seat for seat in explained.seats if seat.answers]
    folders = bots or sample_bots()
    without_bots = _why_no_bots(held, bool(asked), bool(folders))
    reruns = {}
    if held.record is not None and without_bots is None:
        seated = load_bots(folders)
        reruns = {seat: rerun(held.record, moment, seat, seated) for seat in asked}
    if as_json:
        print_json(data(held.name, explained, reruns, without_bots))
        return
    page = Page(moment.game, terminal())
    for title, lines in parts(explained, reruns, without_bots):
        page.title(title)
        page.show(lines)


def _why_no_bots(held: Held, asked: bool, named: bool) -> str | None:
    if held.record is None:
        return "a transcript alone does not say what its seats were asked"
    if not asked:
        return "nobody was asked"
    return None if named else "none was asked: name some with --bot FOLDER"


@app.command()
def verify(
    matches: Annotated[
        list[str] | None,
        typer.Argument(metavar="MATCH|FILE...", help="Match keys, or their beginnings; or files."),
    ] = None,
    league: OfLeague = None,
    key: Key = None,
    held_back: HeldBack = False,
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """Play matches again from their records and name the first thing that differs in each.

    Takes match keys, a whole league, and files of any of the three forms of export.
    """
    from referee.app.replay import judge
    from referee.app.signing import read_key
    from referee.cli.progress import counting

    public = None if key is None else read_key(key)
    verdicts = []
    with Source(db, held_back=held_back) as source:
        names = source.names(matches, league)
        with counting(len(names)) as one_more:
            for name in names:
                verdict = judge(name, partial(source.load, name), public)
                verdicts.append(verdict)
                if not as_json and (league is None or not verdict.holds):
                    signed = f", signed by {verdict.signed_by}" if verdict.signed_by else ""
                    say(f"{verdict.match}: {verdict.problem or f'holds{signed}'}")
                one_more()
    hold = sum(verdict.holds for verdict in verdicts)
    if as_json:
        print_json({"matches": verdicts, "hold": hold, "differ": len(verdicts) - hold})
    elif league is not None or len(verdicts) > 1:
        say(f"{hold} of {len(verdicts)} matches hold")
    if hold < len(verdicts):
        raise typer.Exit(VerificationError.exit_code)


@app.command()
def export(
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            help="The record as JSON, the transcript alone, or the envelope that can be imported.",
        ),
    ],
    matches: Annotated[
        list[str] | None,
        typer.Argument(metavar="MATCH...", help="Match keys, or their beginnings."),
    ] = None,
    league: OfLeague = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="The folder to write to, one file a match. Without it a single match goes to "
            "standard output.",
        ),
    ] = None,
    held_back: HeldBack = False,
    db: Database = None,
) -> None:
    """Write matches out, one file each. Files that differ are never overwritten.

    Envelopes are signed where you have a key (referee key new).
    """
    from referee.app.signing import load_key

    key = load_key() if form is Form.PB else None
    with Source(db, files=False, held_back=held_back) as source:
        names = source.names(matches, league)
        if out is None:
            if len(names) != 1:
                raise InputError(f"{len(names)} matches: say --out DIR, one file for each")
            _to_stdout(source.load(names[0]), form, key)
        else:
            _to_files((source.load(name) for name in names), form, key, out)


def _to_stdout(held: Held, form: Form, key: SigningKey | None) -> None:
    from referee.app.replay import written

    refuse_secret(held)
    if form is Form.PB and sys.stdout.isatty():
        raise InputError(f"--format {form}: bytes are not for a terminal; say --out DIR, or > FILE")
    sys.stdout.flush()
    sys.stdout.buffer.write(written(held, form, key))
    sys.stdout.buffer.flush()


def _to_files(matches: Iterable[Held], form: Form, key: SigningKey | None, out: Path) -> None:
    from referee.app.replay import written
    from referee.files.writing import make_folder, write_file

    make_folder(out)
    files = held_back = 0
    for held in matches:
        if held.secret:
            held_back += 1
        else:
            write_file(out / file_name(held.name, form), written(held, form, key))
            files += 1
    if held_back:
        remark(f"{held_back} held back: {HELD_BACK}")
    say(f"{files} {'file' if files == 1 else 'files'} in {out}")


@app.command("import")
def import_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Envelopes: export --format pb.")
    ],
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """Bring matches in from envelopes. They are verified first, and count in no league."""
    from referee.app.replay import bring_in, load_envelope

    held = [load_envelope(file) for file in files]
    with Source(db, create=True) as source:
        brought = bring_in(source.repository, held)
    if as_json:
        print_json({"imported": brought})
        return
    for match, here in zip(held, brought, strict=True):
        say(f"{match.name}: {'kept' if here.new else 'was here already'} as {here.match_key}")
