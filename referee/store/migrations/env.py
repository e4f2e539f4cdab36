"""Alembic's entry: migrates on the connection and within the transaction it is given."""

from alembic import context

from referee.store.schema import VERSION_TABLE
from referee.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
