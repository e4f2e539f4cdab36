"""Rulings on single positions: the rows of rulebook §11 (18 and 19 are the match's)."""

from typing import NamedTuple

import pytest

from elfer.acts import Verb
from elfer.cards import Card, cards_of
from elfer.ruling import SECTION, Code
from elfer.tableau import frontier
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.notation import Act, text
from referee.games.elfer_raus.state import ElferRausState
from tests.support.positions import answer, cards, opening, position, profile, row

R = ("ravensburger", "three-colours")
C = ("classic", "optional-pass", "draw-three", "junior-15")
BOTH = (*R, *C)
FINE = None


class Case(NamedTuple):
    """One answer in one position, and what §4.7 says to it."""

    row: int
    profiles: tuple[str, ...]
    laid: str
    hand: str
    answer: str
    refused: tuple[Code, str] | None
    """The code, and the card it names."""


def _cases(
    number: int,
    profiles: tuple[str, ...],
    laid: str,
    hand: str,
    verdicts: dict[str, tuple[Code, str] | None],
) -> list[Case]:
    return [Case(number, profiles, laid, hand, given, v) for given, v in verdicts.items()]


CASES = [
    *_cases(
        5,
        BOTH,
        "R11",
        "R10 R12 G9",
        {
            "R10": FINE,
            "R12": FINE,
            "R10 R12": FINE,
            "R12 R10": FINE,
            "G9": (Code.ROW_NOT_OPENED, "G9"),
            "R10 G9": (Code.ROW_NOT_OPENED, "G9"),
        },
    ),
    *_cases(
        6,
        BOTH,
        "R11",
        "Y11 R13",
        {"Y11": FINE, "R13": (Code.NOT_ADJACENT, "R13"), "Y11 R13": (Code.NOT_ADJACENT, "R13")},
    ),
    *_cases(6, R, "R11", "Y11 R13", {"": (Code.MUST_LAY, "")}),
    *_cases(6, C, "R11", "Y11 R13", {"": (Code.DUTY_UNMET, "Y11")}),
    *_cases(7, R, "R11", "Y11 R10", {"R10": FINE, "Y11": FINE, "R10 Y11": FINE}),
    *_cases(
        7,
        C,
        "R11",
        "Y11 R10",
        {"R10": (Code.DUTY_UNMET, "Y11"), "Y11": FINE, "R10 Y11": FINE, "Y11 R10": FINE},
    ),
    *_cases(
        8,
        R,
        "R11",
        "Y11 G11 Y12",
        {
            "Y11": FINE,
            "G11": FINE,
            "G11 Y11": FINE,
            "Y12": (Code.ROW_NOT_OPENED, "Y12"),
            "G11 Y12": (Code.ROW_NOT_OPENED, "Y12"),
            "Y11 Y12": FINE,
        },
    ),
    *_cases(
        8,
        C,
        "R11",
        "Y11 G11 Y12",
        {
            "Y11": (Code.DUTY_UNMET, "G11"),
            "G11": (Code.DUTY_UNMET, "Y11"),
            "Y11 G11": FINE,
            "G11 Y11 Y12": FINE,
            "G11 Y12 Y11": (Code.ROW_NOT_OPENED, "Y12"),
        },
    ),
    *_cases(
        9,
        BOTH,
        "R11",
        "R12 R13 R15",
        {
            "R12 R13": FINE,
            "R13 R12": (Code.NOT_ADJACENT, "R13"),
            "R15": (Code.NOT_ADJACENT, "R15"),
            "R12 R13 R15": (Code.NOT_ADJACENT, "R15"),
        },
    ),
    *_cases(10, R, "R11", "R12 R15", {"": (Code.MUST_LAY, "")}),
    *_cases(
        10, ("classic", "draw-three", "junior-15"), "R11", "R12 R15", {"": (Code.MUST_LAY, "")}
    ),
    *_cases(15, BOTH, "R11", "R12 R13", {"R12 R13": FINE, "R12": FINE}),
    *_cases(
        17,
        BOTH,
        "R11 Y11 Y10",
        "R10 Y9 Y8",
        {"Y8": (Code.NOT_ADJACENT, "Y8"), "R10 Y9": FINE},
    ),
    *_cases(
        17,
        ("ravensburger", *C),
        "R11 B11 B10 B12",
        "R12 Y9 B15",
        {
            "Y9": (Code.ROW_NOT_OPENED, "Y9"),
            "B15": (Code.NOT_ADJACENT, "B15"),
            "R12 B15": (Code.NOT_ADJACENT, "B15"),
        },
    ),
    *_cases(
        23,
        tuple(name for name in BOTH if name != "junior-15"),
        "R11 R12 R13 R14 R15 R16 R17 R18 R19 R20",
        "R10 Y1",
        {"Y1": (Code.ROW_NOT_OPENED, "Y1"), "R10": FINE},
    ),
    *_cases(
        23,
        ("junior-10",),
        "R6 R7 R8 R9 R10",
        "R5 Y1",
        {"Y1": (Code.ROW_NOT_OPENED, "Y1"), "R5": FINE, "R11": (Code.NOT_IN_DECK, "R11")},
    ),
    *_cases(
        24,
        C,
        "R11",
        "Y11 R12",
        {"R12": (Code.DUTY_UNMET, "Y11"), "R12 Y11": FINE, "Y11": FINE},
    ),
    *_cases(
        29,
        BOTH,
        "R11",
        "R12 R10",
        {"R12 R12": (Code.NAMED_TWICE, "R12"), "R12": FINE},
    ),
]


