"""What a seat is shown, and nothing besides."""

from elfer.cards import cards_of
from referee.games.elfer_raus.view import Allowed, View
from tests.support.positions import cards, mask, opening, position


def test_a_view_has_no_place_for_what_is_hidden() -> None:
    assert View._fields == ("seat", "hand", "laid", "starts", "stock", "hand_sizes", "allowed")
    assert Allowed._fields == ("fits", "due", "may_pass", "single")


def test_view_of_the_seat_that_is_asked() -> None:
    state = position("classic", "R10 Y11 Y12", "R1 R2", "G1 G2", laid="R11", stock="B1 B2 B3")
    assert state.view(0) == View(
        seat=0,
        hand=mask("R10 Y11 Y12"),
        laid=mask("R11"),
        starts=mask("Y11 G11 B11"),
        stock=3,
        hand_sizes=(3, 2, 2),
        allowed=Allowed(mask("R10 Y11"), mask("Y11"), may_pass=False, single=False),
    )


def test_view_of_another_seat() -> None:
    state = position("classic", "R10 Y11 Y12", "R1 R2", laid="R11", stock="B1")
    view = state.view(1)
    assert view.hand == mask("R1 R2")
    assert view.allowed is None


def test_nothing_is_due_without_the_duty() -> None:
    view = position("ravensburger", "R10 Y11", laid="R11").view(0)
    assert view.allowed == Allowed(mask("R10 Y11"), 0, may_pass=False, single=False)


def test_before_an_opening_that_the_referee_lays() -> None:
    state = opening("ravensburger", "R11 R12", "Y1 Y2")
    view = state.view(0)
    assert view.allowed is None
    assert state.decision() is None
    assert cards_of(view.starts) == cards("R11 Y11 G11 B11")


def test_a_clone_goes_its_own_way() -> None:
    state = position("ravensburger", "R10 R9", "R12 Y1", laid="R11", stock="B1")
    twin = state.clone()
    before = [twin.view(seat) for seat in range(2)]
    act = state.judge(0, (10,))
    state.apply(act)  # type: ignore[arg-type]
    assert [twin.view(seat) for seat in range(2)] == before
    assert state.view(0).hand_sizes == (1, 2)
