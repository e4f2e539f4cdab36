"""What a person is shown and may type; hints."""

from random import Random

import pytest

from elfer.cards import Card
from referee.core.dice import Dice
from referee.core.game import Hue, Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.profiles import PROFILES
from referee.games.elfer_raus.state import ElferRausState
from referee.games.elfer_raus.view import View
from tests.support.positions import answer, opening, position, profile
from tests.support.random_play import legal_answer

R = profile("ravensburger")


def view_of(state: ElferRausState) -> View:
    return state.view(state.seat)


VIEW = view_of(position("ravensburger", "R7 R10 R12 R13 Y11 G9", laid="R11"))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("R12 R13", "R12 R13"),
        ("r12,r13 y11", "R12 R13 Y11"),
        ("R12-14", "R12 R13 R14"),
        ("r10-8", "R10 R9 R8"),
        ("R9-R9", "R9"),
        ("1", "R10"),
        ("3 2 R13", "Y11 R12 R13"),
        ("R12 R12", "R12 R12"),
        ("B20", "B20"),
        ("", ""),
        ("  ", ""),
        ("-", ""),
        ("pass", ""),
    ],
)
def test_what_is_typed_is_read(typed: str, read: str) -> None:
    assert R.read(VIEW, typed) == answer(read)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("X9", "'X9' is no card"),
        ("R21", "'R21' is no card"),
        ("R0", "'R0' is no card"),
        ("R12-Y13", "'R12-Y13' is no card"),
        ("R12-21", "'R21' is no card"),
        ("4", "there is no key 4: the keys are 1 to 3"),
        ("0", "there is no key 0"),
        ("R12 pass", "'PASS' is no card"),
        ("9" * 5000, "is no card"),
        ("\u0663", "is no card"),
        ("R12 \x1b[2J", "is no card"),
    ],
)
def test_what_cannot_be_read_is_told(typed: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        R.read(VIEW, typed)
    assert told in str(error.value)


def test_the_menu_has_the_hand_and_a_key_for_each_card_that_fits() -> None:
    assert R.menu(VIEW) == (
        "hand    R7 [R10] [R12] R13  [Y11]  G9",
        "lay     1:R10  2:R12  3:Y11",
    )


def test_a_picture_shows_names_where_it_is_given_them() -> None:
    assert R.picture(VIEW).table[-1] == "cards   6 2   stock 0"
    assert R.picture(VIEW, names=["ann", "bob"]).table[-1] == "cards   ann 6  bob 2   stock 0"


def test_the_menu_says_what_is_due_and_what_else_is_allowed() -> None:
    due = position("classic", "Y11 R12", laid="R11")
    assert profile("classic").menu(view_of(due))[2:] == ("due     Y11",)
    free = position("optional-pass", "R12 R1", "R13 R2", laid="R11")
    free.apply(answered(free, "R12"))
    assert free.decision() is not None
    assert profile("optional-pass").menu(view_of(free))[-1] == "pass    an empty line"
    one = opening("any-start", "R1 G20", "B2 B3")
    (_, lay, *rest) = profile("any-start").menu(view_of(one))
    assert (lay.startswith("lay one 1:"), rest) == (True, [])


def answered(state: ElferRausState, cards: str) -> Act:
    act = state.judge(state.seat, answer(cards))
    assert not isinstance(act, Ruling)
    return act


def test_hints_tell_due_house_and_how_far_each_card_leads() -> None:
    state = position("classic", "R10 R9 R7 R12 R13 Y11 Y12 Y10 G1", laid="R11")
    assert profile("classic").hints(view_of(state)) == (
        "due     Y11 must be laid in this turn (§4.5)",
        "house   would lay Y11",
        "chain   R10 R9, then R8 fits",
        "chain   R12 R13, then R14 fits",
        "chain   Y11 Y12 Y10, then Y9 Y13 fit",
    )


def test_hints_know_the_ends_of_rows() -> None:
    laid = " ".join(f"R{n}" for n in range(3, 19))
    state = position("ravensburger", "R1 R2 R19 R20 Y1", laid=laid)
    assert R.hints(view_of(state))[1:] == (
        "chain   R2 R1, then nothing new fits",
        "chain   R19 R20, then nothing new fits",
    )


def test_hints_for_a_single_card() -> None:
    state = opening("three-starts", "R10 R11 R12", "B2 B3", dealer=1)
    assert profile("three-starts").hints(view_of(state)) == (
        "house   would lay R10",
        "one     card, and the turn is over (§9.5)",
    )


@pytest.mark.parametrize("name", PROFILES)
def test_a_view_is_judged_as_the_state_judges(name: str) -> None:
    game = ElferRaus.of_profile(name, 3)
    random = Random(name)
    state = game.deal(Dice(bytes(32)), 1, 0)
    refused = 0
    while state.outcome() is None:
        act = state.forced()
        if act is None:
            view = view_of(state)
            given = tuple(random.sample(range(82), random.choice([0, 1, 1, 2])))
            tried = [given, legal_answer(view, random), tuple(map(int, Card))[:2], game.house(view)]
            for each in tried:
                judged = state.judge(state.seat, each)
                expected = judged if isinstance(judged, Ruling) else None
                assert game.ruling(view, each) == expected
                refused += expected is not None
            for line in (*game.menu(view), *game.hints(view)):
                assert line == line.strip()
            judged = state.judge(state.seat, game.house(view))
            assert not isinstance(judged, Ruling)
            act = judged
        state.apply(act)
    assert refused > 10


def test_chains_of_hints_are_legal() -> None:
    random = Random(1)
    for number in range(20):
        state = R.deal(Dice(number.to_bytes(32, "big")), 1, 0)
        while state.outcome() is None:
            act = state.forced()
            if act is None:
                view = view_of(state)
                for hint in R.hints(view):
                    if hint.startswith("chain"):
                        cards = hint.removeprefix("chain").partition(",")[0]
                        assert R.ruling(view, R.read(view, cards)) is None
                judged = state.judge(state.seat, legal_answer(view, random))
                assert not isinstance(judged, Ruling)
                act = judged
            state.apply(act)


def test_nothing_is_offered_where_there_is_nothing_to_choose() -> None:
    idle = VIEW._replace(allowed=None)
    for ask in (R.menu, R.hints, lambda view: R.read(view, "1"), lambda view: R.ruling(view, ())):
        with pytest.raises(ValueError, match="nothing to choose"):
            ask(idle)


def test_cards_and_rows_have_their_colours() -> None:
    line = "3 1 draw 2 lay G8 (R12-15)"
    assert [(line[m.start : m.end], m.hue) for m in R.marks(line)] == [
        ("G8", Hue.GREEN),
        ("R12-15", Hue.RED),
    ]
    row = R.picture(VIEW).table[0]
    found = [(row[m.start : m.end], m.hue) for m in R.marks(row)]
    assert found[0] == ("red", Hue.RED)
    assert found.count((".", Hue.FAINT)) == 19
    assert ("11", Hue.RED) in found
    assert R.marks("cards   19 19   stock 40") == ()
