"""What is noted of a match beside its play: questions, infractions, forfeits."""

from __future__ import annotations

from typing import Final

from referee.core.game import Ruling
from referee.match.clock import SeatClock
from referee.match.conduct import Conduct, Consequence, Fault, Infraction
from referee.match.player import Ask, Reply
from referee.match.player import Fault as PlayerFault
from referee.match.record import AskRecord, GivenAnswer, InfractionRecord


class Docket:
    """Collects asks and infractions, and knows who has forfeited."""

    def __init__(self, seats: int, conduct: Conduct) -> None:
        self._conduct: Final = conduct
        self._seats: Final = seats
        self._strikes: Final = [0] * seats
        self._restarts: Final = [0] * seats
        self.asks: Final[list[AskRecord]] = []
        self.infractions: Final[list[InfractionRecord]] = []
        self.forfeits: Final[set[int]] = set()

    @property
    def abandoned(self) -> bool:
        """All seats have forfeited: nobody is left to play for."""
        return len(self.forfeits) == self._seats

    def asked(self, seat: int, ask: Ask, reply: Reply | PlayerFault, ruling: Ruling | None) -> None:
        evidence = reply.evidence
        self.asks.append(
            AskRecord(
                game=ask.game,
                turn=ask.turn,
                seat=seat,
                request_id=ask.request_id,
                try_=ask.try_,
                limit_us=ask.left_us,
                bank_us=ask.bank_us,
                match_left_us=ask.match_left_us,
                elapsed_us=evidence.elapsed_us,
                counted_us=evidence.counted_us,
                bot_cpu_us=evidence.bot_cpu_us,
                excused_us=evidence.excused_us,
                excuse=evidence.excuse,
                answer=GivenAnswer.of(reply.answer) if isinstance(reply, Reply) else None,
                ruling=ruling,
            )
        )

    def breach(
        self,
        game: int,
        turn: int,
        seat: int,
        kind: Infraction,
        detail: str,
        *,
        try_: int | None = None,
        clock: SeatClock | None = None,
        over: bool = False,
    ) -> InfractionRecord:
        """Note a bot's infraction, its penalty and what follows.

        Without ``try_`` and ``clock`` it happened beside any question. Once the last game is
        ``over`` there is nothing left to follow but the penalty.
        """
        measure = self._conduct.measures[kind]
        self._strikes[seat] += measure.strikes
        consequence = (
            Consequence.NONE
            if over
            else self._conduct.follows(
                kind,
                strikes=self._strikes[seat],
                restarts=self._restarts[seat],
                try_=try_,
                time_left=clock is None or clock.allowed_us != 0,
                flagged=clock is not None and clock.flagged,
            )
        )
        if consequence is Consequence.RESTART:
            self._restarts[seat] += 1
        infraction = InfractionRecord(
            game=game,
            turn=turn,
            seat=seat,
            kind=kind,
            penalty=measure.penalty,
            strikes=self._strikes[seat],
            consequence=consequence,
            fault=Fault.BOT,
            detail=detail,
        )
        self.infractions.append(infraction)
        return infraction
