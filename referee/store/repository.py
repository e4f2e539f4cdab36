"""The ledger's use cases. Plain data goes in and comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from referee.core.errors import InputError
from referee.core.text import sanitise
from referee.league.redraws import Redraw
from referee.league.schedule import MatchPlan
from referee.match.record import MatchRecord
from referee.store import importing, leases, lookup, rows, states
from referee.store.database import Database
from referee.store.entries import (
    ArchivedMatch,
    AttemptEntry,
    AttemptStatus,
    EntrantState,
    HeldLease,
    ImportedMatch,
    League,
    LeagueState,
    Lease,
    OpenAttempt,
    StoredRecord,
    VoidCause,
)
from referee.store.failures import AlreadyCountedError, NotRunningError, NotToBePlayedError
from referee.store.keeping import keep_record, keep_results
from referee.store.keeping import void as void_attempts
from referee.store.reading import Reading
from referee.store.redraws import replace_deal
from referee.store.tables import AttemptRow, LeagueRow, MatchRow

_ENDED: Final = "the referee ended before the match did"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Repository(Reading):
    """Leagues, the attempts at their matches, and what counts.

    Every method that writes is one transaction: it raises ``StoreError`` when the database
    fails, and then nothing of it is written. Those that take a league's name raise
    ``NotFoundError`` when there is no such league.
    """

    def __init__(self, database: Database, now: Callable[[], datetime] = _utc_now) -> None:
        super().__init__(database)
        self._now = now

    def create_league(self, league: League) -> None:
        """Raises ``InputError`` when the name is taken, which tells who runs that league."""

        def create(session: Session) -> None:
            found = session.scalar(select(LeagueRow).where(LeagueRow.name == league.name))
            if found is not None:
                # Where two begin a league at once, the second is told of the first.
                if holder := leases.held(session, found):
                    raise leases.run_already(holder)
                raise _taken(league)
            row = rows.league_row(league)
            session.add(row)
            try:
                session.flush()
            except IntegrityError:
                # In the same moment another process began it: only the schema saw that.
                raise _taken(league) from None
            session.add_all(rows.entrant_rows(row.id, league))

        self._database.write(create)

    def take_lease(
        self,
        league: str,
        may_take: Callable[[HeldLease], bool],
        *,
        host: str,
        worker: str,
        redraw_above: int | None = None,
    ) -> Lease:
        """Become the one who runs a league; one that is paused goes on.

        Attempts that were left running are void, and with ``redraw_above`` their deals are
        replaced, see ``void``. ``may_take`` says of whoever has the lease whether it can be taken
        from them. Raises ``InputError`` when it cannot, and when nothing
        of the league is to be played any more.
        """
        lease = leases.new_lease(league, host, worker, self._now())

        def take(session: Session) -> Lease:
            row = leases.take(session, lease, may_take)
            left = states.void_running(session, row, _ENDED, self._now())
            if redraw_above is not None:
                for attempt in left:
                    replace_deal(session, attempt, redraw_above, self._now())
            return lease

        return self._database.write(take)

    def beat(self, lease: Lease) -> League:
        """Give a sign of life. Returns the league as it stands.

        Raises ``LeaseLostError``, as everything here that takes a lease.
        """

        def beat(session: Session) -> League:
            return lookup.league(session, leases.prove(session, lease))

        return self._database.write(beat)

    def release_lease(self, lease: Lease) -> None:
        """Let others run the league. Nothing happens where somebody does already.

        It is tried once.
        """
        with self._database.writing() as session:
            leases.release(session, lease)

    def finish_league(self, lease: Lease) -> None:
        """Nothing is left to be played: from here the league's seed may be shown."""

        def finish(session: Session) -> None:
            league = leases.prove(session, lease)
            if not league.state.over:
                league.state, league.since, league.reason = LeagueState.FINISHED, self._now(), ""

        self._database.write(finish)

    def set_league(self, name: str, state: LeagueState, reason: str = "") -> None:
        """Pause a league or cancel it; what is being played of one that is cancelled is void.

        Raises ``InputError`` when it is so already, or over.
        """
        self._database.write(
            lambda session: states.set_league(session, name, state, reason, self._now())
        )

    def set_entrant(self, league: str, bot: str, state: EntrantState, reason: str = "") -> None:
        """Let a bot play no more; what is being played at its tables is void.

        Raises ``NotFoundError`` when there is no such bot, ``InputError`` when it left already.
        """
        self._database.write(
            lambda session: states.set_entrant(session, league, bot, state, reason, self._now())
        )

    def open_attempts(self, lease: Lease, plans: Sequence[MatchPlan]) -> list[OpenAttempt]:
        """Begin the next attempt at each match of a sitting, in the order given.

        Raises ``AlreadyCountedError`` when one of the matches counts, ``NotToBePlayedError``
        when the league is over or one of the bots plays no more.
        """

        def open_all(session: Session) -> list[OpenAttempt]:
            league = leases.prove(session, lease)
            gone = lookup.league(session, league).gone
            for plan in plans:
                if league.state.over or not gone.isdisjoint(plan.bots):
                    raise NotToBePlayedError(plan.match_key)
            return [
                self._open(
                    session, rows.match_row(league.id, plan), lease.host, lease.worker, lease
                )
                for plan in plans
            ]

        return self._database.write(open_all)

    def open_single(self, match_key: str, *, host: str, worker: str) -> OpenAttempt:
        """Begin the next attempt at a match of no league.

        Raises ``AlreadyCountedError`` when the match counts.
        """

        def open_one(session: Session) -> OpenAttempt:
            match = MatchRow(match_key=match_key, deal_key=match_key, imported=False)
            return self._open(session, match, host, worker)

        return self._database.write(open_one)

    def _open(
        self,
        session: Session,
        match: MatchRow,
        host: str,
        worker: str,
        lease: Lease | None = None,
    ) -> OpenAttempt:
        key = match.match_key
        match_id = session.scalar(select(MatchRow.id).where(MatchRow.match_key == key))
        if match_id is None:
            session.add(match)
            session.flush()
            match_id = match.id
        earlier = session.execute(
            select(AttemptRow.number, AttemptRow.status).where(AttemptRow.match_id == match_id)
        ).all()
        if any(status is AttemptStatus.COUNTED for _, status in earlier):
            raise AlreadyCountedError(key)
        attempt = AttemptRow(
            match_id=match_id,
            number=1 + max((number for number, _ in earlier), default=0),
            status=AttemptStatus.RUNNING,
            detail="",
            started_at=self._now(),
            host=sanitise(host),
            worker=sanitise(worker),
        )
        session.add(attempt)
        session.flush()
        return OpenAttempt(attempt.id, key, attempt.number, lease)

    def count(self, attempt: OpenAttempt, record: MatchRecord, stored: StoredRecord) -> None:
        """Let an attempt count, with its result, infractions and record.

        Raises ``AlreadyCountedError`` when another attempt at the match counts, and
        ``NotRunningError`` when this one was closed.
        """
        if (record.match_key, record.attempt) != (attempt.match_key, attempt.number):
            raise ValueError("this is the record of another attempt")

        def count(session: Session) -> None:
            _prove(session, attempt)
            kept = keep_record(session, record, stored)
            try:
                _close(
                    session,
                    attempt,
                    status=AttemptStatus.COUNTED,
                    record_id=kept.id,
                    ended_at=record.end_time,
                )
            except IntegrityError as error:
                raise AlreadyCountedError(attempt.match_key) from error
            keep_results(session, attempt.id, record)

        self._database.write(count)

    def void(
        self,
        attempt: OpenAttempt,
        cause: VoidCause,
        detail: str,
        bot: str | None = None,
        standing: Mapping[str, int] | None = None,
        *,
        redraw_above: int | None = None,
    ) -> Redraw | None:
        """Let an attempt not count: it broke off at this bot's question, with these points by bot.

        With ``redraw_above`` its deal is replaced, unless it is already, by a further one of its
        table, numbered above this and all others. Raises ``NotRunningError`` when the attempt
        was closed.
        """

        def void(session: Session) -> Redraw | None:
            _prove(session, attempt)
            _close(
                session,
                attempt,
                status=AttemptStatus.VOID,
                cause=cause,
                detail=sanitise(detail),
                bot=bot,
                standing=None if standing is None else dict(standing),
                ended_at=self._now(),
            )
            if redraw_above is None:
                return None
            return replace_deal(session, attempt.id, redraw_above, self._now())

        return self._database.write(void)

    def void_running(self, attempts: Iterable[AttemptEntry]) -> None:
        """Void attempts at single matches that a referee which was killed left running."""
        keys = [attempt.match_key for attempt in attempts]

        def void(session: Session) -> None:
            ids = select(AttemptRow.id).join(MatchRow, MatchRow.id == AttemptRow.match_id)
            of_keys = ids.where(MatchRow.match_key.in_(keys), MatchRow.league_id.is_(None))
            void_attempts(session, session.scalars(of_keys).all(), _ENDED, self._now())

        if keys:
            self._database.write(void)

    def import_record(self, record: MatchRecord, stored: StoredRecord) -> ImportedMatch:
        """Keep a record from elsewhere under a key of its own. It counts in no league.

        Where the very same bytes are here already nothing changes. Raises
        ``VerificationError`` when the record contradicts itself; to verify it is the caller's.
        """
        with self._database.writing() as session:
            return importing.add_match(session, record, stored)

    def import_league(self, league: League, matches: Iterable[ArchivedMatch]) -> bool:
        """Keep a league from elsewhere, with all its matches, or nothing of it.

        ``league.name`` is the name that it gets here. ``False``: it was here already. Raises
        ``InputError`` where another league has this name or one of its records is here already,
        and ``VerificationError`` when something contradicts itself; to verify is the caller's.
        """
        with self._database.writing() as session:
            return importing.add_league(session, league, matches)


def _taken(league: League) -> InputError:
    return InputError(f"there is a league {league.name!r} in this database already")


def _prove(session: Session, attempt: OpenAttempt) -> None:
    if attempt.lease is not None:
        leases.prove(session, attempt.lease)


def _close(session: Session, attempt: OpenAttempt, **values: Any) -> None:
    running = (AttemptRow.id == attempt.id) & (AttemptRow.status == AttemptStatus.RUNNING)
    closed = session.scalars(
        update(AttemptRow).where(running).values(**values).returning(AttemptRow.id),
        execution_options={"synchronize_session": False},
    )
    if closed.one_or_none() is None:
        raise NotRunningError(attempt.match_key, attempt.number)
