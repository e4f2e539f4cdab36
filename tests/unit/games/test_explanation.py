"""What is said on a position: why cards fit, what would be accepted, why nobody is asked."""

from collections.abc import Iterator
from random import Random

import pytest

from elfer.cards import Card
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.state import ElferRausState
from tests.support.positions import answer, opening, position, profile
from tests.support.random_play import legal_choice, next_act, wild_choice


def explained(name: str, state: ElferRausState) -> tuple[list[str], list[str]]:
    """On the seat whose turn it is, without the width of the first column."""
    reasons, accepted = profile(name, 2).explain(state.view(state.seat), state.forced())
    return [" ".join(line.split()) for line in reasons], [" ".join(a.split()) for a in accepted]


def test_why_cards_fit_and_what_would_be_accepted() -> None:
    state = position("ravensburger", "R9 R10 R12 R14 Y11 Y13 G9", laid="R11")
    assert explained("ravensburger", state) == (
        [
            "fits R10: next to R11 (§4.3)",
            "fits R12: next to R11 (§4.3)",
            "fits Y11: a start card, and the yellow row is closed (§4.3)",
            "due nothing: these rules have no duty",
            "pass not allowed, as a card fits (§4.6)",
        ],
        [
            "one R10 or R12 or Y11 alone",
            "chain R10 R9 R12, or its beginning",
            "cards of several rows together, each row in its order (§4.4)",
            "pass not without a card",
            "house would lay R10",
        ],
    )


def test_a_card_between_two() -> None:
    state = position("false-start", "G10 Y7", laid="G9 G11")
    assert explained("false-start", state)[0][0] == "fits G10: next to G9 and G11 (§4.3)"


def test_what_is_due() -> None:
    state = position("classic", "R12 Y11 G11", laid="R11")
    reasons, accepted = explained("classic", state)
    assert "due Y11 G11: a start card of a closed row may not stay (§4.5)" in reasons
    assert accepted[0] == "one no card alone"
    assert "due only with Y11 G11 among the cards (§4.5)" in accepted
    assert accepted[-1] == "house would lay Y11 G11"
    assert "due nothing (§4.5)" in explained("classic", position("classic", "R12", laid="R11"))[0]


def test_passing() -> None:
    state = position("optional-pass", "R12 Y1", "R1 R2", laid="R11", stock="B1")
    free = state.view(0)
    assert free.allowed is not None
    game = profile("optional-pass")
    for may_pass, due, reason, told in (
        (True, 0, "allowed (§9.1)", "no card at all"),
        (False, 0, "as nobody laid or drew a card in the last turn (§9.1)", "not without a card"),
        (False, Card.Y11.bit, "while a start card is due (§9.1)", "not without a card"),
    ):
        view = free._replace(allowed=free.allowed._replace(may_pass=may_pass, due=due))
        reasons, accepted = game.explain(view, None)
        assert reasons[-1].endswith(reason)
        assert any(line.endswith(told) for line in accepted)


def test_before_the_first_card_of_any_start() -> None:
    state = opening("any-start", "R5 Y7", "G1 G2")
    reasons, accepted = explained("any-start", state)
    assert reasons[0].endswith(": before the first card every card fits (§9.5)")
    assert "more none: one card only is laid in this turn (§9.5)" in accepted


NOTHING_FITS = [
    "fits nothing in the hand, so nobody is asked (§4.6)",
    "wanted R10 R12 Y11 G11 B11: the cards that would fit, wherever they are",
]


@pytest.mark.parametrize(
    ("stock", "told"),
    [
        ("R13 R12 B1", ["drawn R13: kept", "drawn R12: fits, and is laid at once (§5.1)"]),
        ("R13", ["drawn R13: kept", "the turn ends: the stock ran out (§5.3)"]),
        (
            "R13 R15 R16 R17",
            [
                "drawn R13: kept",
                "drawn R15: kept",
                "drawn R16: kept",
                "the turn ends: 3 at most are drawn (§5.2)",
            ],
        ),
        ("", ["stock empty, so the seat passes (§5.3)"]),
    ],
)
def test_why_a_stuck_seat_is_not_asked(stock: str, told: list[str]) -> None:
    state = position("ravensburger", "R14", laid="R11", stock=stock)
    assert explained("ravensburger", state) == (NOTHING_FITS + told, [])


