"""The tables of the ledger. What must never be, the schema itself refuses."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from referee.match.conduct import Consequence, Fault, Infraction
from referee.store.entries import AttemptStatus, EntrantState, LeagueState, VoidCause


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, in UTC on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        # SQLite keeps no zone.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, bytes: LargeBinary, str: Text}  # noqa: RUF012


# Names and keys sort by code point, the same on every database, and prefixes use the index.
Key = Annotated[str, mapped_column(String().with_variant(String(collation="C"), "postgresql"))]


def choice(kind: type[StrEnum], name: str) -> Enum:
    """A text column that holds the values of ``kind`` and nothing else."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


def sha256_check(column: str) -> CheckConstraint:
    return CheckConstraint(f"length({column}) = 32", f"{column}_length")


class LeagueRow(Base):
    __tablename__ = "leagues"
    __table_args__ = (
        sha256_check("format_sha256"),
        sha256_check("seed"),
        sha256_check("seed_commitment"),
        sha256_check("archive_sha256"),
        Index("uq_leagues_archive_sha256", "archive_sha256", unique=True),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[Key] = mapped_column(unique=True)
    format: Mapped[str]
    format_sha256: Mapped[bytes]
    seed: Mapped[bytes]
    seed_commitment: Mapped[bytes]
    state: Mapped[LeagueState] = mapped_column(choice(LeagueState, "state"))
    since: Mapped[datetime | None]
    reason: Mapped[str]
    created_at: Mapped[datetime]
    archive_sha256: Mapped[bytes | None]
    """Of an imported league: it is a league of its own, and so are its matches."""


class EntrantRow(Base):
    __tablename__ = "entrants"
    __table_args__ = (sha256_check("bundle_sha256"),)

    league_id: Mapped[int] = mapped_column(ForeignKey("leagues.id"), primary_key=True)
    name: Mapped[Key] = mapped_column(primary_key=True)
    path: Mapped[str]
    version: Mapped[str]
    author: Mapped[str]
    language: Mapped[str]
    bundle_sha256: Mapped[bytes]
    state: Mapped[EntrantState] = mapped_column(choice(EntrantState, "state"))
    since: Mapped[datetime | None]
    reason: Mapped[str]


class LeaseRow(Base):
    """Of a league that is being run."""

    __tablename__ = "leases"

    league_id: Mapped[int] = mapped_column(ForeignKey("leagues.id"), primary_key=True)
    token: Mapped[str]
    host: Mapped[str]
    worker: Mapped[str]
    since: Mapped[datetime]
    beat: Mapped[datetime]
    """By the database's clock, as those of hosts differ."""


class MatchRow(Base):
    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("league_id", "table_key", "deal", "rotation"),
        CheckConstraint(
            "(league_id IS NULL) = (table_key IS NULL)"
            " AND (league_id IS NULL) = (deal IS NULL)"
            " AND (league_id IS NULL) = (rotation IS NULL)",
            "place",
        ),
        CheckConstraint("deal >= 1 AND rotation >= 0", "numbers"),
        CheckConstraint("league_id IS NULL OR NOT imported", "quarantine"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_key: Mapped[Key] = mapped_column(unique=True)
    league_id: Mapped[int | None] = mapped_column(ForeignKey("leagues.id"))
    deal_key: Mapped[Key]
    table_key: Mapped[Key | None]
    deal: Mapped[int | None]
    rotation: Mapped[int | None]
    imported: Mapped[bool]


class RecordRow(Base):
    __tablename__ = "records"
    __table_args__ = (sha256_check("sha256"), sha256_check("play_digest"))

    id: Mapped[int] = mapped_column(primary_key=True)
    sha256: Mapped[bytes] = mapped_column(unique=True)
    record: Mapped[bytes]
    signature: Mapped[bytes | None]
    public_key: Mapped[bytes | None]
    play_digest: Mapped[bytes]


class AttemptRow(Base):
    __tablename__ = "attempts"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        CheckConstraint("number >= 1", "number"),
        CheckConstraint("(status = 'void') = (cause IS NOT NULL)", "void_has_a_cause"),
        CheckConstraint("(status = 'counted') = (record_id IS NOT NULL)", "counted_has_a_record"),
        CheckConstraint("(status = 'running') = (ended_at IS NULL)", "over_has_an_end"),
        Index(
            "uq_attempts_counted",
            "match_id",
            unique=True,
            sqlite_where=text("status = 'counted'"),
            postgresql_where=text("status = 'counted'"),
        ),
        Index(
            "ix_attempts_running",
            "match_id",
            sqlite_where=text("status = 'running'"),
            postgresql_where=text("status = 'running'"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    number: Mapped[int]
    status: Mapped[AttemptStatus] = mapped_column(choice(AttemptStatus, "status"))
    cause: Mapped[VoidCause | None] = mapped_column(choice(VoidCause, "cause"))
    detail: Mapped[str]
    bot: Mapped[str | None]
    standing: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    host: Mapped[str]
    worker: Mapped[str]
    record_id: Mapped[int | None] = mapped_column(ForeignKey("records.id"), unique=True)


class RedrawRow(Base):
    """A deal that is replaced by a further one of its table."""

    __tablename__ = "redraws"
    __table_args__ = (
        UniqueConstraint("league_id", "table_key", "replaced_by"),
        CheckConstraint("deal >= 1 AND replaced_by > deal", "numbers"),
    )

    league_id: Mapped[int] = mapped_column(ForeignKey("leagues.id"), primary_key=True)
    table_key: Mapped[Key] = mapped_column(primary_key=True)
    deal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    replaced_by: Mapped[int]
    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id"), unique=True)
    """The void one that is the cause."""


class SeatRow(Base):
    __tablename__ = "seats"
    __table_args__ = (
        # Empty: a seat that no bundle was started for, such as an author's own process.
        CheckConstraint("length(bundle_sha256) IN (0, 32)", "bundle_sha256_length"),
        CheckConstraint("seat >= 0", "seat"),
        CheckConstraint("place >= 1", "place"),
        CheckConstraint("points >= 0 AND penalty >= 0 AND total >= points", "not_negative"),
        CheckConstraint("NOT (winner AND forfeit)", "forfeit_never_wins"),
        CheckConstraint("NOT winner OR place = 1", "winner_is_first"),
    )

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    bot: Mapped[Key] = mapped_column(index=True)
    version: Mapped[str]
    bundle_sha256: Mapped[bytes]
    points: Mapped[int] = mapped_column(BigInteger)
    penalty: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[int]
    forfeit: Mapped[bool]
    winner: Mapped[bool]
    answer_times: Mapped[str]
    """``AnswerTimes`` as JSON: sum, count and histogram, each bucket less than 1.6% off."""


class GameRow(Base):
    __tablename__ = "games"
    __table_args__ = (CheckConstraint("number >= 1 AND dealer >= 0 AND turns >= 1", "numbers"),)

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    dealer: Mapped[int]
    points: Mapped[list[int]] = mapped_column(JSON)
    turns: Mapped[int]
    tie_break: Mapped[bool]


class InfractionRow(Base):
    __tablename__ = "infractions"
    __table_args__ = (
        ForeignKeyConstraint(["attempt_id", "seat"], ["seats.attempt_id", "seats.seat"]),
        CheckConstraint("game >= 0 AND turn >= 0", "numbers"),
        CheckConstraint("penalty >= 0 AND strikes >= 0", "not_negative"),
    )

    attempt_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The order in the record, from 1."""
    game: Mapped[int]
    turn: Mapped[int]
    seat: Mapped[int]
    kind: Mapped[Infraction] = mapped_column(choice(Infraction, "kind"))
    penalty: Mapped[int] = mapped_column(BigInteger)
    strikes: Mapped[int]
    consequence: Mapped[Consequence] = mapped_column(choice(Consequence, "consequence"))
    fault: Mapped[Fault] = mapped_column(choice(Fault, "fault"))
    detail: Mapped[str]
