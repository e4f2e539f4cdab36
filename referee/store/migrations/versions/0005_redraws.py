"""Deals that are replaced by further ones of their table."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "redraws",
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("table_key", KEY, nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("replaced_by", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.CheckConstraint("deal >= 1 AND replaced_by > deal", name=op.f("ck_redraws_numbers")),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_redraws_league_id_leagues")
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_redraws_attempt_id_attempts")
        ),
        sa.PrimaryKeyConstraint("league_id", "table_key", "deal", name=op.f("pk_redraws")),
        sa.UniqueConstraint(
            "league_id",
            "table_key",
            "replaced_by",
            name=op.f("uq_redraws_league_id_table_key_replaced_by"),
        ),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_redraws_attempt_id")),
    )
