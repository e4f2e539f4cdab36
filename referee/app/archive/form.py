"""What stands in an archive: its files in their order, and the JSON in them.

Every value has one form only, the one written here, and a reader refuses any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    PlainSerializer,
    ValidationError,
)

from referee.app.forms import Form, file_name
from referee.app.signing import parse_key, shown_key
from referee.core.errors import VerificationError
from referee.core.text import sanitise
from referee.files.fields import Slug
from referee.league.standings import Row
from referee.store.entries import AttemptStatus, EntrantState, LeagueState, VoidCause

FORMAT_VERSION: Final = 1

MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.sig"
FORMAT: Final = "format.json"
LEAGUE: Final = "league.json"
STANDINGS: Final = "standings.json"
MATCHES: Final = "matches.jsonl"
NAMED: Final = (FORMAT, LEAGUE, STANDINGS, MATCHES)
"""Those whose digests stand in the manifest, in their order."""

MOST_BYTES: Final = 8 * 2**20
"""Of each of these files but ``MATCHES``."""
LONGEST_LINE: Final = 2**20
"""Bytes of a line of ``MATCHES``."""
_MOST_TOLD: Final = 200
_MOST_NUMBER: Final = 2**31 - 1

T = TypeVar("T", bound=BaseModel)


def record_file(match_key: str) -> str:
    return f"records/{file_name(match_key, Form.PB)}"


def _from_hex(value: object) -> object:
    return bytes.fromhex(value) if isinstance(value, str) else value


def _from_key(value: object) -> object:
    return parse_key(value) if isinstance(value, str) else value


def _clean(text: str) -> str:
    if sanitise(text) != text:
        raise ValueError("control characters")
    return text


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


_Moment = Annotated[AwareDatetime, AfterValidator(_utc)]
_Number = Annotated[int, Field(ge=0, le=_MOST_NUMBER)]
_Text = Annotated[str, AfterValidator(_clean)]
_Bytes32 = Annotated[
    bytes,
    BeforeValidator(_from_hex),
    Field(min_length=32, max_length=32),
    PlainSerializer(bytes.hex, when_used="json"),
]

_PublicKey = Annotated[
    bytes, BeforeValidator(_from_key), PlainSerializer(shown_key, when_used="json")
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Content(_Part):
    """Which bytes a file has."""

    size: int = Field(ge=0, lt=8**11)
    sha256: _Bytes32


class Manifest(_Part):
    """``MANIFEST``: the whole archive, by digests of digests."""

    format_version: Literal[1] = FORMAT_VERSION
    league: Slug
    matches: _Number
    """That count, each with its record."""
    public_key: _PublicKey | None
    """Whose signature over this file's bytes is in ``SIGNATURE``."""
    files: dict[str, Content]
    """By name, those of ``NAMED``."""


class Entrant(_Part):
    name: Slug
    version: _Text
    author: _Text
    language: _Text
    bundle_sha256: _Bytes32
    state: EntrantState
    since: _Moment | None
    reason: _Text


class Redraw(_Part):
    """A deal that is replaced, and the void attempt that is the cause."""

    table: _Text
    replaced_by: _Number
    deal: _Number
    rotation: _Number
    attempt: _Number


class LeagueHead(_Part):
    """``LEAGUE``: what the league's file does not say."""

    state: LeagueState
    since: _Moment | None
    reason: _Text
    created_at: _Moment
    seed: _Bytes32 | None
    """``None`` where the league was not over: it tells the deals that come."""
    seed_commitment: _Bytes32
    entrants: Annotated[tuple[Entrant, ...], FailFast()]
    """By name."""
    redraws: Annotated[tuple[Redraw, ...], FailFast()]
    """By table, in the order in which they were made."""

    @property
    def gone(self) -> frozenset[str]:
        """Entrants that played no more."""
        return frozenset(one.name for one in self.entrants if one.state is not EntrantState.IN)

    @property
    def disqualified(self) -> frozenset[str]:
        """Entrants whose matches make no standings."""
        return frozenset(
            one.name for one in self.entrants if one.state is EntrantState.DISQUALIFIED
        )


class Attempt(_Part):
    """One attempt at a match."""

    number: _Number
    status: AttemptStatus
    cause: VoidCause | None
    detail: _Text
    bot: _Text | None
    standing: dict[_Text, _Number] | None
    started_at: _Moment
    ended_at: _Moment
    host: _Text
    worker: _Text


class Match(_Part):
    """A line of ``MATCHES``: one match, with all attempts at it."""

    match_key: str
    attempts: Annotated[tuple[Attempt, ...], FailFast()]
    record: Content | None
    """The envelope in ``record_file``, where an attempt counts."""


class _Version(BaseModel):
    format_version: int


def encode(part: BaseModel) -> bytes:
    """One line of ASCII, with its end."""
    return _line(part.model_dump(mode="json"))


def decode(kind: type[T], data: bytes, where: str) -> T:
    """The inverse of ``encode``. Raises ``VerificationError`` on anything else."""
    try:
        part = kind.model_validate_json(data)
    except ValidationError as error:
        raise VerificationError(f"{where}: {told(error)}") from error
    if encode(part) != data:
        raise VerificationError(f"{where}: it is not written as a referee writes it")
    return part


def decode_manifest(data: bytes) -> Manifest:
    """Raises ``VerificationError``; a version that this referee does not read is named."""
    try:
        version = _Version.model_validate_json(data).format_version
    except ValidationError as error:
        raise VerificationError(f"{MANIFEST}: {told(error)}") from error
    if version != FORMAT_VERSION:
        raise VerificationError(
            f"{MANIFEST}: format_version is {version}; this referee reads {FORMAT_VERSION}"
        )
    manifest = decode(Manifest, data, MANIFEST)
    if sorted(manifest.files) != sorted(NAMED):
        raise VerificationError(f"{MANIFEST}: files are not just {', '.join(NAMED)}")
    return manifest


def encode_standings(rows: Iterable[Row]) -> bytes:
    """The rows by their field names."""
    return _line([asdict(row) for row in rows])


def _line(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"{text}\n".encode("ascii")


def told(error: ValidationError) -> str:
    """The first thing that is wrong."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    return sanitise(f"{where}: {first['msg']}" if where else first["msg"])[:_MOST_TOLD]
