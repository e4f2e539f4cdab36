"""Leagues that are imported from archives."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    check = sa.CheckConstraint(
        "length(archive_sha256) = 32", name=op.f("ck_leagues_archive_sha256_length")
    )
    op.add_column("leagues", sa.Column("archive_sha256", sa.LargeBinary(), check, nullable=True))
    op.create_index(op.f("uq_leagues_archive_sha256"), "leagues", ["archive_sha256"], unique=True)
