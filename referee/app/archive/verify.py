"""Verifies an archive, with nothing but the file: all that can be derived is derived again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from referee.app.archive import form
from referee.app.archive.read import ArchiveReader, opened
from referee.app.envelopes import check_signature
from referee.app.signing import shown_key, signed_by
from referee.core.dice import commitment
from referee.core.errors import VerificationError
from referee.core.text import sanitise
from referee.files.reading import shown
from referee.league.format import LeagueFormat
from referee.league.results import MatchResult, match_result
from referee.league.schedule import Place, places, size
from referee.league.standings import standings
from referee.league.terms import Terms
from referee.match.record import MatchRecord, SeatRecord
from referee.match.recorded import DiffersError
from referee.match.verify import verify
from referee.rpc.codec import decode_record
from referee.store.entries import AttemptStatus, LeagueState

Counting = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Shows how many of so many matches are done: what it gives is called after each."""


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
        rows = standings(_results(archive, league, one_more))
    _check_standings(archive.standings, form.encode_standings(rows))


def _same(where: str, expected: object, found: object) -> None:
    if expected != found:
        raise DiffersError(where, expected, found)


def _check_archive_signature(archive: ArchiveReader, key: bytes | None) -> None:
    signer, signature = archive.manifest.public_key, archive.signature
    if key is not None:
        found = "none" if signer is None else f"one by {shown_key(signer)}"
        _same("signature", f"one by {shown_key(key)}", found)
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
    _same(f"entrants of {form.LEAGUE}", names, tuple(one.name for one in archive.head.entrants))
    return league


def _check_head(archive: ArchiveReader, league: LeagueFormat) -> None:
    manifest, head = archive.manifest, archive.head
    _same(f"league of {form.MANIFEST}", league.name, manifest.league)
    over = head.state is LeagueState.FINISHED
    if over != (head.seed is not None):
        expected = "one" if over else "none, as the league is not over"
        raise DiffersError(f"seed of {form.LEAGUE}", expected, "none" if over else "one")
    if head.seed is not None:
        _same(
            f"seed_commitment of {form.LEAGUE}",
            commitment(head.seed).hex(),
            head.seed_commitment.hex(),
        )
    if over:
        _same(f"matches of {form.MANIFEST}", size(league).matches, manifest.matches)


def _results(
    archive: ArchiveReader, league: LeagueFormat, one_more: Callable[[], None]
) -> Iterator[MatchResult]:
    """What each match gives the standings, once it holds."""
    place_of = places(league)
    records = _Records(archive.head, league)
    last: Place | None = None
    count = 0
    for line in archive.matches():
        key = line.match_key
        place = place_of(key)
        if place is None:
            raise DiffersError(form.MATCHES, "a match of the league", sanitise(key))
        if last is not None and place <= last:
            before = "/".join(map(str, (league.name, *last)))
            raise DiffersError(form.MATCHES, f"a match that comes after {before}", key)
        last = place
        envelope = archive.envelope(line)
        try:
            counted = _counted(line)
            if envelope is None or counted is None:
                continue
            if difference := check_signature(envelope):
                raise DiffersError(*difference)
            record = decode_record(envelope.record)
            records.check(record, key, counted)
        except VerificationError as error:
            raise VerificationError(f"{key}: {error}") from error
        count += 1
        yield match_result(record)
        one_more()
    _same("number of matches that count", archive.manifest.matches, count)


def _counted(line: form.Match) -> form.Attempt | None:
    """The attempt that counts, where one does."""
    numbers = [attempt.number for attempt in line.attempts]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        raise DiffersError("numbers of its attempts", "1, 2, 3 and so on", numbers)
    for attempt in line.attempts:
        if attempt.status is AttemptStatus.RUNNING:
            raise DiffersError(f"attempt {attempt.number}", "one that has ended", "a running one")
        if (attempt.status is AttemptStatus.VOID) != (attempt.cause is not None):
            raise DiffersError(
                f"attempt {attempt.number}", "a cause where it is void", attempt.cause
            )
    counted = [one for one in line.attempts if one.status is AttemptStatus.COUNTED]
    _same("attempts that count", 0 if line.record is None else 1, len(counted))
    return counted[0] if counted else None


class _Records:
    """Checks records against their league, and by playing them again."""

    def __init__(self, head: form.LeagueHead, league: LeagueFormat) -> None:
        self._head = head
        self._name = league.name
        self._terms = Terms.of(league)
        self._entrants = {entrant.name: entrant for entrant in head.entrants}

    def check(self, record: MatchRecord, match_key: str, attempt: form.Attempt) -> None:
        """Raises ``DiffersError``."""
        _same("league", self._name, record.league)
        _same("match_key", match_key, record.match_key)
        _same("attempt", attempt.number, record.attempt)
        _same("end_time", attempt.ended_at, record.end_time)
        _same("seed_commitment", self._head.seed_commitment.hex(), record.seed_commitment.hex())
        if difference := self._terms.difference(record):
            raise DiffersError(*difference)
        for seat in record.seats:
            self._check_seat(seat)
        if difference := verify(record, self._head.seed):
            raise DiffersError(*difference)

    def _check_seat(self, seat: SeatRecord) -> None:
        entrant = self._entrants.get(seat.bot)
        where = f"seats[{seat.seat}]"
        if entrant is None:
            raise DiffersError(f"{where}.bot", "an entrant", sanitise(seat.bot))
        _same(f"{where}.bundle_sha256", entrant.bundle_sha256.hex(), seat.bundle_sha256.hex())
        for name in ("version", "author", "language"):
            _same(f"{where}.{name}", getattr(entrant, name), sanitise(getattr(seat, name)))


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
            _same(
                f"{form.STANDINGS}, row {index + 1}: {sanitise(name)}",
                want.get(name),
                have.get(name),
            )
    _same(f"rows of {form.STANDINGS}", len(wanted), len(rows))
    raise VerificationError(f"{form.STANDINGS}: it is not written as a referee writes it")
