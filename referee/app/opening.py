"""What a league begins with, and has to go on with: its file, its seed, its bots' files."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from referee.app.bots import Bot, load_bot
from referee.core.dice import commitment
from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.league.changes import changes, new_keys
from referee.league.format import LeagueFormat
from referee.store.entries import Entrant, League


def load_entrants(league: LeagueFormat, folder: Path) -> tuple[LeagueFormat, list[Bot]]:
    """The bots of a league, their paths relative to ``folder``, and the league with their names.

    Raises ``InputError`` that tells all that is wrong with them, a line each.
    """
    bots: list[Bot] = []
    wrong: list[str] = []
    for entrant in league.entrants:
        try:
            bots.append(load_bot(folder / entrant.path, entrant.name))
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError("\n".join(wrong))
    return league.named([bot.name for bot in bots]), bots


def new_league(league: LeagueFormat, bots: list[Bot], seed: bytes) -> League:
    """The league as it begins now."""
    text = league.canonical_json()
    return League(
        name=league.name,
        format=text,
        format_sha256=sha256(text.encode()).digest(),
        seed=seed,
        seed_commitment=commitment(seed),
        created_at=datetime.now(UTC),
        entrants=tuple(
            Entrant(
                name=bot.name,
                path=str(bot.folder),
                version=bot.manifest.version,
                author=bot.manifest.author,
                language=bot.manifest.language,
                bundle_sha256=bot.bundle_sha256,
            )
            for bot in sorted(bots, key=lambda bot: bot.name)
        ),
    )


def refuse_changes(
    known: League, league: LeagueFormat, bots: list[Bot], seed: bytes | None
) -> None:
    """Raises ``InputError``, which names all that is not what ``known`` began with."""
    if lacking := new_keys(known.format):
        raise InputError(
            f"league {league.name} was begun by an older referee, whose league files had no "
            f"{', '.join(lacking)}. Go on with that one, or give the league another name"
        )
    differences = [str(change) for change in changes(known.format, league.canonical_json())]
    if seed is not None and seed != known.seed:
        differences.append("another seed is given than the league began with")
    digests = {entrant.name: entrant.bundle_sha256 for entrant in known.entrants}
    differences += [
        f"the files of {bot.name} in {sanitise(str(bot.folder))} are not what they were"
        for bot in bots
        if bot.name in digests and digests[bot.name] != bot.bundle_sha256
    ]
    if differences:
        raise InputError(
            f"league {league.name} has begun otherwise: {'; '.join(differences)}. "
            "Undo it, or give the league another name"
        )
