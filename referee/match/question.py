"""One question to one seat: asked, answered, judged, tried again, or played by the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.core.game import Ruling
from referee.games.registry import AnyGame
from referee.match.clock import TimeControl, TurnClock
from referee.match.conduct import (
    Conduct,
    Consequence,
    Infraction,
    breach_ruling,
    follows,
)
from referee.match.docket import Docket
from referee.match.history import History
from referee.match.player import Ask, Fault, Player, Reply, Ruled
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
    time_control: TimeControl
    conduct: Conduct

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
        clock = TurnClock(self.time_control)
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
                left_us=clock.left_us,
                bank_us=None,
                acts=acts,
                dealer=self.pairing.dealer,
                seats=self.pairing.seats,
                points=self.points,
                view=view,
            )
            reply = await player.ask(ask)
            verdict = self._judge(reply, in_time=clock.charge(reply.evidence))
            if not isinstance(verdict, _Refused):
                docket.asked(self.seat, ask, reply, None)
                return verdict
            docket.asked(self.seat, ask, reply, verdict.ruling)
            consequence = follows(verdict.kind, self.conduct, try_, clock.left_us)
            infraction = docket.breach(
                ask.game, ask.turn, self.seat, verdict.kind, consequence, verdict.detail
            )
            retry = consequence is Consequence.RETRY
            player.tell(
                Ruled(ask.request_id, verdict.ruling, verdict.kind, infraction.penalty, retry)
            )
            if not retry:
                return consequence

    def _judge(self, reply: Reply | Fault, *, in_time: bool) -> Any | _Refused:
        if isinstance(reply, Fault):
            return _Refused(reply.kind, breach_ruling(reply.kind), reply.detail)
        if not in_time:
            return _Refused(Infraction.LATE, breach_ruling(Infraction.LATE), "")
        judged = self.state.judge(self.game_seat, reply.answer)
        if isinstance(judged, Ruling):
            return _Refused(Infraction.ILLEGAL, judged, judged.text)
        return judged
