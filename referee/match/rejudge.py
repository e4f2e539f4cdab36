"""A recorded match judged again under another conduct, without playing.

Every breach of the record comes before the docket once more, at the clock it was found at.
Where the same follows as did, the play stands and has a new result. Where anything else
follows, the match would have gone on otherwise, and nobody can know how.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple

from referee.core.errors import VerificationError
from referee.match.clock import Evidence, SeatClock, TimeControl
from referee.match.conduct import Conduct, Consequence, Infraction
from referee.match.docket import Docket
from referee.match.finished import finished_games
from referee.match.record import AskRecord, InfractionRecord, MatchRecord, Result
from referee.match.result import derive
from referee.match.table import BESIDE_ANY_TURN


class NeedsPlay(NamedTuple):
    """The first breach from which on a match would have needed play that did not happen."""

    infraction: InfractionRecord
    """As it is recorded."""
    would_follow: Consequence | None
    """``None``: with a longer grace it might not have happened."""


def rejudge(record: MatchRecord, conduct: Conduct) -> Result | NeedsPlay:
    """The result that the play of a record has under another conduct.

    Whether a match needs other play is judged by what follows each breach: a retry more or
    less, a restart or a forfeit for the other, a forfeit that was none. That bots might have
    played otherwise had they been told this conduct is left aside, and so are lost streams
    that a shorter grace would not have let come back: a record has nothing of them.

    Raises ``VerificationError`` on a record that contradicts itself; to verify it is the
    caller's.
    """
    seats = len(record.seats)
    docket = Docket(seats, conduct)
    for infraction, ask in _breaches(record):
        again = docket.breach(
            infraction.game,
            infraction.turn,
            infraction.seat,
            infraction.kind,
            infraction.detail,
            try_=None if ask is None else ask.try_,
            clock=None if ask is None else _clock_after(ask, record.time_control),
            over=infraction.turn == BESIDE_ANY_TURN,
        )
        if again.consequence is not infraction.consequence:
            return NeedsPlay(infraction, again.consequence)
        if (
            infraction.kind is Infraction.DISCONNECTED
            and conduct.grace_us > record.conduct.grace_us
        ):
            return NeedsPlay(infraction, None)
    try:
        played = [game.played for game in finished_games(record.transcript, seats)]
        forfeits = {seat for seat, forfeit in enumerate(record.result.forfeits) if forfeit}
        return derive(seats, played, forfeits, docket.infractions, conduct)
    except ValueError as error:
        raise VerificationError(f"{record.match_key}: {error}") from error


def _breaches(record: MatchRecord) -> Iterator[tuple[InfractionRecord, AskRecord | None]]:
    """The infractions in order, each with its refused try; without one it was beside a question.

    A seat's infractions of one turn are those found before its question, then one for each
    refused try.
    """
    refused: dict[tuple[int, int, int], deque[AskRecord]] = defaultdict(deque)
    for ask in record.asks:
        if ask.ruling is not None:
            refused[ask.game, ask.turn, ask.seat].append(ask)
    left = Counter((found.game, found.turn, found.seat) for found in record.infractions)
    for infraction in record.infractions:
        at = (infraction.game, infraction.turn, infraction.seat)
        yield infraction, refused[at].popleft() if left[at] <= len(refused[at]) else None
        left[at] -= 1
    if any(refused.values()):
        raise VerificationError(f"{record.match_key}: a refused answer is no infraction")


def _clock_after(ask: AskRecord, control: TimeControl) -> SeatClock:
    """A seat's clock as it stood once this try was counted."""
    clock = SeatClock(control)
    clock.left_us, clock.bank_us, clock.match_left_us = (
        ask.limit_us,
        ask.bank_us,
        ask.match_left_us,
    )
    clock.charge(Evidence(ask.elapsed_us, excused_us=ask.excused_us))
    return clock
