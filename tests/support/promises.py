"""What the rules promise in every game, whatever is played: asserted act by act."""

from __future__ import annotations

from random import Random

from elfer.cards import Cards, cards_of
from elfer.tableau import frontier
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.sheet import most_that_fit
from referee.games.elfer_raus.state import ElferRausState
from tests.support import random_play
from tests.support.naive import NaiveGame


def assert_whole(game: ElferRaus, state: ElferRausState) -> None:
    """Every card is in exactly one place, exactly one thing comes next, few cards fit."""
    places = [state.laid, *state.hands, *(card.bit for card in state.stock)]
    assert sum(place.bit_count() for place in places) == game.rules.deck.bit_count()
    assert sum(places) == game.rules.deck
    ahead = [state.outcome(), state.forced(), state.decision()]
    assert ahead.count(None) == 2
    view = state.view(0)
    if state.laid:
        fits = frontier(view.laid, view.starts, game.rules.deck)
        assert fits.bit_count() <= most_that_fit(game.rules)
    assert view.hand_sizes == tuple(hand.bit_count() for hand in state.hands)


def assert_house_is_legal(game: ElferRaus, state: ElferRausState) -> None:
    """It lays something that is accepted, whenever anything is to be chosen."""
    if state.decision() is not None:
        act = state.judge(state.seat, game.house(state.view(state.seat)))
        assert not isinstance(act, Ruling), act
        assert act.cards


def assert_both_agree(game: ElferRaus, seed: bytes, dealer: int) -> None:
    """With the naive implementation: what is forced, what fits, every verdict, the points."""
    random = Random(seed)
    state = game.deal(Dice(seed), 1, dealer)
    naive = naive_game(game, state, dealer)
    while (outcome := state.outcome()) is None:
        assert state.seat == naive.seat
        forced = state.forced()
        assert (None if forced is None else game.text(forced)) == naive.forced()
        if forced is None:
            _assert_same_verdicts(state, naive, random)
        view = state.view(state.seat)
        fits = Cards.from_mask(frontier(view.laid, view.starts, game.rules.deck))
        assert {card.name for card in fits} == naive.frontier()
        act = random_play.next_act(state, random)
        state.apply(act)
        naive.apply(game.text(act))
    assert list(outcome.points) == naive.points()


def naive_game(game: ElferRaus, state: ElferRausState, dealer: int) -> NaiveGame:
    """The same deal for the naive implementation."""
    hands = [[card.name for card in cards_of(hand)] for hand in state.hands]
    stock = [card.name for card in state.stock]
    naive = NaiveGame(game.rules_line, state.setup(), hands, stock, dealer)
    if game.rules.opener == "lot":
        naive.seat = state.seat
    return naive


def _assert_same_verdicts(state: ElferRausState, naive: NaiveGame, random: Random) -> None:
    view = state.view(state.seat)
    assert view.allowed is not None
    assert {card.name for card in cards_of(view.allowed.fits)} == naive.fitting()
    assert view.allowed.may_pass == (naive.verdict(()) is None)
    wild = [random_play.wild_choice(state, random) for _ in range(3)]
    for answer in [(), random_play.legal_choice(state, random), *wild]:
        verdict = state.judge(state.seat, answer)
        code = verdict.code if isinstance(verdict, Ruling) else None
        assert code == naive.verdict(answer), answer
