"""Writes a league's archive."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from referee.app.archive import form
from referee.app.archive.counting import Counting
from referee.app.envelopes import encoded, envelope_of
from referee.app.secrecy import secrets_of
from referee.core.errors import InputError, StoreError
from referee.files.tar import TarWriter
from referee.files.writing import new_file, refuse_taken
from referee.league.format import LeagueFormat
from referee.league.schedule import match_keys
from referee.league.standings import standings
from referee.store.entries import AttemptEntry, AttemptStatus, League
from referee.store.repository import Repository

if TYPE_CHECKING:
    from referee.app.ed25519 import SigningKey


@dataclass(frozen=True, slots=True)
class Archived:
    """An archive that was written."""

    matches: int
    withheld: int
    """Matches that count and are not in it: another rotation of their deal is to be played."""
    size: int
    """Bytes of the file."""


class LeagueArchive:
    """A league that can be archived.

    Raises NotFoundError where there is no such league, and InputError where it is not to be
    archived: because it was imported, or is not over and ``partial`` does not ask for what is.
    """

    def __init__(self, repository: Repository, name: str, *, partial: bool = False) -> None:
        self._repository: Final = repository
        self._league: Final[League] = repository.get_league(name)
        if self._league.imported:
            raise InputError(
                f"league {name} was imported: the file that it came from is its archive"
            )
        plan = LeagueFormat.from_canonical(self._league.format)
        counted = repository.counted_keys(name)
        self._over: Final = self._league.state.over
        if not self._over and not partial:
            raise InputError(
                f"league {name} is not over: its archive would tell the seed of deals to come "
                "(§10.4); --partial leaves the seed out, and the matches of deals that are not over"
            )
        secret = secrets_of(repository)
        # Of a league that is being played, what begins meanwhile stays out.
        self._told: Final = frozenset(key for key in counted if self._over or not secret(key))
        self.matches: Final = len(self._told)
        """How many will be in it."""
        self._withheld: Final = len(counted) - self.matches
        self._replaced: Final = {
            key
            for redraw in self._league.redraws
            for key in match_keys(plan, redraw.table, redraw.deal)
        }
        """Matches of replaced deals, which nobody needs to be kept from."""

    def write(self, out: Path, key: SigningKey | None, counting: Counting) -> Archived:
        """Write the archive, whole or not at all; signed with ``key``, where there is one.

        Every match is read twice: for its digest, and to be written. Raises InputError where
        ``out`` is taken or cannot be written, HostFault where the disk fails, StoreError where
        somebody changes the league meanwhile, and VerificationError at a record that was altered
        in the database.
        """
        refuse_taken(out)
        with new_file(out) as file, tempfile.TemporaryFile() as index:
            with counting(self.matches) as one_more:
                matches = self._write_index(index, key, one_more)
            with counting(self.matches) as one_more:
                self._write(file, index, matches, key, one_more)
            return Archived(self.matches, self._withheld, file.tell())

    def _holds(self, match_key: str) -> bool:
        return self._over or match_key in self._told or match_key in self._replaced

    def _write_index(
        self, index: BinaryIO, key: SigningKey | None, one_more: Callable[[], None]
    ) -> form.Content:
        digest = hashlib.sha256()
        attempts = self._repository.attempts(self._league.name)
        for match_key, of_match in groupby(attempts, attrgetter("match_key")):
            if not self._holds(match_key):
                continue
            ended = [one for one in of_match if one.status is not AttemptStatus.RUNNING]
            record = None
            if any(one.status is AttemptStatus.COUNTED for one in ended):
                record = _content(self._envelope(match_key, key))
                if match_key in self._told:
                    one_more()
            line = form.encode(
                form.Match(match_key=match_key, attempts=tuple(map(_attempt, ended)), record=record)
            )
            if len(line) > form.LONGEST_LINE:
                raise InputError(
                    f"{match_key}: its attempts take {len(line)} bytes, "
                    f"and an archive has at most {form.LONGEST_LINE} for a match"
                )
            digest.update(line)
            index.write(line)
        return form.Content(size=index.tell(), sha256=digest.digest())

    def _write(
        self,
        file: BinaryIO,
        index: BinaryIO,
        matches: form.Content,
        key: SigningKey | None,
        one_more: Callable[[], None],
    ) -> None:
        league = self._league
        rows = standings(
            result
            for result in self._repository.results(league.name)
            if self._holds(result.match_key)
        )
        if self._repository.get_league(league.name) != league:
            raise StoreError(f"league {league.name} was changed while it was archived; try again")
        heads = {
            form.FORMAT: league.format.encode(),
            form.LEAGUE: form.encode(_head(league, over=self._over)),
            form.STANDINGS: form.encode_standings(rows),
        }
        files = {name: _content(content) for name, content in heads.items()}
        files[form.MATCHES] = matches
        manifest = form.encode(
            form.Manifest(
                league=league.name,
                matches=self.matches,
                public_key=None if key is None else key.public,
                files=files,
            )
        )
        tar = TarWriter(file)
        tar.add(form.MANIFEST, len(manifest), [manifest])
        if key is not None:
            signature = key.sign(manifest)
            tar.add(form.SIGNATURE, len(signature), [signature])
        for name, content in heads.items():
            tar.add(name, len(content), [content])
        index.seek(0)
        tar.add(form.MATCHES, matches.size, index)
        for match_key, envelope in self._records(index, key):
            tar.add(form.record_file(match_key), len(envelope), [envelope])
            if match_key in self._told:
                one_more()
        tar.end()

    def _records(self, index: BinaryIO, key: SigningKey | None) -> Iterator[tuple[str, bytes]]:
        index.seek(0)
        for line in index:
            match = form.decode(form.Match, line, form.MATCHES)
            if match.record is None:
                continue
            envelope = self._envelope(match.match_key, key)
            if _content(envelope) != match.record:
                raise StoreError(f"{match.match_key}: its record changed while it was archived")
            yield match.match_key, envelope

    def _envelope(self, match_key: str, key: SigningKey | None) -> bytes:
        return encoded(envelope_of(self._repository.get_record(match_key)), key)


def _content(content: bytes) -> form.Content:
    return form.Content(size=len(content), sha256=hashlib.sha256(content).digest())


def _head(league: League, *, over: bool) -> form.LeagueHead:
    return form.LeagueHead(
        state=league.state,
        since=league.since,
        reason=league.reason,
        created_at=league.created_at,
        seed=league.seed if over else None,
        seed_commitment=league.seed_commitment,
        entrants=tuple(
            form.Entrant(
                name=entrant.name,
                version=entrant.version,
                author=entrant.author,
                language=entrant.language,
                bundle_sha256=entrant.bundle_sha256,
                state=entrant.state,
                since=entrant.since,
                reason=entrant.reason,
            )
            for entrant in league.entrants
        ),
        redraws=tuple(form.Redraw(**redraw._asdict()) for redraw in league.redraws),
    )


def _attempt(entry: AttemptEntry) -> form.Attempt:
    if entry.ended_at is None:
        raise ValueError("a running attempt is in no archive")
    return form.Attempt(
        number=entry.number,
        status=entry.status,
        cause=entry.cause,
        detail=entry.detail,
        bot=entry.bot,
        standing=None if entry.standing is None else dict(entry.standing),
        started_at=entry.started_at,
        ended_at=entry.ended_at,
        host=entry.host,
        worker=entry.worker,
    )
