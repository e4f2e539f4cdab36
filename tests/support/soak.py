"""Random matches of every profile at every number of seats, held to all that is promised."""

from __future__ import annotations

import hashlib
from random import Random
from typing import Final, NamedTuple

from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.sheet import most_turns
from referee.games.elfer_raus.state import ElferRausState
from referee.match.replay import Replay
from referee.match.series import Games, Pairing, Played, points_of
from referee.match.transcript import Writer, act_line, over
from tests.support import random_play
from tests.support.promises import assert_both_agree, assert_house_is_legal, assert_whole

TABLES: Final = tuple(
    (profile, seats) for profile, rules in PROFILES.items() for seats in rules.seat_counts
)
_HOUSE_PLAYS: Final = 0.1
_COMPARED: Final = 10
"""Of so many matches, one is also judged by the naive implementation."""


class Figures(NamedTuple):
    games: int
    turns: int
    acts: int
    """Cards laid, cards drawn, and turns without either."""


def soak(number: int) -> Figures:
    """Play a match of as many games as seats, so that everybody deals once.

    Raises ``AssertionError``, or whatever else breaks, where a promise does not hold.
    """
    profile, seats = TABLES[number % len(TABLES)]
    game = ElferRaus.of_profile(profile, seats)
    seed = hashlib.sha256(b"soak/%d" % number).digest()
    random = Random(seed)
    series = Games(seats)
    writer = Writer(game, series, seed)
    played: list[Played] = []
    turns = acts = 0
    while (pairing := series.next(seats, played)) is not None:
        state = game.deal(Dice(seed), pairing.number, pairing.dealer)
        writer.game(pairing, state)
        lines = _play(game, state, random, writer)
        turns += len(lines)
        acts += sum(len(act.cards) or 1 for act in lines)
        played.append(_end(game, state, pairing, writer))
    writer.total(points_of(seats, played))
    _assert_replays(writer.text(), played)
    if number % _COMPARED == 0:
        assert_both_agree(game, seed, random.randrange(seats))
    return Figures(len(played), turns, acts)


def _play(game: ElferRaus, state: ElferRausState, random: Random, writer: Writer) -> list[Act]:
    lines: list[Act] = []
    most = most_turns(game.rules, game.seats)
    while state.outcome() is None:
        assert_whole(game, state)
        assert_house_is_legal(game, state)
        house = state.decision() is not None and random.random() < _HOUSE_PLAYS
        act = _house_act(game, state) if house else random_play.next_act(state, random)
        text = game.text(act)
        assert game.parse(act.seats, text) == act
        lines.append(act)
        assert len(lines) <= most
        writer.line(act_line(len(lines), act.seats, house, text))
        state.apply(act)
    assert_whole(game, state)
    return lines


def _house_act(game: ElferRaus, state: ElferRausState) -> Act:
    act = state.judge(state.seat, game.house(state.view(state.seat)))
    assert not isinstance(act, Ruling)
    return act


def _end(game: ElferRaus, state: ElferRausState, pairing: Pairing, writer: Writer) -> Played:
    end = over(pairing, game.seats, state)
    assert end is not None
    played, winners = end
    assert winners == (played.points.index(0),)
    assert played.points.count(0) == 1
    writer.end(winners, played.points)
    return played


def _assert_replays(text: str, played: list[Played]) -> None:
    replay = Replay(text)
    for _ in replay.steps():
        pass
    assert replay.complete
    assert replay.played == played
