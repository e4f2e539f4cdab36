"""Takes a league from an archive into a database, quarantined."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.app.archive import form
from referee.app.archive.counting import Counting
from referee.app.archive.read import ArchiveReader, opened
from referee.app.archive.verify import check_archive
from referee.app.envelopes import stored_record
from referee.core.errors import InputError, VerificationError
from referee.files.reading import shown
from referee.league.redraws import Redraw
from referee.rpc.codec import decode_record
from referee.store.entries import (
    ArchivedMatch,
    AttemptEntry,
    Entrant,
    League,
    LeaguePlace,
)
from referee.store.repository import Repository

_DIGITS: Final = 12
"""Hex digits of an archive's digest in the name that its league gets."""


@dataclass(frozen=True, slots=True)
class ImportedLeague:
    league: str
    """The name that it has in this database."""
    matches: int
    new: bool
    """Whether it was not there before."""


def import_archive(repository: Repository, path: Path, counting: Counting) -> ImportedLeague:
    """Keep the league of an archive under a name of its own; it is verified first.

    All of it is kept or nothing. Raises VerificationError, naming the file, where it does not
    hold, and InputError where it cannot be read or kept.
    """
    try:
        with opened(path) as archive:
            if archive.head.seed is None:
                raise InputError(
                    f"{shown(path)}: this league was not over when it was archived; "
                    "allowed are archives of whole leagues"
                )
            check_archive(archive, None, counting)
            league = _league(archive, archive.head.seed)
            with counting(archive.manifest.matches) as one_more:
                new = repository.import_league(league, _matches(archive, one_more))
    except VerificationError as error:
        raise VerificationError(f"{shown(path)}: does not hold: {error}") from error
    return ImportedLeague(league.name, archive.manifest.matches, new)


def _league(archive: ArchiveReader, seed: bytes) -> League:
    head, digest = archive.head, hashlib.sha256(archive.manifest_bytes).digest()
    return League(
        name=f"{archive.manifest.league}@{digest.hex()[:_DIGITS]}",
        format=archive.format.decode(),
        format_sha256=hashlib.sha256(archive.format).digest(),
        seed=seed,
        seed_commitment=head.seed_commitment,
        created_at=head.created_at,
        entrants=tuple(
            Entrant(
                name=entrant.name,
                path="",
                version=entrant.version,
                author=entrant.author,
                language=entrant.language,
                bundle_sha256=entrant.bundle_sha256,
                state=entrant.state,
                since=entrant.since,
                reason=entrant.reason,
            )
            for entrant in head.entrants
        ),
        redraws=tuple(Redraw(**redraw.model_dump()) for redraw in head.redraws),
        state=head.state,
        since=head.since,
        reason=head.reason,
        archive_sha256=digest,
    )


def _matches(archive: ArchiveReader, one_more: Callable[[], None]) -> Iterator[ArchivedMatch]:
    for line in archive.matches():
        envelope = archive.envelope(line)
        _, table, deal, rotation = line.match_key.split("/")
        yield ArchivedMatch(
            place=LeaguePlace(table, int(deal), int(rotation)),
            attempts=tuple(_attempt(line.match_key, attempt) for attempt in line.attempts),
            record=None if envelope is None else decode_record(envelope.record),
            stored=None if envelope is None else stored_record(envelope),
        )
        if envelope is not None:
            one_more()


def _attempt(match_key: str, attempt: form.Attempt) -> AttemptEntry:
    return AttemptEntry(
        match_key=match_key,
        number=attempt.number,
        status=attempt.status,
        cause=attempt.cause,
        detail=attempt.detail,
        bot=attempt.bot,
        standing=attempt.standing,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        host=attempt.host,
        worker=attempt.worker,
    )
