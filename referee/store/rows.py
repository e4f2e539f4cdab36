"""The rows that a league or a record gives. Pure: no row here has met a database."""

from __future__ import annotations

from collections import defaultdict

from referee.core.text import sanitise
from referee.league.redraws import Redraw
from referee.league.schedule import MatchPlan
from referee.league.timing import AnswerTimes
from referee.match.finished import finished_games
from referee.match.record import MatchRecord
from referee.store.entries import League, StoredRecord
from referee.store.tables import (
    EntrantRow,
    GameRow,
    InfractionRow,
    LeagueRow,
    MatchRow,
    RecordRow,
    RedrawRow,
    SeatRow,
)


def league_row(league: League) -> LeagueRow:
    return LeagueRow(
        name=league.name,
        format=league.format,
        format_sha256=league.format_sha256,
        seed=league.seed,
        seed_commitment=league.seed_commitment,
        state=league.state,
        since=league.since,
        reason=sanitise(league.reason),
        created_at=league.created_at,
        archive_sha256=league.archive_sha256,
    )


def entrant_rows(league_id: int, league: League) -> list[EntrantRow]:
    return [
        EntrantRow(
            league_id=league_id,
            name=entrant.name,
            path=entrant.path,
            version=sanitise(entrant.version),
            author=sanitise(entrant.author),
            language=sanitise(entrant.language),
            bundle_sha256=entrant.bundle_sha256,
            state=entrant.state,
            since=entrant.since,
            reason=sanitise(entrant.reason),
        )
        for entrant in league.entrants
    ]


def redraw_row(league_id: int, attempt_id: int, redraw: Redraw) -> RedrawRow:
    return RedrawRow(
        league_id=league_id,
        table_key=redraw.table,
        deal=redraw.deal,
        replaced_by=redraw.replaced_by,
        attempt_id=attempt_id,
    )


def match_row(league_id: int, plan: MatchPlan) -> MatchRow:
    return MatchRow(
        match_key=plan.match_key,
        league_id=league_id,
        deal_key=plan.deal_key,
        table_key=plan.table,
        deal=plan.deal,
        rotation=plan.rotation,
        imported=False,
    )


def record_row(record: MatchRecord, stored: StoredRecord) -> RecordRow:
    return RecordRow(
        sha256=stored.sha256,
        record=stored.record,
        signature=stored.signature,
        public_key=stored.public_key,
        play_digest=record.play_digest,
    )


def seat_rows(attempt_id: int, record: MatchRecord) -> list[SeatRow]:
    """One for each seat. Raises ``ValueError`` when the result tells of other seats."""
    times = defaultdict[int, list[int]](list)
    for ask in record.asks:
        times[ask.seat].append(ask.counted_us)
    result = record.result
    rows = zip(
        record.seats,
        result.points,
        result.penalties,
        result.totals,
        result.places,
        result.forfeits,
        strict=True,
    )
    return [
        SeatRow(
            attempt_id=attempt_id,
            seat=seat.seat,
            bot=seat.bot,
            version=sanitise(seat.version),
            bundle_sha256=seat.bundle_sha256,
            points=points,
            penalty=penalty,
            total=total,
            place=place,
            forfeit=forfeit,
            winner=seat.seat in result.winners,
            answer_times=AnswerTimes.of(times[seat.seat]).to_json(),
        )
        for seat, points, penalty, total, place, forfeit in rows
    ]


def game_rows(attempt_id: int, record: MatchRecord) -> list[GameRow]:
    """One for each game that was played to its end. Raises as ``finished_games`` does."""
    return [
        GameRow(
            attempt_id=attempt_id,
            number=game.played.pairing.number,
            dealer=game.played.pairing.dealer,
            points=list(game.played.points),
            turns=game.turns,
            tie_break=game.played.pairing.tie_break,
        )
        for game in finished_games(record.transcript, len(record.seats))
    ]


def infraction_rows(attempt_id: int, record: MatchRecord) -> list[InfractionRow]:
    return [
        InfractionRow(
            attempt_id=attempt_id,
            number=number,
            game=infraction.game,
            turn=infraction.turn,
            seat=infraction.seat,
            kind=infraction.kind,
            penalty=infraction.penalty,
            strikes=infraction.strikes,
            consequence=infraction.consequence,
            fault=infraction.fault,
            detail=sanitise(infraction.detail),
        )
        for number, infraction in enumerate(record.infractions, 1)
    ]
