"""Sets of cards, and cards as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elfer import Card, Cards
from elfer.notation import read_cards, write_cards

hands = st.sets(st.sampled_from(Card)).map(Cards)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("", ()),
        ("-", ()),
        ("R11", (Card.R11,)),
        ("G3 R1-3", (Card.G3, Card.R1, Card.R2, Card.R3)),
        ("B20 B20", (Card.B20, Card.B20)),
    ],
)
def test_reading(text: str, cards: tuple[Card, ...]) -> None:
    assert read_cards(text) == cards


@pytest.mark.parametrize("text", ["r11", "R21", "R0", "R3-1", "R3-", "R3-Y5", "R3 - 5", "11"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (card|range)"):
        read_cards(text)


def test_runs_do_not_reach_into_the_next_colour() -> None:
    assert write_cards(Cards(read_cards("R19 R20 Y1 Y2 B18-20"))) == "R19-20 Y1-2 B18-20"


@given(hands)
def test_writing_is_the_inverse_of_reading(hand: Cards) -> None:
    assert Cards(read_cards(write_cards(hand))) == hand


@given(hands, hands)
def test_sets_of_cards_stay_sets_of_cards(one: Cards, other: Cards) -> None:
    for result, expected in [
        (one & other, set(one) & set(other)),
        (one | other, set(one) | set(other)),
        (one - other, set(one) - set(other)),
        (one - set(other), set(one) - set(other)),
    ]:
        assert isinstance(result, Cards)
        assert result == Cards(expected)
        assert hash(result) == hash(Cards(expected))