def test_why_nobody_is_asked_about_the_opening() -> None:
    reasons, accepted = explained("ravensburger", opening("ravensburger", "Y1 Y2", "R11 R12"))
    assert reasons[0].startswith("open R11: the first start card")
    assert reasons[1] == "nobody is asked: the referee lays the opening card (§3.3)"
    assert accepted == []


@pytest.mark.parametrize(
    ("name", "hand", "given", "fault", "reason"),
    [
        (
            "ravensburger",
            "R12 R13 R15",
            "R12 R15",
            "card 2 of the answer is the first at fault",
            (
                "not adjacent; ruled out: not a card of this deck, named twice, not in hand, "
                "row not opened"
            ),
        ),
        (
            "ravensburger",
            "R12 R13",
            "R12 R12",
            "card 2 of the answer is the first at fault",
            "named twice; ruled out: not a card of this deck",
        ),
        (
            "classic",
            "R12 Y11",
            "R12",
            "no single card is at fault",
            "duty of the start card unmet; ruled out: one card only",
        ),
    ],
)
def test_why_a_fault_comes_first(name: str, hand: str, given: str, fault: str, reason: str) -> None:
    state = position(name, hand, laid="R11")
    ruling = state.judge(0, answer(given))
    assert isinstance(ruling, Ruling)
    assert profile(name).explain_ruling(state.view(0), answer(given), ruling) == (
        fault,
        f"the first reason that holds (§4.7): {reason}",
    )


def test_a_card_of_another_deck_is_told_which_deck_this_is() -> None:
    """§1.1, which the ruling cites, has the 80 cards alone."""
    state = position("junior-10", "R7", laid="R6")
    ruling = state.judge(0, answer("R11"))
    assert isinstance(ruling, Ruling)
    *_, last = profile("junior-10").explain_ruling(state.view(0), answer("R11"), ruling)
    assert last == "this deck: numbers 1 to 10 in red, yellow, green, blue"


def test_a_ruling_on_something_else_needs_no_more_words() -> None:
    view = position("classic", "R12", laid="R11").view(0)
    assert profile("classic").explain_ruling(view, (), Ruling("late", "§7.4", 0, "late")) == ()


def turns(game: ElferRaus, seed: int) -> Iterator[ElferRausState]:
    state = game.deal(Dice(seed.to_bytes(32, "big")), 1, 0)
    random = Random(seed)
    while state.outcome() is None:
        yield state
        state.apply(next_act(state, random))


@pytest.mark.parametrize("name", PROFILES)
def test_every_turn_of_a_game_can_be_explained(name: str) -> None:
    """And what is said to be accepted is."""
    game = ElferRaus.of_profile(name, 3)
    random = Random(1)
    for state in turns(game, 7):
        view = state.view(state.seat)
        reasons, accepted = game.explain(view, state.forced())
        assert reasons
        assert bool(accepted) == (state.forced() is None)
        if not accepted:
            continue
        for line in accepted:
            word, _, rest = line.partition(" ")
            cards = rest.partition(",")[0].split()
            if word == "chain" and view.allowed and not view.allowed.due:
                assert not isinstance(state.judge(state.seat, answer(" ".join(cards))), Ruling)
        assert not isinstance(state.judge(state.seat, legal_choice(state, random)), Ruling)
        given = wild_choice(state, random)
        if isinstance(ruling := state.judge(state.seat, given), Ruling):
            more = ruling.code == "not_in_deck"
            assert len(game.explain_ruling(view, given, ruling)) == 2 + more
            assert game.rulebook(ruling.section)