@pytest.mark.parametrize(
    ("case", "name"),
    [
        pytest.param(case, name, id=f"row {case.row}-{name}-{case.hand}-[{case.answer}]")
        for case in CASES
        for name in case.profiles
    ],
)
def test_answer(case: Case, name: str) -> None:
    state = position(name, case.hand, laid=case.laid)
    before = state.view(0)
    verdict = state.judge(0, answer(case.answer))
    if case.refused is None:
        assert verdict == Act((0,), Verb.LAY, cards(case.answer))
    else:
        code, card = case.refused
        assert isinstance(verdict, Ruling)
        assert (verdict.code, verdict.section) == (code, SECTION[code])
        assert verdict.card == (Card.parse(card) if card else 0)
    assert state.view(0) == before


def _forced(state: ElferRausState) -> str:
    act = state.forced()
    assert act is not None
    assert state.decision() is None
    return f"{act.seats[0]} {text(act)}"


def _carry_out(state: ElferRausState) -> None:
    act = state.forced()
    assert act is not None
    state.apply(act)


def _refused(state: ElferRausState, names: str) -> str:
    verdict = state.judge(state.seat, answer(names))
    assert isinstance(verdict, Ruling)
    return f"{verdict.code} {Card(verdict.card).name}" if verdict.card else verdict.code


def _lay(state: ElferRausState, names: str) -> None:
    act = state.judge(state.seat, answer(names))
    assert isinstance(act, Act), act
    state.apply(act)


def _fits(state: ElferRausState) -> str:
    decision = state.decision()
    assert decision is not None
    return " ".join(card.name for card in cards_of(decision.allowed[0].fits))


def test_row_1_the_red_start_card_begins() -> None:
    hands = ("Y11 R1", "R2 R3", "R4 R5", "R11 R6")
    assert _forced(opening("ravensburger", *hands)) == "3 open R11"
    assert opening("classic", *hands).seat == 3


def test_row_2_without_the_red_one() -> None:
    hands = ("R1 R2", "Y11 R4", "B11 R6")
    for dealer in range(3):
        assert _forced(opening("ravensburger", *hands, dealer=dealer)) == "1 open Y11"
    assert opening("classic", *hands, dealer=0).seat == 1
    assert opening("classic", *hands, dealer=1).seat == 2
    assert opening("classic", *hands, dealer=2).seat == 1


def test_row_3_the_opening_card_is_laid_alone() -> None:
    state = opening("ravensburger", "R1 R2", "R3 R4", "G11 B11", stock="R11 Y11")
    assert _forced(state) == "2 open G11"
    _carry_out(state)
    assert cards_of(state.hands[2]) == cards("B11")
    assert state.seat == 0


def test_row_4_no_start_card_in_any_hand() -> None:
    seed = (1).to_bytes(32, "big")
    redealt = profile("ravensburger").deal(Dice(seed), 1, 0)
    assert redealt.deal == 1
    state = profile("classic").deal(Dice(seed), 1, 0)
    assert state.deal == 0
    assert _forced(state) == "1 draw B15"


