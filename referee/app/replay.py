"""Records from the database or from files: loaded, checked, written out, brought in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.app.envelopes import check_signature, encoded, envelope_of, stored_record
from referee.app.forms import Form
from referee.app.secrecy import HELD_BACK, is_secret
from referee.app.signing import shown_key
from referee.core.errors import InputError, VerificationError
from referee.files.reading import read_file, shown
from referee.league.results import SeatResult, seat_results
from referee.match.record import MatchRecord, Result
from referee.match.recorded import Difference
from referee.match.verify import verify, verify_transcript
from referee.rpc.codec import (
    Envelope,
    decode_envelope,
    decode_record,
    decode_record_json,
    record_json,
)
from referee.store.entries import CountedAttempt, ImportedMatch
from referee.store.repository import Repository

if TYPE_CHECKING:
    from referee.app.ed25519 import SigningKey

MOST_MIB: Final = 64
"""Of a record in a file."""


@dataclass(frozen=True, slots=True)
class Held:
    """A match to look at, from wherever it came."""

    name: str
    """Its match key, or its file."""
    transcript: str
    record: MatchRecord | None
    """``None`` where there is the transcript alone."""
    envelope: Envelope | None
    """``None`` where the record's own bytes are not there."""
    league_seed: bytes | None = None
    """Where it is known, the verifier uses it."""
    counted: CountedAttempt | None = None
    """What the database says beside the record; standings are made of it."""
    imported: bool = False
    """The database has it from a file."""
    secret: bool = False
    """Another rotation of its deal is still to be played: nothing of it may be shown (§10.4)."""


def load_match(repository: Repository, match_key: str) -> Held:
    """A match from the database. Raises NotFoundError where there is none, or none counts."""
    entry = repository.get_match(match_key).entry
    stored = repository.get_record(match_key)
    held = _of_envelope(match_key, envelope_of(stored))
    held = replace(held, counted=entry.counted, imported=entry.imported)
    if entry.league is None:
        return held
    league = repository.get_league(entry.league)
    return replace(held, league_seed=league.seed, secret=is_secret(repository, match_key))


def counted_keys(repository: Repository, league: str) -> list[str]:
    """The matches of a league that count, by table, deal and rotation."""
    return [
        entry.match_key
        for entry in repository.list_matches(league)
        if entry.counted and entry.replaced_by is None
    ]


def _of_envelope(name: str, envelope: Envelope) -> Held:
    record = decode_record(envelope.record)
    return Held(name, record.transcript, record, envelope)


def load_file(path: Path) -> Held:
    """A match from a file of any of the three forms, told apart by what it holds.

    Raises InputError where it cannot be read, VerificationError, naming the file, where it
    holds no match or was altered or cut.
    """
    content = read_file(path, MOST_MIB)
    name = shown(path)
    try:
        if content.lstrip().startswith(b"{"):
            record = decode_record_json(content)
            return Held(name, record.transcript, record, None)
        if content.startswith(b"elfer "):
            return Held(name, content.decode("utf-8"), None, None)
        return _of_envelope(name, decode_envelope(content))
    except UnicodeDecodeError as error:
        raise VerificationError(f"{name}: not UTF-8 at byte {error.start}") from error
    except VerificationError as error:
        raise VerificationError(f"{name}: {error}") from error


def load_envelope(path: Path) -> Held:
    """A match from the one form that can be brought in. Raises as ``load_file``."""
    held = load_file(path)
    if held.envelope is None:
        raise InputError(
            f"{held.name}: only envelopes (--format {Form.PB}) can be imported; "
            "this is another form of a match"
        )
    return held


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a match holds."""

    match: str
    """Its key, or its file."""
    holds: bool
    problem: str | None
    """The first thing that differs, or why it cannot be read."""
    signed_by: str | None
    """The public key whose signature it bears, where it holds."""


def judge(name: str, load: Callable[[], Held], key: bytes | None = None) -> Verdict:
    """Load a match and verify it. What is wrong with its bytes is found and not raised.

    ``key`` is the public key that has to have signed it.
    """
    try:
        held = load()
    except VerificationError as error:
        problem = str(error).removeprefix(f"{name}: ")
        return Verdict(name, holds=False, problem=problem, signed_by=None)
    difference = check(held, key)
    if difference is not None:
        problem = f"{difference.where}: {HELD_BACK} (§10.4)" if held.secret else str(difference)
        return Verdict(held.name, holds=False, problem=problem, signed_by=None)
    signer = held.envelope.public_key if held.envelope is not None else b""
    return Verdict(
        held.name, holds=True, problem=None, signed_by=shown_key(signer) if signer else None
    )


def check(held: Held, key: bytes | None = None) -> Difference | None:
    """The first thing that differs, or ``None`` when the match holds.

    ``key`` is the public key that has to have signed it. Raises RefereeError where there is a
    signature and nothing installed to check it.
    """
    difference = check_signature(held.envelope, key)
    if difference is not None:
        return difference
    if held.record is None:
        return verify_transcript(held.transcript)
    difference = verify(held.record, held.league_seed)
    if difference is None and held.counted is not None:
        difference = _check_database(held.record, held.counted)
    return difference


def _check_database(record: MatchRecord, counted: CountedAttempt) -> Difference | None:
    """Where the database tells otherwise than the record that it keeps."""
    pairs = [
        (
            f"result.{field.name}",
            getattr(record.result, field.name),
            getattr(counted.result, field.name),
        )
        for field in fields(Result)
    ]
    pairs += [
        (f"seats[{seat}].{field.name}", getattr(ours, field.name), getattr(theirs, field.name))
        for seat, (ours, theirs) in enumerate(zip(seat_results(record), counted.seats, strict=True))
        for field in fields(SeatResult)
    ]
    pairs += [
        ("attempt", record.attempt, counted.number),
        ("play_digest", record.play_digest.hex(), counted.play_digest.hex()),
    ]
    for where, expected, found in pairs:
        if expected != found:
            return Difference(f"the database's {where}", str(expected), str(found))
    return None


def bring_in(repository: Repository, matches: Sequence[Held]) -> list[ImportedMatch]:
    """Keep matches from envelopes, each under a key of its own; they count in no league.

    All are verified before the first is kept. Raises VerificationError at the first that does
    not hold.
    """
    for held in matches:
        if difference := check(held):
            raise VerificationError(f"{held.name}: does not hold: {difference}")
    return [_bring_in(repository, held) for held in matches]


def _bring_in(repository: Repository, held: Held) -> ImportedMatch:
    if held.record is None or held.envelope is None:
        raise ValueError("only envelopes are brought in")
    return repository.import_record(held.record, stored_record(held.envelope))


def written(held: Held, form: Form, key: SigningKey | None = None) -> bytes:
    """A match from the database in one of the forms.

    With ``key`` the envelope of a match that was played here is signed.
    """
    if form is Form.TRANSCRIPT:
        return held.transcript.encode()
    if held.envelope is None:
        raise ValueError("a match from the database has its envelope")
    if form is Form.JSON:
        return record_json(held.envelope.record).encode()
    return encoded(held.envelope, None if held.imported else key)
