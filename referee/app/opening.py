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


def load_entrants(
    league: LeagueFormat, folder: Path, known: League | None = None
) -> tuple[LeagueFormat, list[Bot]]:
    """The bots of a league, their paths relative to ``folder``, and the league with their names.

    Those that play no more in ``known``, the league as it has begun, are not looked at. Raises
    ``InputError`` that tells all that is wrong with the others, a line each.
    """
    bots: list[Bot] = []
    names: list[str] = []
    wrong: list[str] = []
    for entrant in league.entrants:
        path = folder / entrant.path
        if known is not None and (name := _gone(known, path, entrant.name)):
            names.append(name)
            continue
        try:
            bots.append(load_bot(path, entrant.name))
            names.append(bots[-1].name)
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError("\n".join(wrong))
    return league.named(names), bots


def _gone(known: League, path: Path, name: str | None) -> str | None:
    """The name of the entrant in this folder, where it plays no more."""
    folder = str(path.resolve())
    there = [one.name for one in known.entrants if one.path == folder and name in (None, one.name)]
    return there[0] if len(there) == 1 and there[0] in known.gone else None


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
