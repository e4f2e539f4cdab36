"""The loop of one match: deal, ask, judge, apply, until the series is over.

It does no I/O of its own. Players are met through their port; what they do wrong is
data. An exception that leaves ``play`` is the referee's or the host's fault and voids
the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from referee.core.dice import Dice
from referee.games.registry import AnyGame
from referee.match.clock import SeatClock, TimeControl
from referee.match.conduct import Conduct, Consequence, breach_ruling
from referee.match.docket import Docket
from referee.match.history import History
from referee.match.player import GameEnd, GameStart, MatchEnd, MatchStart, Player
from referee.match.question import Question, RequestIds, ruled
from referee.match.record import AskRecord, InfractionRecord, Result
from referee.match.result import derive
from referee.match.series import Pairing, Played, Series, points_of
from referee.match.transcript import AnyState, Writer, deal, forfeit_line, over

BESIDE_ANY_TURN: Final = 0
"""The turn of an infraction that was found after the match's last turn."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What a table needs to know to play one match."""

    game: AnyGame
    series: Series
    seed: bytes
    seed_commitment: bytes
    dice_seeds: tuple[bytes, ...]
    """One each per seat, for the bot's own dice (§10.3)."""
    match_id: str
    """Opaque: see ``MatchStart``."""
    time_control: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)


class MatchPlay(NamedTuple):
    """A match that was played, without names and machines."""

    transcript: str
    asks: tuple[AskRecord, ...]
    infractions: tuple[InfractionRecord, ...]
    result: Result
    games: int


class Table:
    """Plays one match between ``players``, one each per seat."""

    def __init__(
        self,
        setup: MatchSetup,
        players: Sequence[Player],
        request_ids: RequestIds,
        after_game: Callable[[], None] = lambda: None,
    ) -> None:
        if len(players) != setup.game.seats:
            raise ValueError(f"{setup.game.seats} seats, {len(players)} players")
        self._setup: Final = setup
        self._players: Final = players
        self._request_ids: Final = request_ids
        self._after_game: Final = after_game
        self._seats: Final = len(players)
        self._writer: Final = Writer(setup.game, setup.series, setup.seed)
        self._docket: Final = Docket(self._seats, setup.conduct)
        self._clocks: Final = [SeatClock(setup.time_control) for _ in players]
        self._played: Final[list[Played]] = []
        self.broke_off_at: int | None = None
        """The seat at whose question an exception ended the match."""

    @property
    def points(self) -> tuple[int, ...]:
        """By seat, of the games that are over."""
        return points_of(self._seats, self._played)

    async def play(self) -> MatchPlay:
        self._tell_start()
        dice = Dice(self._setup.seed)
        while (pairing := self._next_pairing()) is not None:
            await self._play_game(pairing, deal(self._setup.game, dice, pairing))
        docket = self._docket
        if not docket.abandoned:
            self._writer.total(self.points)
            for seat in sorted(set(range(self._seats)) - docket.forfeits):
                self._note_strays(len(self._played), BESIDE_ANY_TURN, seat, over=True)
        result = derive(
            self._seats, self._played, docket.forfeits, docket.infractions, self._setup.conduct
        )
        for player in self._players:
            player.tell(MatchEnd(result))
        return MatchPlay(
            self._writer.text(),
            tuple(docket.asks),
            tuple(docket.infractions),
            result,
            len(self._played),
        )

    def _next_pairing(self) -> Pairing | None:
        if self._docket.abandoned:
            return None
        return self._setup.series.next(self._seats, self._played)

    def _tell_start(self) -> None:
        setup = self._setup
        for seat, player in enumerate(self._players):
            player.tell(
                MatchStart(
                    match_id=setup.match_id,
                    game_id=setup.game.id,
                    rules_line=setup.game.rules_line,
                    series=setup.series,
                    seats=self._seats,
                    seat=seat,
                    time_control=setup.time_control,
                    conduct=setup.conduct,
                    seed_commitment=setup.seed_commitment,
                    dice_seed=setup.dice_seeds[seat],
                )
            )

    async def _play_game(self, pairing: Pairing, state: AnyState) -> None:
        self._writer.game(pairing, state)
        points = self.points
        for game_seat, seat in enumerate(pairing.seats):
            view = state.view(game_seat)
            self._players[seat].tell(
                GameStart(pairing.number, pairing.dealer, pairing.seats, points, view)
            )
        history = History(self._setup.game, pairing)
        while (end := over(pairing, self._seats, state)) is None:
            act = state.forced()
            house = False
            if act is None:
                act, house = await self._decide(pairing, state, history, points)
                if self._docket.abandoned:
                    return
            self._writer.line(history.add(act, house))
            state.apply(act)
        played, winners = end
        self._writer.end(winners, played.points)
        self._played.append(played)
        for game_seat, seat in enumerate(pairing.seats):
            acts = history.since_last(game_seat)
            self._players[seat].tell(GameEnd(pairing.number, acts, played.points, winners))
        self._after_game()

    async def _decide(
        self, pairing: Pairing, state: AnyState, history: History, points: tuple[int, ...]
    ) -> tuple[Any, bool]:
        """The act that the acting seats' answers make, and whether it is the house's alone."""
        decision = state.decision()
        assert decision is not None
        arrived: list[tuple[Any, bool]] = []

        async def ask(game_seat: int) -> None:
            question = Question(
                game=self._setup.game,
                pairing=pairing,
                turn=history.turn + 1,
                seat=pairing.seats[game_seat],
                points=points,
                state=state,
                clock=self._clocks[pairing.seats[game_seat]],
            )
            arrived.append(await self._answer(question, history))

        if len(decision.seats) == 1:
            await ask(decision.seats[0])
        else:
            async with asyncio.TaskGroup() as group:
                for game_seat in decision.seats:
                    group.create_task(ask(game_seat))
        return state.resolve([act for act, _ in arrived]), all(house for _, house in arrived)

    async def _answer(self, question: Question, history: History) -> tuple[Any, bool]:
        """The act of one seat, and whether it is the house's."""
        seat = question.seat
        if seat not in self._docket.forfeits and self._note_strays(
            question.pairing.number, question.turn, seat
        ):
            self._forfeit(seat, history)
        if seat not in self._docket.forfeits:
            try:
                end = await question.put(
                    self._players[seat], self._request_ids, self._docket, history
                )
            except Exception:
                self.broke_off_at = seat
                raise
            if not isinstance(end, Consequence):
                return end, False
            if end is Consequence.FORFEIT:
                self._forfeit(seat, history)
        return question.house(), True

    def _note_strays(self, game: int, turn: int, seat: int, *, over: bool = False) -> bool:
        """Note what a seat did wrong beside its questions. Returns whether it forfeits by that.

        What ends the bot's process is the last that is noted of it.
        """
        player = self._players[seat]
        for kind, detail in player.strays():
            infraction = self._docket.breach(game, turn, seat, kind, detail, over=over)
            player.tell(ruled(infraction, breach_ruling(kind)))
            if infraction.consequence in {Consequence.RESTART, Consequence.FORFEIT}:
                return infraction.consequence is Consequence.FORFEIT
        return False

    def _forfeit(self, seat: int, history: History) -> None:
        self._docket.forfeits.add(seat)
        self._writer.line(forfeit_line(seat))
        history.forfeit(seat)
