from __future__ import annotations

import pytest
from sqlalchemy import event, insert
from sqlalchemy.orm import Session

from referee.core.errors import InputError
from referee.store import rows
from referee.store.repository import Repository
from referee.store.tables import LeagueRow
from tests.support.ledgers import make_league


def test_a_league_that_another_process_begins_in_the_same_moment(repository: Repository) -> None:
    """What the look at the names did not see, the schema refuses."""
    row = rows.league_row(make_league("cup"))
    names = [column.name for column in LeagueRow.__table__.columns if column.name != "id"]

    def be_first(session: Session, *_: object) -> None:
        session.execute(insert(LeagueRow).values({name: getattr(row, name) for name in names}))

    event.listen(Session, "before_flush", be_first, once=True)
    with pytest.raises(InputError, match="league 'cup' in this database already"):
        repository.create_league(make_league("cup"))
