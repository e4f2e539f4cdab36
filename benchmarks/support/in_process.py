"""Games between bots of the SDK in this process: the views they get, without clock and wire."""

from __future__ import annotations

from collections.abc import Sequence

from elfer.bot import Bot
from elfer.v1 import play_pb2
from elfer.views import Match, Turn
from referee.core.dice import Dice, bot_seed, commitment
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.view import View
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.player import MatchStart
from referee.match.series import Games
from referee.rpc.codec.elfer_raus import ElferRausCodec
from referee.rpc.codec.messages import MatchWriter

MATCH_ID = "match/in-process"


def play(game: ElferRaus, seed: bytes, bots: Sequence[Bot], dealer: int = 0) -> tuple[int, ...]:
    """Play one game to its end. Returns the points by seat.

    Raises ``ValueError`` at the first answer that the rules refuse.
    """
    matches = [match_of(game, seed, seat) for seat in range(game.seats)]
    for bot, match in zip(bots, matches, strict=True):
        bot.match_started(match)
    state = game.deal(Dice(seed), 1, dealer)
    turn = 0
    while (outcome := state.outcome()) is None:
        turn += 1
        act = state.forced()
        if act is None:
            seat = state.seat
            view = turn_of(matches[seat], state.view(seat), turn, dealer)
            answer = tuple(bots[seat].answer(view))
            verdict = state.judge(seat, answer)
            if isinstance(verdict, Ruling):
                raise ValueError(f"{type(bots[seat]).__name__}: {verdict.text} at {view!r}")
            act = verdict
        state.apply(act)
    return outcome.points


def match_of(game: ElferRaus, seed: bytes, seat: int) -> Match:
    start = MatchStart(
        match_id=MATCH_ID,
        game_id=game.id,
        rules_line=game.rules_line,
        series=Games(1),
        seats=game.seats,
        seat=seat,
        time_control=TimeControl(),
        conduct=Conduct(),
        seed_commitment=commitment(seed),
        dice_seed=bot_seed(seed, MATCH_ID, seat),
    )
    message = play_pb2.RefereeMessage()
    MatchWriter(start).tell(start, message)
    return Match(message.match_start)


def turn_of(match: Match, view: View, number: int, dealer: int) -> Turn:
    """The turn that a seat is asked; ``view`` is one with something to choose."""
    seats = tuple(range(match.seats))
    message = play_pb2.Turn(
        match_id=match.id, game=1, turn=number, dealer=dealer, seats=seats, points=[0] * len(seats)
    )
    ElferRausCodec().turn(view, message)
    return Turn(match, message)
