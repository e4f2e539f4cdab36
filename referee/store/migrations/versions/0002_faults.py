"""Where a void attempt broke off, and restarts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def one_of(column: str, *values: str) -> str:
    return f"{column} IN ({', '.join(map(repr, values))})"


# SQLite changes a check by making the table anew, and cannot read checks back from the old one.
INFRACTIONS = sa.Table(
    "infractions",
    sa.MetaData(),
    sa.Column("attempt_id", sa.Integer(), autoincrement=False, nullable=False),
    sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
    sa.Column("game", sa.Integer(), nullable=False),
    sa.Column("turn", sa.Integer(), nullable=False),
    sa.Column("seat", sa.Integer(), nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("penalty", sa.BigInteger(), nullable=False),
    sa.Column("strikes", sa.Integer(), nullable=False),
    sa.Column("consequence", sa.String(32), nullable=False),
    sa.Column("fault", sa.String(32), nullable=False),
    sa.Column("detail", sa.Text(), nullable=False),
    sa.CheckConstraint("game >= 0 AND turn >= 0", name="ck_infractions_numbers"),
    sa.CheckConstraint("penalty >= 0 AND strikes >= 0", name="ck_infractions_not_negative"),
    sa.CheckConstraint(
        one_of(
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
        name="ck_infractions_kind",
    ),
    sa.CheckConstraint(
        one_of("consequence", "none", "retry", "house", "forfeit"),
        name="ck_infractions_consequence",
    ),
    sa.CheckConstraint(one_of("fault", "bot", "referee", "host"), name="ck_infractions_fault"),
    sa.ForeignKeyConstraint(
        ["attempt_id", "seat"],
        ["seats.attempt_id", "seats.seat"],
        name="fk_infractions_attempt_id_seat_seats",
    ),
    sa.PrimaryKeyConstraint("attempt_id", "number", name="pk_infractions"),
)


def upgrade() -> None:
    op.add_column("attempts", sa.Column("bot", sa.Text(), nullable=True))
    op.add_column("attempts", sa.Column("standing", sa.JSON(), nullable=True))
    with op.batch_alter_table("infractions", copy_from=INFRACTIONS) as batch:
        batch.drop_constraint(op.f("ck_infractions_consequence"), type_="check")
        batch.create_check_constraint(
            op.f("ck_infractions_consequence"),
            sa.text(one_of("consequence", "none", "retry", "house", "restart", "forfeit")),
        )
