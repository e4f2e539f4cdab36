"""One question to one seat: asked, answered, judged, tried again, or played by the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.core.game import Ruling
from referee.games.registry import AnyGame
from referee.match.clock import SeatClock
from referee.match.conduct import Consequence, Infraction, breach_ruling, goes_before
from referee.match.docket import Docket
from referee.match.history import History
from referee.match.player import Ask, Fault, Player, Reply, Ruled
from referee.match.record import InfractionRecord
from referee.match.series import Pairing
from referee.match.transcript import AnyState, house_act

RequestIds = Callable[[], str]
"""Gives a fresh, unguessable request id."""


class _Refused(NamedTuple):
    kind: Infraction
    ruling: Ruling
    detail: str


@dataclass(frozen=True, slots=True)
class Question:
    """What stays the same over the tries of a question."""

    game: AnyGame
    pairing: Pairing
    turn: int
    seat: int
    """The match seat."""
    points: tuple[int, ...]
    state: AnyState
    clock: SeatClock
    """The seat's, over the match."""

    @property
    def game_seat(self) -> int:
        return self.pairing.seats.index(self.seat)

    def house(self) -> Any:
        """The act of the house player for this seat."""
        return house_act(self.game, self.state, self.game_seat)

    async def put(
        self, player: Player, request_ids: RequestIds, docket: Docket, history: History
    ) -> Any | Consequence:
        """Ask until there is an accepted act, or a consequence that ends the question."""
        self.clock.begin_turn()
        view = self.state.view(self.game_seat)
        acts = history.since_last(self.game_seat)
        try_ = 0
        while True:
            try_ += 1
            ask = Ask(
                request_id=request_ids(),
                game=self.pairing.number,
                turn=self.turn,
                try_=try_,
                left_us=self.clock.left_us,
                bank_us=self.clock.bank_us,
                match_left_us=self.clock.match_left_us,
                acts=acts,
                dealer=self.pairing.dealer,
                seats=self.pairing.seats,
                points=self.points,
                view=view,
            )
            end = self._take(await player.ask(ask), ask, player, docket)
            if end is not Consequence.RETRY:
                self.clock.end_turn()
                return end

    def _take(
        self, reply: Reply | Fault, ask: Ask, player: Player, docket: Docket
    ) -> Any | Consequence:
        """The act of a try, or what follows it."""
        verdict = self._judge(reply, in_time=self.clock.charge(reply.evidence))
        if not isinstance(verdict, _Refused):
            docket.asked(self.seat, ask, reply, None)
            return verdict
        docket.asked(self.seat, ask, reply, verdict.ruling)
        infraction = docket.breach(
            ask.game,
            ask.turn,
            self.seat,
            verdict.kind,
            verdict.detail,
            try_=ask.try_,
            clock=self.clock,
        )
        player.tell(ruled(infraction, verdict.ruling, ask.request_id))
        return infraction.consequence

    def _judge(self, reply: Reply | Fault, *, in_time: bool) -> Any | _Refused:
        late = Infraction.LATE
        if isinstance(reply, Fault):
            kind = late if not in_time and goes_before(late, reply.kind) else reply.kind
            return _Refused(kind, breach_ruling(kind), reply.detail)
        if not in_time:
            return _Refused(late, breach_ruling(late), "")
        judged = self.state.judge(self.game_seat, reply.answer)
        if isinstance(judged, Ruling):
            return _Refused(Infraction.ILLEGAL, judged, judged.text)
        return judged


def ruled(infraction: InfractionRecord, ruling: Ruling, request_id: str = "") -> Ruled:
    """What a bot is told of its infraction."""
    return Ruled(
        request_id,
        ruling,
        infraction.kind,
        infraction.penalty,
        infraction.strikes,
        infraction.consequence,
    )
