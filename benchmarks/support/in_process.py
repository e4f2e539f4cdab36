"""Games between bots of the SDK in this process: what they are told, without clock and wire."""

from __future__ import annotations

from collections.abc import Sequence

from elfer.bot import Bot
from elfer.v1 import play_pb2
from elfer.views import Game, Match, Turn
from referee.core.dice import Dice, bot_seed, commitment
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.view import View
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.match.history import History
from referee.match.player import MatchStart
from referee.match.series import Games, Pairing
from referee.rpc.codec.elfer_raus import ElferRausCodec
from referee.rpc.codec.messages import MatchWriter

MATCH_ID = "match/in-process"


def play(game: ElferRaus, seed: bytes, bots: Sequence[Bot], dealer: int = 0) -> tuple[int, ...]:
    """Play one game to its end. Returns the points by seat.

    Raises ``ValueError`` at the first answer that the rules refuse.
    """
    matches = [match_of(game, seed, seat) for seat in range(game.seats)]
    state = game.deal(Dice(seed), 1, dealer)
    for seat, (bot, match) in enumerate(zip(bots, matches, strict=True)):
        bot.match_started(match)
        bot.game_started(game_of(match, state.view(seat), dealer))
    history = History(game, Pairing(1, dealer, tuple(range(game.seats)), tie_break=False))
    while (outcome := state.outcome()) is None:
        act = state.forced()
        if act is None:
            seat = state.seat
            acts = history.since_last(seat)
            view = turn_of(matches[seat], state.view(seat), history.turn + 1, dealer, acts)
            answer = tuple(bots[seat].answer(view))
            verdict = state.judge(seat, answer)
            if isinstance(verdict, Ruling):
                raise ValueError(f"{type(bots[seat]).__name__}: {verdict.text} at {view!r}")
            act = verdict
        history.add(act, house=False)
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


def game_of(match: Match, view: View, dealer: int) -> Game:
    """The game as a seat sees it before the first turn."""
    seats = range(match.seats)
    message = play_pb2.GameStart(
        match_id=match.id, game=1, dealer=dealer, seats=seats, points=[0] * len(seats)
    )
    ElferRausCodec().game_start(view, message)
    return Game(match, message)


def turn_of(match: Match, view: View, number: int, dealer: int, acts: Sequence[str] = ()) -> Turn:
    """The turn that a seat is asked; ``view`` is one with something to choose."""
    seats = tuple(range(match.seats))
    message = play_pb2.Turn(
        match_id=match.id,
        game=1,
        turn=number,
        acts=acts,
        dealer=dealer,
        seats=seats,
        points=[0] * len(seats),
    )
    ElferRausCodec().turn(view, message)
    return Turn(match, message)
