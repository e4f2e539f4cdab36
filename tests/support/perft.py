"""All ways to play a deal, counted twice: by the engine, and by the naive rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import chain, permutations

from elfer.cards import Card, cards_of
from elfer.ruling import Code
from referee.core.game import Ruling
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.state import Answer, ElferRausState
from tests.support.naive import NaiveGame

Counts = Counter[int]
"""Lines of play by their number of turns."""

_WHOLE_ANSWER = {Code.MUST_LAY, Code.PASS_NOT_ALLOWED, Code.DUTY_UNMET}
"""Refused as it stands; with more cards it may be fine."""


def by_engine(state: ElferRausState, turn: int = 0) -> Counts:
    if state.outcome() is not None:
        return Counter({turn: 1})
    forced = state.forced()
    counts: Counts = Counter()
    for act in _choices(state) if forced is None else (forced,):
        after = state.clone()
        after.apply(act)
        counts += by_engine(after, turn + 1)
    return counts


def _choices(state: ElferRausState, answer: Answer = ()) -> Iterator[Act]:
    """Every answer that begins with these cards and is accepted."""
    verdict = state.judge(state.seat, answer)
    if not isinstance(verdict, Ruling):
        yield verdict
    elif verdict.code not in _WHOLE_ANSWER:
        return
    for card in cards_of(state.hands[state.seat]):
        yield from _choices(state, (*answer, int(card)))


def by_rulebook(game: NaiveGame, turn: int = 0) -> Counts:
    if game.points() is not None:
        return Counter({turn: 1})
    forced = game.forced()
    counts: Counts = Counter()
    for act in _legal(game) if forced is None else (forced,):
        after = _twin(game)
        after.apply(act)
        counts += by_rulebook(after, turn + 1)
    return counts


def _legal(game: NaiveGame) -> Iterator[str]:
    """Every order of every choice of cards in hand, if the rulebook has nothing against it."""
    hand = sorted(game.hands[game.seat])
    orders = chain.from_iterable(permutations(hand, length) for length in range(len(hand) + 1))
    for names in orders:
        if game.verdict([int(Card[name]) for name in names]) is None:
            yield f"lay {' '.join(names)}" if names else "pass"


def _twin(game: NaiveGame) -> NaiveGame:
    twin = copy(game)
    twin.rows = {colour: set(row) for colour, row in game.rows.items()}
    twin.hands = [set(hand) for hand in game.hands]
    twin.stock = list(game.stock)
    twin.moved = list(game.moved)
    return twin
