"""Games between bots of the SDK in this process: the views they get, without clock and wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from elfer.bot import Bot
from elfer.cards import cards_of
from elfer.v1 import card_pb2, play_pb2
from elfer.views import Match, Turn
from referee.core.dice import Dice, bot_seed
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.view import View

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
    profile, *slots = game.rules_line.split(" ")
    pairs = (slot.partition("=") for slot in slots)
    return Match(
        play_pb2.MatchStart(
            match_id=MATCH_ID,
            rules=play_pb2.Rules(
                game=game.id,
                profile=profile,
                slots=[play_pb2.Slot(name=name, value=value) for name, _, value in pairs],
            ),
            series=play_pb2.Series(games=1),
            seats=game.seats,
            seat=seat,
            dice_seed=bot_seed(seed, MATCH_ID, seat),
        )
    )


def turn_of(match: Match, view: View, number: int, dealer: int) -> Turn:
    """The turn that a seat is asked; ``view`` is one with something to choose."""
    allowed = view.allowed
    assert allowed is not None
    return Turn(
        match,
        play_pb2.Turn(
            match_id=match.id,
            game=1,
            turn=number,
            dealer=dealer,
            seats=range(match.seats),
            points=[0] * match.seats,
            elfer_raus=play_pb2.ElferRausView(
                hand_sizes=view.hand_sizes,
                stock=view.stock,
                hand=_numbers(view.hand),
                laid=_numbers(view.laid),
                starts=_numbers(view.starts),
                fits=_numbers(allowed.fits),
                due=_numbers(allowed.due),
                may_pass=allowed.may_pass,
                single=allowed.single,
            ),
        ),
    )


def _numbers(mask: int) -> tuple[card_pb2.Card.ValueType, ...]:
    return cast("tuple[card_pb2.Card.ValueType, ...]", cards_of(mask))