@pytest.mark.parametrize("name", BOTH)
def test_row_11_a_drawn_card_that_fits_ends_the_turn(name: str) -> None:
    state = position(name, "R14 R9", laid="R11", stock="R10 R12")
    assert _forced(state) == "0 draw R10 lay R10"
    _carry_out(state)
    assert cards_of(state.hands[0]) == cards("R9 R14")
    assert state.seat == 1


@pytest.mark.parametrize("name", [*R, "draw-three"])
def test_row_12_what_did_not_fit_when_drawn_stays(name: str) -> None:
    state = position(name, "R14", laid="R11", stock="R13 R12 R10")
    assert _forced(state) == "0 draw R13 R12 lay R12"
    _carry_out(state)
    assert cards_of(state.hands[0]) == cards("R13 R14")
    assert state.seat == 1
    assert state.view(0).stock == 1


@pytest.mark.parametrize("name", ["classic", "optional-pass", "junior-15"])
def test_row_12_classic_draws_one(name: str) -> None:
    assert _forced(position(name, "R14", laid="R11", stock="R13 R12")) == "0 draw R13"


@pytest.mark.parametrize("name", [*R, "draw-three"])
def test_row_13_a_short_stock(name: str) -> None:
    state = position(name, "R14", laid="R11", stock="R15 R16")
    assert _forced(state) == "0 draw R15 R16"
    _carry_out(state)
    assert cards_of(state.hands[0]) == cards("R14 R15 R16")
    assert _forced(state) == "1 stuck"


@pytest.mark.parametrize("name", BOTH)
def test_row_14_a_drawn_start_card_opens_its_row(name: str) -> None:
    assert _forced(position(name, "R14", laid="R11", stock="G11 R12")) == "0 draw G11 lay G11"


@pytest.mark.parametrize("name", BOTH)
def test_row_15_the_last_card_wins(name: str) -> None:
    state = position(name, "R12 R13", "Y1 Y3", laid="R11")
    shorter = state.clone()
    _lay(state, "R12 R13")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)
    assert outcome.points == (0, 4)
    assert (state.forced(), state.decision()) == (None, None)
    _lay(shorter, "R12")
    assert shorter.outcome() is None


def test_row_16_a_row_that_is_full() -> None:
    game = profile("ravensburger")
    state = position("ravensburger", "Y11 Y12", laid=row("R"))
    assert _fits(state) == "Y11"
    view = state.view(0)
    assert cards_of(frontier(view.laid, view.starts, game.rules.deck)) == cards("Y11 G11 B11")


def test_row_20_false_start() -> None:
    state = opening("false-start", "R2 R3 R10 R11 R18 R19 B2", "Y2 Y11")
    assert state.seat == 0
    assert _fits(state) == "R2 R19 B2"
    assert _refused(state, "R11") == "not_adjacent R11"


def test_row_21_three_starts_opens_with_one_of_them() -> None:
    state = opening("three-starts", "R12 Y1", "R10 R9")
    _lay(state, "R10")
    assert _forced(state) == "0 stuck"
    state = opening("three-starts", "R12 R11 Y1", "R10 R9")
    _lay(state, "R10")
    assert _fits(state) == "R11"
    assert _refused(state, "R12") == "not_adjacent R12"
    _lay(state, "R11 R12")


def test_row_22_any_start_names_the_start_number() -> None:
    state = opening("any-start", "G20 G19 Y20 Y11 R19", "G18 R20 B1")
    if state.seat == 1:
        state = opening("any-start", "G20 G19 Y20 Y11 R19", "G18 R20 B1", dealer=1)
    _lay(state, "G20")
    assert cards_of(state.view(0).starts) == cards("R20 Y20 B20")
    assert _fits(state) == "R20"
    _lay(state, "R20")
    assert _fits(state) == "R19 Y20 G19"
    assert _refused(state, "Y11") == "row_not_opened Y11"


def test_row_25_the_classic_opening() -> None:
    state = opening("classic", "R11 B11 R12", "Y1 Y2")
    assert _refused(state, "R12 R11 B11") == "row_not_opened R12"
    assert _refused(state, "R11 R12") == "duty_unmet B11"
    _lay(state, "B11 R11")


