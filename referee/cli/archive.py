"""``referee league archive``, ``verify`` and ``import``: a league in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.database import again, opened
from referee.cli.options import AsJson, Database, Key, LeagueName
from referee.cli.output import print_json, remark, say
from referee.cli.source import HELD_BACK
from referee.core.errors import VerificationError

ArchiveFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="An archive: referee league archive.")
]


def archive(
    league: LeagueName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="Of a league that is not over: archive the matches of deals that are, "
            "and leave the league's seed out.",
        ),
    ] = False,
    db: Database = None,
) -> None:
    """Write a league into one file, with all that is needed to verify it.

    It is signed where you have a key (referee key new).
    """
    from referee.app.archive import LeagueArchive
    from referee.app.signing import load_key, shown_key
    from referee.cli.progress import counting

    key = load_key()
    with opened(db) as repository:
        ready = LeagueArchive(repository, league, partial=partial)
        written = ready.write(out, key, counting)
    if written.withheld:
        remark(f"{written.withheld} held back: {HELD_BACK}")
    signed = "" if key is None else f", signed by {shown_key(key.public)}"
    say(f"{out}: {written.matches} matches, {written.size} bytes{signed}")


def verify(file: ArchiveFile, key: Key = None, as_json: AsJson = False) -> None:
    """Verify an archive, without a database, and name the first thing that differs.

    Every digest, the signature, the seed of every deal, the schedule, every record and the
    standings.
    """
    from referee.app.archive import judge_archive
    from referee.app.signing import read_key
    from referee.cli.progress import counting

    verdict = judge_archive(file, None if key is None else read_key(key), counting)
    if as_json:
        print_json(verdict)
    elif verdict.holds:
        signed = f", signed by {verdict.signed_by}" if verdict.signed_by else ", not signed"
        say(
            f"{verdict.archive}: holds: league {verdict.league}, {verdict.state}, "
            f"{verdict.matches} matches{signed}"
        )
    else:
        say(f"{verdict.archive}: {verdict.problem}")
    if not verdict.holds:
        raise typer.Exit(VerificationError.exit_code)


def import_(file: ArchiveFile, as_json: AsJson = False, db: Database = None) -> None:
    """Bring a league in from an archive. It is verified first, and stays a league of its own."""
    from referee.app.archive import import_archive
    from referee.cli.progress import counting

    with opened(db, create=True) as repository:
        brought = import_archive(repository, file, counting)
    if as_json:
        print_json(brought)
        return
    say(f"{file}: {'kept' if brought.new else 'was here already'} as {brought.league}")
    say(f"see: referee standings {brought.league}{again(db)}")
