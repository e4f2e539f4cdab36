"""The harness for an author's own unit tests."""

from collections.abc import Iterable

import pytest

from elfer import Bot, Card, Turn
from elfer.testing import check, turn


class Fixed(Bot):
    def __init__(self, *cards: Card) -> None:
        self.cards = cards

    def answer(self, turn: Turn) -> Iterable[Card]:
        yield from self.cards


def test_a_legal_answer_comes_back() -> None:
    bot = Fixed(Card.R12, Card.R13)
    assert check(bot, turn("R12-13", laid="R11")) == (Card.R12, Card.R13)


def test_a_refused_one_is_explained() -> None:
    with pytest.raises(AssertionError) as caught:
        check(Fixed(Card.R13, Card.R12), turn("R12-13", laid="R11"))
    text = str(caught.value)
    assert "R13 R12" in text
    assert "R13 does not fit" in text
    assert "§4.3" in text
    assert "hand R12-13; laid R11; fits R12" in text


def test_a_late_one_is_told() -> None:
    seen = turn("R12", laid="R11", time_left=0)
    with pytest.raises(AssertionError, match="late\nat <Turn 1"):
        check(Fixed(Card.R12), seen)
    assert check(Fixed(Card.R12), turn("R12", laid="R11", time_left=0, bank=60)) == (Card.R12,)
    with pytest.raises(AssertionError, match="late"):
        check(Fixed(Card.R12), turn("R12", laid="R11", time_left=0, bank=60, match_left=0))


def test_a_pass_that_is_not_allowed_is_explained() -> None:
    with pytest.raises(AssertionError, match="refused: a pass"):
        check(Fixed(), turn("R12", laid="R11"))
    assert check(Fixed(), turn("R12", laid="R11", slots={"pass": "free"}, may_pass=True)) == ()
