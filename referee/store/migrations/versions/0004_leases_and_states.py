"""Who runs a league; leagues that are paused or cancelled, entrants that left."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)
BYTES = sa.LargeBinary()
STATES = "state IN ('open', 'paused', 'cancelled', 'finished')"
ENTRANT_STATES = "state IN ('in', 'withdrawn', 'disqualified')"

OLD_COLUMNS = (
    "id, name, format, format_sha256, seed, seed_commitment, state, created_at, archive_sha256"
)

ENTRANTS = sa.Table(
    "entrants",
    sa.MetaData(),
    sa.Column("league_id", sa.Integer(), nullable=False),
    sa.Column("name", KEY, nullable=False),
    sa.Column("path", sa.Text(), nullable=False),
    sa.Column("version", sa.Text(), nullable=False),
    sa.Column("author", sa.Text(), nullable=False),
    sa.Column("language", sa.Text(), nullable=False),
    sa.Column("bundle_sha256", BYTES, nullable=False),
    sa.CheckConstraint("length(bundle_sha256) = 32", name="ck_entrants_bundle_sha256_length"),
    sa.ForeignKeyConstraint(["league_id"], ["leagues.id"], name="fk_entrants_league_id_leagues"),
    sa.PrimaryKeyConstraint("league_id", "name", name="pk_entrants"),
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        make_leagues_anew()
    else:
        op.drop_constraint(op.f("ck_leagues_state"), "leagues", type_="check")
        op.create_check_constraint(op.f("ck_leagues_state"), "leagues", STATES)
        op.add_column("leagues", sa.Column("since", MOMENT, nullable=True))
        op.add_column("leagues", sa.Column("reason", sa.Text(), nullable=False, server_default=""))
        op.alter_column("leagues", "reason", server_default=None)
    with op.batch_alter_table("entrants", copy_from=ENTRANTS) as batch:
        batch.add_column(sa.Column("state", sa.String(32), nullable=False, server_default="in"))
        batch.add_column(sa.Column("since", MOMENT, nullable=True))
        batch.add_column(sa.Column("reason", sa.Text(), nullable=False, server_default=""))
        batch.create_check_constraint(op.f("ck_entrants_state"), sa.text(ENTRANT_STATES))
    with op.batch_alter_table("entrants") as batch:
        batch.alter_column("state", existing_type=sa.String(32), server_default=None)
        batch.alter_column("reason", existing_type=sa.Text(), server_default=None)
    op.create_table(
        "leases",
        sa.Column("league_id", sa.Integer(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("beat", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["league_id"], ["leagues.id"], name=op.f("fk_leases_league_id_leagues")
        ),
        sa.PrimaryKeyConstraint("league_id", name=op.f("pk_leases")),
    )


def make_leagues_anew() -> None:
    """SQLite cannot change a check, nor rename a table that others refer to while it is gone.

    What refers to a league is counted as violated when it goes and as mended when it comes again.
    """
    op.execute("PRAGMA defer_foreign_keys = ON")
    op.execute("CREATE TABLE leagues_before AS SELECT * FROM leagues")
    op.drop_table("leagues")
    op.create_table(
        "leagues",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", KEY, nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("format_sha256", BYTES, nullable=False),
        sa.Column("seed", BYTES, nullable=False),
        sa.Column("seed_commitment", BYTES, nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("since", MOMENT, nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("archive_sha256", BYTES, nullable=True),
        sa.CheckConstraint(
            "length(format_sha256) = 32", name=op.f("ck_leagues_format_sha256_length")
        ),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_leagues_seed_length")),
        sa.CheckConstraint(
            "length(seed_commitment) = 32", name=op.f("ck_leagues_seed_commitment_length")
        ),
        sa.CheckConstraint(
            "length(archive_sha256) = 32", name=op.f("ck_leagues_archive_sha256_length")
        ),
        sa.CheckConstraint(STATES, name=op.f("ck_leagues_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
        sa.UniqueConstraint("name", name=op.f("uq_leagues_name")),
    )
    op.execute(
        f"INSERT INTO leagues ({OLD_COLUMNS}, reason) SELECT {OLD_COLUMNS}, '' FROM leagues_before"
    )
    op.drop_table("leagues_before")
    op.create_index(op.f("uq_leagues_archive_sha256"), "leagues", ["archive_sha256"], unique=True)
