"""Rows read and put together as plain data, many matches at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from referee.core.errors import NotFoundError, VerificationError
from referee.core.text import sanitise
from referee.league.results import SeatResult
from referee.league.timing import AnswerTimes
from referee.match.conduct import Fault, Infraction
from referee.match.record import Result
from referee.store.entries import (
    AttemptEntry,
    AttemptStatus,
    CountedAttempt,
    Entrant,
    GameEntry,
    InfractionEntry,
    League,
    LeaguePlace,
    MatchEntry,
    StoredRecord,
)
from referee.store.redraws import REPLACED_BY, of_league
from referee.store.tables import (
    AttemptRow,
    EntrantRow,
    GameRow,
    InfractionRow,
    LeagueRow,
    MatchRow,
    RecordRow,
    SeatRow,
)

_COUNTS: Final = AttemptRow.status == AttemptStatus.COUNTED
_ORDER: Final = (MatchRow.table_key, MatchRow.deal, MatchRow.rotation, MatchRow.id)


def league_row(session: Session, name: str, *, locked: bool = False) -> LeagueRow:
    """``locked``: whoever changes it, or wants it so, waits for the end of this transaction."""
    found = select(LeagueRow).where(LeagueRow.name == sanitise(name))
    row = session.scalar(found.with_for_update() if locked else found)
    if row is None:
        raise NotFoundError(f"there is no league {sanitise(name)!r} in this database")
    return row


def league(session: Session, row: LeagueRow) -> League:
    entrants = select(EntrantRow).where(EntrantRow.league_id == row.id).order_by(EntrantRow.name)
    return League(
        name=row.name,
        format=row.format,
        format_sha256=row.format_sha256,
        seed=row.seed,
        seed_commitment=row.seed_commitment,
        created_at=row.created_at,
        entrants=tuple(
            Entrant(
                name=entrant.name,
                path=entrant.path,
                version=entrant.version,
                author=entrant.author,
                language=entrant.language,
                bundle_sha256=entrant.bundle_sha256,
                state=entrant.state,
                since=entrant.since,
                reason=entrant.reason,
            )
            for entrant in session.scalars(entrants)
        ),
        state=row.state,
        since=row.since,
        reason=row.reason,
        redraws=tuple(of_league(session, row.id)),
        archive_sha256=row.archive_sha256,
    )


def counted(keys: Select[tuple[str]]) -> Select[tuple[str]]:
    """Of the match keys that ``keys`` selects, those of matches that count."""
    attempts = keys.join(AttemptRow, AttemptRow.match_id == MatchRow.id)
    return attempts.where(_COUNTS, REPLACED_BY.is_(None))


def match_entries(session: Session, match_ids: Sequence[int]) -> Iterator[MatchEntry]:
    """The matches with these ids, in this order."""
    leagues = {
        row.id: row
        for row in session.execute(
            select(
                LeagueRow.id,
                LeagueRow.name,
                LeagueRow.archive_sha256.is_not(None).label("imported"),
            )
        )
    }
    matches = session.execute(select(MatchRow, REPLACED_BY).where(MatchRow.id.in_(match_ids)))
    by_id = {match.id: (match, replaced_by) for match, replaced_by in matches}
    attempts = defaultdict[int, list[AttemptRow]](list)
    for attempt in session.scalars(select(AttemptRow).where(AttemptRow.match_id.in_(match_ids))):
        attempts[attempt.match_id].append(attempt)
    ends = [
        attempt
        for of_match in attempts.values()
        for attempt in of_match
        if attempt.status is AttemptStatus.COUNTED
    ]
    counted = {attempt.match_id: told for attempt, told in _counted(session, ends)}
    for match_id in match_ids:
        match, replaced_by = by_id[match_id]
        home = None if match.league_id is None else leagues[match.league_id]
        yield MatchEntry(
            match_key=match.match_key,
            deal_key=match.deal_key,
            league=None if home is None else home.name,
            place=_place(match),
            imported=match.imported or (home is not None and home.imported),
            attempts=len(attempts[match_id]),
            running=any(row.status is AttemptStatus.RUNNING for row in attempts[match_id]),
            counted=counted.get(match_id),
            replaced_by=replaced_by,
        )


def _place(match: MatchRow) -> LeaguePlace | None:
    if match.table_key is None or match.deal is None or match.rotation is None:
        return None
    return LeaguePlace(match.table_key, match.deal, match.rotation)


def _counted(
    session: Session, attempts: Sequence[AttemptRow]
) -> Iterator[tuple[AttemptRow, CountedAttempt]]:
    ids = [attempt.id for attempt in attempts]
    seats = defaultdict[int, list[SeatRow]](list)
    for seat in session.scalars(
        select(SeatRow).where(SeatRow.attempt_id.in_(ids)).order_by(SeatRow.seat)
    ):
        seats[seat.attempt_id].append(seat)
    kinds = defaultdict[tuple[int, int], dict[Infraction, int]](dict)
    breach = (InfractionRow.attempt_id, InfractionRow.seat, InfractionRow.kind)
    for attempt_id, seat_number, kind, count in session.execute(
        select(*breach, func.count())
        .where(InfractionRow.attempt_id.in_(ids), InfractionRow.fault == Fault.BOT)
        .group_by(*breach)
        .order_by(*breach)
    ):
        kinds[attempt_id, seat_number][kind] = count
    games = dict(
        session.execute(
            select(GameRow.attempt_id, func.count())
            .where(GameRow.attempt_id.in_(ids), ~GameRow.tie_break)
            .group_by(GameRow.attempt_id)
        ).all()
    )
    digests = {
        record_id: (play_digest, sha256)
        for record_id, play_digest, sha256 in session.execute(
            select(RecordRow.id, RecordRow.play_digest, RecordRow.sha256).where(
                RecordRow.id.in_([attempt.record_id for attempt in attempts])
            )
        )
    }
    for attempt in attempts:
        # The schema has it that a counted attempt has both.
        assert attempt.ended_at is not None
        assert attempt.record_id is not None
        play_digest, sha256 = digests[attempt.record_id]
        yield (
            attempt,
            CountedAttempt(
                number=attempt.number,
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
                games=games.get(attempt.id, 0),
                result=_result(seats[attempt.id]),
                seats=tuple(
                    SeatResult(
                        bot=seat.bot,
                        infractions=kinds.get((attempt.id, seat.seat), {}),
                        times=_answer_times(seat),
                    )
                    for seat in seats[attempt.id]
                ),
                play_digest=play_digest,
                record_sha256=sha256,
            ),
        )


def _result(seats: Sequence[SeatRow]) -> Result:
    return Result(
        points=tuple(seat.points for seat in seats),
        penalties=tuple(seat.penalty for seat in seats),
        totals=tuple(seat.total for seat in seats),
        places=tuple(seat.place for seat in seats),
        forfeits=tuple(seat.forfeit for seat in seats),
        winners=tuple(seat.seat for seat in seats if seat.winner),
    )


def games(session: Session, match_id: int) -> tuple[GameEntry, ...]:
    """Those of the attempt that counts."""
    rows = session.scalars(
        select(GameRow)
        .join(AttemptRow, AttemptRow.id == GameRow.attempt_id)
        .where(AttemptRow.match_id == match_id, _COUNTS)
        .order_by(GameRow.number)
    )
    return tuple(
        GameEntry(row.number, row.dealer, tuple(row.points), row.turns, row.tie_break)
        for row in rows
    )


def infractions(session: Session, match_ids: Sequence[int]) -> Iterator[InfractionEntry]:
    """Those of these matches that count, in the order of the league."""
    found = session.execute(
        select(MatchRow.match_key, SeatRow.bot, InfractionRow)
        .join(AttemptRow, AttemptRow.match_id == MatchRow.id)
        .join(InfractionRow, InfractionRow.attempt_id == AttemptRow.id)
        .join(
            SeatRow,
            (SeatRow.attempt_id == AttemptRow.id) & (SeatRow.seat == InfractionRow.seat),
        )
        .where(MatchRow.id.in_(match_ids), _COUNTS)
        .order_by(*_ORDER, InfractionRow.number)
    )
    for match_key, bot, row in found:
        yield InfractionEntry(
            match_key=match_key,
            game=row.game,
            turn=row.turn,
            seat=row.seat,
            bot=bot,
            kind=row.kind,
            penalty=row.penalty,
            strikes=row.strikes,
            consequence=row.consequence,
            fault=row.fault,
            detail=row.detail,
        )


def attempts(session: Session, match_ids: Sequence[int]) -> Iterator[AttemptEntry]:
    """Every attempt at these matches, in the order of the league."""
    found = session.execute(
        select(MatchRow.match_key, AttemptRow, REPLACED_BY)
        .join(AttemptRow, AttemptRow.match_id == MatchRow.id)
        .where(MatchRow.id.in_(match_ids))
        .order_by(*_ORDER, AttemptRow.number)
    )
    for match_key, row, replaced_by in found:
        yield AttemptEntry(
            match_key=match_key,
            number=row.number,
            status=row.status,
            cause=row.cause,
            detail=row.detail,
            bot=row.bot,
            standing=row.standing,
            started_at=row.started_at,
            ended_at=row.ended_at,
            host=row.host,
            worker=row.worker,
            replaced_by=replaced_by,
        )


def records(session: Session, match_ids: Sequence[int]) -> Iterator[tuple[str, StoredRecord]]:
    """Key and record of those of these matches that count, in the order of the league.

    Raises ``VerificationError`` at a record whose bytes do not have their digest.
    """
    found = session.execute(
        select(MatchRow.match_key, RecordRow)
        .join(AttemptRow, AttemptRow.match_id == MatchRow.id)
        .join(RecordRow, RecordRow.id == AttemptRow.record_id)
        .where(MatchRow.id.in_(match_ids))
        .order_by(*_ORDER)
    )
    for match_key, row in found:
        try:
            stored = StoredRecord(row.record, row.sha256, row.signature, row.public_key)
        except ValueError as error:
            raise VerificationError(
                f"{match_key}: the record in the database was altered"
            ) from error
        yield match_key, stored


def key_of_record(session: Session, sha256: bytes) -> str | None:
    """Where a record with exactly these bytes is."""
    return session.scalar(
        select(MatchRow.match_key)
        .join(AttemptRow, AttemptRow.match_id == MatchRow.id)
        .join(RecordRow, RecordRow.id == AttemptRow.record_id)
        .where(RecordRow.sha256 == sha256)
    )


def _answer_times(seat: SeatRow) -> AnswerTimes:
    try:
        return AnswerTimes.from_json(seat.answer_times)
    except ValueError as error:
        raise VerificationError(
            f"the answer times of {sanitise(seat.bot)} were altered in the database: {error}"
        ) from error
