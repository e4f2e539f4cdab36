"""The ledger: leagues, matches and their attempts, results, records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)
BYTES = sa.LargeBinary()


def choice(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("format_sha256", BYTES, nullable=False),
        sa.Column("seed", BYTES, nullable=False),
        sa.Column("seed_commitment", BYTES, nullable=False),
        sa.Column("state", choice("state", "open", "finished"), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint(
            "length(format_sha256) = 32", name=op.f("ck_leagues_format_sha256_length")
        ),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_leagues_seed_length")),
        sa.CheckConstraint(
            "length(seed_commitment) = 32", name=op.f("ck_leagues_seed_commitment_length")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
        sa.UniqueConstraint("name", name=op.f("uq_leagues_name")),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", BYTES, nullable=False),
        sa.Column("record", BYTES, nullable=False),
        sa.Column("signature", BYTES, nullable=True),
        sa.Column("public_key", BYTES, nullable=True),
        sa.Column("play_digest", BYTES, nullable=False),
        sa.CheckConstraint("length(play_digest) = 32", name=op.f("ck_records_play_digest_length")),
        sa.CheckConstraint("length(sha256) = 32", name=op.f("ck_records_sha256_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_records")),
        sa.UniqueConstraint("sha256", name=op.f("uq_records_sha256")),
    )
    op.create_table(
        "entrants",
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("bundle_sha256", BYTES, nullable=False),
        sa.CheckConstraint(
            "length(bundle_sha256) = 32", name=op.f("ck_entrants_bundle_sha256_length")
        ),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_entrants_league_id_leagues")
        ),
        sa.PrimaryKeyConstraint("league_id", "name", name=op.f("pk_entrants")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_key", KEY, nullable=False),
        sa.Column("league_id", sa.Integer(), nullable=True),
        sa.Column("deal_key", KEY, nullable=False),
        sa.Column("table_key", KEY, nullable=True),
        sa.Column("deal", sa.Integer(), nullable=True),
        sa.Column("rotation", sa.Integer(), nullable=True),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "(league_id IS NULL) = (table_key IS NULL)"
            " AND (league_id IS NULL) = (deal IS NULL)"
            " AND (league_id IS NULL) = (rotation IS NULL)",
            name=op.f("ck_matches_place"),
        ),
        sa.CheckConstraint("deal >= 1 AND rotation >= 0", name=op.f("ck_matches_numbers")),
        sa.CheckConstraint("league_id IS NULL OR NOT imported", name=op.f("ck_matches_quarantine")),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_matches_league_id_leagues")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint(
            "league_id",
            "table_key",
            "deal",
            "rotation",
            name=op.f("uq_matches_league_id_table_key_deal_rotation"),
        ),
        sa.UniqueConstraint("match_key", name=op.f("uq_matches_match_key")),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", choice("status", "running", "counted", "void"), nullable=False),
        sa.Column("cause", choice("cause", "interrupted", "referee", "host"), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(status = 'counted') = (record_id IS NOT NULL)",
            name=op.f("ck_attempts_counted_has_a_record"),
        ),
        sa.CheckConstraint(
            "(status = 'running') = (ended_at IS NULL)", name=op.f("ck_attempts_over_has_an_end")
        ),
        sa.CheckConstraint(
            "(status = 'void') = (cause IS NOT NULL)", name=op.f("ck_attempts_void_has_a_cause")
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_attempts_number")),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_attempts_match_id_matches")
        ),
        sa.ForeignKeyConstraint(
            ["record_id"], ["records.id"], name=op.f("fk_attempts_record_id_records")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint("match_id", "number", name=op.f("uq_attempts_match_id_number")),
        sa.UniqueConstraint("record_id", name=op.f("uq_attempts_record_id")),
    )
    op.create_index(
        "ix_attempts_running",
        "attempts",
        ["match_id"],
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "uq_attempts_counted",
        "attempts",
        ["match_id"],
        unique=True,
        sqlite_where=sa.text("status = 'counted'"),
        postgresql_where=sa.text("status = 'counted'"),
    )
    op.create_table(
        "games",
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("tie_break", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "number >= 1 AND dealer >= 0 AND turns >= 1", name=op.f("ck_games_numbers")
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_games_attempt_id_attempts")
        ),
        sa.PrimaryKeyConstraint("attempt_id", "number", name=op.f("pk_games")),
    )
    op.create_table(
        "seats",
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bot", KEY, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("bundle_sha256", BYTES, nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("penalty", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("forfeit", sa.Boolean(), nullable=False),
        sa.Column("winner", sa.Boolean(), nullable=False),
        sa.Column("answer_times", sa.Text(), nullable=False),
        sa.CheckConstraint("NOT (winner AND forfeit)", name=op.f("ck_seats_forfeit_never_wins")),
        sa.CheckConstraint("NOT winner OR place = 1", name=op.f("ck_seats_winner_is_first")),
        sa.CheckConstraint(
            "length(bundle_sha256) IN (0, 32)", name=op.f("ck_seats_bundle_sha256_length")
        ),
        sa.CheckConstraint("place >= 1", name=op.f("ck_seats_place")),
        sa.CheckConstraint(
            "points >= 0 AND penalty >= 0 AND total >= points", name=op.f("ck_seats_not_negative")
        ),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat")),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_seats_attempt_id_attempts")
        ),
        sa.PrimaryKeyConstraint("attempt_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_bot"), "seats", ["bot"])
    op.create_table(
        "infractions",
        sa.Column("attempt_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            choice(
                "kind",
                "resigned",
                "start_failure",
                "crashed",
                "disconnected",
                "protocol_violation",
                "flood",
                "late",
                "malformed",
                "illegal",
                "wrong_seat",
                "early",
                "duplicate",
                "stale",
            ),
            nullable=False,
        ),
        sa.Column("penalty", sa.BigInteger(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column(
            "consequence",
            choice("consequence", "none", "retry", "house", "forfeit"),
            nullable=False,
        ),
        sa.Column("fault", choice("fault", "bot", "referee", "host"), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.CheckConstraint("game >= 0 AND turn >= 0", name=op.f("ck_infractions_numbers")),
        sa.CheckConstraint(
            "penalty >= 0 AND strikes >= 0", name=op.f("ck_infractions_not_negative")
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id", "seat"],
            ["seats.attempt_id", "seats.seat"],
            name=op.f("fk_infractions_attempt_id_seat_seats"),
        ),
        sa.PrimaryKeyConstraint("attempt_id", "number", name=op.f("pk_infractions")),
    )