def test_row_26_false_start_rows_meet() -> None:
    low = " ".join(f"G{n}" for n in range(1, 10))
    high = " ".join(f"G{n}" for n in range(11, 21))
    game = profile("false-start")
    state = position("false-start", "G10 R3", laid=f"{low} {high}")
    assert _fits(state) == "G10"
    view = state.view(0)
    green = frontier(view.laid, view.starts, game.rules.deck) & game.rules.cards(range(3, 19))
    assert cards_of(green) == cards("G10")


def test_row_27_any_start_first_turn() -> None:
    hands = ("G20 G19 R1", "Y20 Y19 R2")
    state = opening("any-start", *hands)
    mine = "G" if state.seat == 0 else "Y"
    assert _refused(state, f"{mine}20 {mine}19") == "one_card_only"
    assert _refused(state, "") == "must_lay"
    assert state.deal == 0
    assert _refused(state, f"{mine}20 {'R1' if mine == 'G' else 'R2'}").startswith("row_not_opened")


def test_rows_10_and_28_the_optional_pass() -> None:
    # 3 seats, no stock. Seat 0 lays, so the table is not idle.
    state = position("optional-pass", "R10 R12 Y3", "R9 Y2", "Y1 Y4", laid="R11")
    _lay(state, "R10")
    state.apply(_pass(state))
    assert _forced(state) == "2 stuck"
    _carry_out(state)
    assert _fits(state) == "R12"
    assert not _may_pass(state)
    assert _refused(state, "") == "pass_not_allowed"
    _lay(state, "R12")
    assert text(_pass(state)) == "pass"


def _may_pass(state: ElferRausState) -> bool:
    allowed = state.view(state.seat).allowed
    assert allowed is not None
    return allowed.may_pass


def _pass(state: ElferRausState) -> Act:
    assert _may_pass(state)
    act = state.judge(state.seat, ())
    assert isinstance(act, Act)
    return act


def test_row_10_no_pass_while_a_start_card_is_due() -> None:
    state = position("optional-pass", "R10 Y3", "Y11 R9", laid="R11")
    _lay(state, "R10")
    assert _refused(state, "") == "duty_unmet Y11"
    assert not _may_pass(state)


def test_row_28_a_draw_counts_as_movement() -> None:
    hands = ("R10 R12 Y3", "R9 Y2", "Y1 Y4")
    state = position("optional-pass", *hands, laid="R11", stock="Y5 Y6")
    _lay(state, "R10")
    state.apply(_pass(state))
    assert _forced(state) == "2 draw Y5"
    _carry_out(state)
    state.apply(_pass(state))
    # Of the last two turns one drew; without it nobody would have moved in them.
    assert _may_pass(state)


def test_reasons_come_in_order() -> None:
    """§4.7: cards left to right; for each the first reason; then the whole answer."""
    state = position("classic", "R12 R15 Y11", laid="R11")
    assert _refused(state, "G5 R15") == "not_in_hand G5"
    assert _refused(state, "R15 G5") == "not_adjacent R15"
    assert _refused(state, "R12 R12 G5") == "named_twice R12"
    assert _refused(state, "R11") == "not_in_hand R11"
    assert _refused(state, "R12") == "duty_unmet Y11"
    assert _refused(state, "") == "duty_unmet Y11"


@pytest.mark.parametrize(
    "raw", [0, -1, -80, 81, 2**31 - 1, -(2**31), pytest.param(10**5000, id="huge")]
)
def test_a_number_that_is_no_card(raw: int) -> None:
    state = position("ravensburger", "R12 R15", laid="R11")
    ruling = state.judge(0, (Card.R12, raw))
    assert isinstance(ruling, Ruling)
    assert (ruling.code, ruling.card) == (Code.NOT_IN_DECK, raw)
    assert "card 2" in ruling.text


def test_a_seat_that_is_not_asked_has_nothing_to_say() -> None:
    state = position("ravensburger", "R12 R15", "R10 R1", laid="R11")
    with pytest.raises(ValueError, match="seat 1"):
        state.judge(1, (Card.R10,))


def test_every_code_has_a_section() -> None:
    assert set(SECTION) == set(Code)
