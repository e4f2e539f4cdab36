"""Verifies an archive, with nothing but the file: all that can be derived is derived again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from referee.app.archive import form
from referee.app.archive.counting import Counting
from referee.app.archive.matches import results
from referee.app.archive.read import ArchiveReader, opened
from referee.app.signing import shown_key, signed_by
from referee.core.dice import commitment
from referee.core.errors import VerificationError
from referee.core.text import sanitise
from referee.files.reading import shown
from referee.league.format import LeagueFormat
from referee.league.schedule import size
from referee.league.standings import standings
from referee.match.recorded import DiffersError, same
from referee.store.entries import LeagueState


@dataclass(frozen=True, slots=True)
class ArchiveVerdict:
    """Whether an archive holds. What it is, where it does."""

    archive: str
    """The file."""
    holds: bool
    problem: str | None = None
    """The first thing that differs, or why it cannot be read."""
    league: str | None = None
    state: str | None = None
    matches: int | None = None
    signed_by: str | None = None
    """The public key whose signature it bears."""


def judge_archive(path: Path, key: bytes | None, counting: Counting) -> ArchiveVerdict:
    """Verify a file. What is wrong with its bytes is found and not raised.

    ``key`` is the public key that has to have signed it. Raises InputError where there is no
    such file or it cannot be read, and RefereeError where it is signed and nothing is installed
    to check that.
    """
    try:
        with opened(path) as archive:
            check_archive(archive, key, counting)
    except VerificationError as error:
        return ArchiveVerdict(shown(path), holds=False, problem=str(error))
    signer = archive.manifest.public_key
    return ArchiveVerdict(
        archive=shown(path),
        holds=True,
        league=archive.manifest.league,
        state=archive.head.state,
        matches=archive.manifest.matches,
        signed_by=None if signer is None else shown_key(signer),
    )


def check_archive(archive: ArchiveReader, key: bytes | None, counting: Counting) -> None:
    """Raises ``VerificationError`` at the first thing that does not hold."""
    _check_archive_signature(archive, key)
    league = _league(archive)
    _check_head(archive, league)
    with counting(archive.manifest.matches) as one_more:
        rows = standings(results(archive, league, one_more))
    _check_standings(archive.standings, form.encode_standings(rows))


def _check_archive_signature(archive: ArchiveReader, key: bytes | None) -> None:
    signer, signature = archive.manifest.public_key, archive.signature
    if key is not None:
        found = "none" if signer is None else f"one by {shown_key(signer)}"
        same("signature", f"one by {shown_key(key)}", found)
    if signer is None or signature is None:
        return
    if not signed_by(signer, signature, archive.manifest_bytes):
        raise DiffersError("signature", f"one by {shown_key(signer)}", "another")


def _league(archive: ArchiveReader) -> LeagueFormat:
    try:
        text = archive.format.decode()
        values = json.loads(text)
        # A key that stands twice could be read otherwise elsewhere.
        if json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False) != text:
            raise VerificationError(f"{form.FORMAT}: it is not written as a referee writes it")
        league = LeagueFormat.model_validate(values)
        names = league.names
    except ValidationError as error:
        raise VerificationError(f"{form.FORMAT}: {form.told(error)}") from error
    except RecursionError:
        raise VerificationError(f"{form.FORMAT}: nested too deeply") from None
    except ValueError as error:
        reason = sanitise(str(error))[:200]
        raise VerificationError(f"{form.FORMAT}: {reason}") from error
    same(f"entrants of {form.LEAGUE}", names, tuple(one.name for one in archive.head.entrants))
    return league


def _check_head(archive: ArchiveReader, league: LeagueFormat) -> None:
    manifest, head = archive.manifest, archive.head
    same(f"league of {form.MANIFEST}", league.name, manifest.league)
    over = head.state.over
    if over != (head.seed is not None):
        expected = "one" if over else "none, as the league is not over"
        raise DiffersError(f"seed of {form.LEAGUE}", expected, "none" if over else "one")
    if head.seed is not None:
        same(
            f"seed_commitment of {form.LEAGUE}",
            commitment(head.seed).hex(),
            head.seed_commitment.hex(),
        )
    planned = size(league, head.gone).matches
    if head.state is LeagueState.FINISHED and manifest.matches < planned:
        raise DiffersError(f"matches of {form.MANIFEST}", f"{planned} or more", manifest.matches)


def _check_standings(found: bytes, expected: bytes) -> None:
    if found == expected:
        return
    try:
        rows = json.loads(found)
    except (ValueError, RecursionError):
        rows = None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise VerificationError(f"{form.STANDINGS}: no standings")
    wanted = json.loads(expected)
    for index, (want, have) in enumerate(zip(wanted, rows, strict=False)):
        for name in sorted(want.keys() | have.keys()):
            same(
                f"{form.STANDINGS}, row {index + 1}: {sanitise(name)}",
                want.get(name),
                have.get(name),
            )
    same(f"rows of {form.STANDINGS}", len(wanted), len(rows))
    raise VerificationError(f"{form.STANDINGS}: it is not written as a referee writes it")
