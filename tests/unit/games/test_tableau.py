"""What fits, in the SDK's terms of cards."""

import pytest

from elfer.cards import PACK, Card, Cards, Colour
from elfer.tableau import OTHER_ROWS, ROW, SAME_NUMBER, Tableau
from tests.support.positions import cards

ELEVENS = Cards(cards("R11 Y11 G11 B11"))


def _set(names: str) -> Cards:
    return Cards(cards(names))


def test_tables_of_rows_and_numbers() -> None:
    for card in Card:
        in_row = {c for c in Card if c.colour is card.colour}
        assert set(Cards.from_mask(ROW[card])) == in_row
        assert set(Cards.from_mask(OTHER_ROWS[card])) == set(Card) - in_row
        assert set(Cards.from_mask(SAME_NUMBER[card])) == {
            c for c in Card if c.number == card.number
        }
    assert ROW[Card.B20].bit_count() == 20
    assert OTHER_ROWS[0] == PACK


def test_nothing_but_start_cards_fits_an_empty_table() -> None:
    table = Tableau(Cards(), ELEVENS)
    assert table.frontier == ELEVENS
    assert table.fits(_set("R10 R11 Y12")) == _set("R11")
    assert table.due(_set("R10 R11 Y12")) == _set("R11")


def test_laying_moves_the_frontier() -> None:
    table = Tableau(Cards(), ELEVENS).lay(Card.R11, Card.R12, Card.R10)
    assert table.frontier == _set("R9 R13 Y11 G11 B11")
    assert table.laid == _set("R10 R11 R12")
    assert Tableau(Cards(), ELEVENS).laid == Cards()


def test_rows_end_without_a_wrap() -> None:
    everything = Cards.from_mask(PACK)
    full = Cards.from_mask(ROW[Card.R1] | ROW[Card.G1])
    table = Tableau(full, _set("Y11 B11"))
    assert table.frontier == _set("Y11 B11")
    assert Tableau(everything, Cards()).frontier == Cards()
    short = Tableau(_set("R6 R10"), Cards(), Cards(c for c in Card if c.number <= 10))
    assert short.frontier == _set("R5 R7 R9")


@pytest.mark.parametrize(
    ("names", "legal"),
    [("R12 R13", 2), ("R13 R12", 0), ("R12 R12", 1), ("R12 Y12", 1), ("R12 G5", 1), ("", 0)],
)
def test_legal_prefix(names: str, legal: int) -> None:
    table = Tableau(_set("R11"), _set("Y11 G11 B11"))
    assert table.legal_prefix(_set("R12 R13 Y12"), cards(names)) == legal


def test_legal_prefix_takes_any_numbers() -> None:
    table = Tableau(_set("R11"), _set("Y11 G11 B11"))
    for raw in (0, -1, 81, 10**30):
        assert table.legal_prefix(_set("R12"), (12, raw)) == 1
        assert table.legal_prefix(_set("R12"), (raw,)) == 0


def test_laying_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="R13 does not fit"):
        Tableau(_set("R11"), ELEVENS).lay(Card.R13)
    with pytest.raises(ValueError, match="R11 does not fit"):
        Tableau(_set("R11"), _set("Y11")).lay(Card.R11)


def test_the_first_card_names_the_start_number() -> None:
    pack = Cards.from_mask(PACK)
    table = Tableau(Cards(), pack, any_start=True)
    assert table.frontier == pack
    after = table.lay(Card.G20)
    assert after.starts == _set("R20 Y20 B20")
    assert after.frontier == _set("G19 R20 Y20 B20")
    assert after.lay(Card.G19, Card.R20).starts == _set("Y20 B20")
    assert table.legal_prefix(pack, cards("G20 R19")) == 1
    assert (
        len(after.lay(*(Card.parse(f"{c.letter}20") for c in Colour if c.letter != "G")).laid) == 4
    )
