"""House player 1 (see the record's contract)."""

import pytest

from elfer.cards import Card
from tests.support.positions import answer, position, profile


@pytest.mark.parametrize(
    ("name", "laid", "hand", "lays"),
    [
        ("ravensburger", "R11", "R12 R10 B11", "R10"),
        ("ravensburger", "R11 Y11", "Y10 R10 R12", "R10"),
        ("ravensburger", "R11 Y11", "Y10 R12", "Y10"),
        ("ravensburger", "R11", "Y11 R12", "Y11"),
        ("classic", "R11", "R10 B11 Y11 Y12", "Y11 B11"),
        ("classic", "R11", "R10 B11", "B11"),
        ("optional-pass", "R11", "R10 R12", "R10"),
        ("false-start", "", "R2 B19 G3", "R2"),
    ],
)
def test_house(name: str, laid: str, hand: str, lays: str) -> None:
    state = position(name, hand, laid=laid)
    chosen = profile(name).house(state.view(0))
    assert chosen == answer(lays)
    assert all(type(card) is not bool and Card(card) for card in chosen)
    state.judge(0, chosen)


def test_the_house_is_asked_only_when_there_is_something_to_choose() -> None:
    state = position("ravensburger", "R12", "R10 R9", laid="R11")
    with pytest.raises(ValueError, match="something to choose"):
        profile("ravensburger").house(state.view(1))
