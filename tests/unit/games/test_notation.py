"""Acts as text, and what of them another seat sees."""

import pytest

from elfer.acts import Verb
from elfer.cards import Card
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.notation import Act, parse, seen, text
from tests.support.positions import profile

ACTS = [
    (Act((2,), Verb.OPEN, (Card.R11,)), "open R11", "open R11"),
    (Act((3,), Verb.LAY, (Card.B11, Card.B10)), "lay B11 B10", "lay B11 B10"),
    (
        Act((0,), Verb.DRAW, (Card.Y4, Card.G7, Card.G8), Card.G8),
        "draw Y4 G7 G8 lay G8",
        "draw 3 lay G8",
    ),
    (Act((1,), Verb.DRAW, (Card.Y1,)), "draw Y1", "draw 1"),
    (Act((1,), Verb.DRAW, (Card.Y1,), Card.Y1), "draw Y1 lay Y1", "draw 1 lay Y1"),
    (Act((2,), Verb.STUCK), "stuck", "stuck"),
    (Act((3,), Verb.PASS), "pass", "pass"),
]


@pytest.fixture
def game() -> ElferRaus:
    return profile("ravensburger", 4)


@pytest.mark.parametrize(("act", "line", "others_see"), ACTS)
def test_text(game: ElferRaus, act: Act, line: str, others_see: str) -> None:
    assert game.text(act) == text(act) == line
    assert game.parse(act.seats, line) == parse(act.seats, line) == act
    (seat,) = act.seats
    assert game.seen(act, seat) == line
    for other in {0, 1, 2, 3} - {seat}:
        assert game.seen(act, other) == seen(act, other) == others_see


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "lay",
        "lay ",
        "open",
        "draw",
        "draw lay R11",
        "draw R11 lay",
        "draw R11 lay R12",
        "draw R11 R12 lay R11",
        "draw 2",
        "draw R11 lay R11 lay R11",
        "open R11 R12",
        "open r11",
        "lay R011",
        "lay R21",
        "lay R0",
        "lay R11  R12",
        "lay R11 ",
        " lay R11",
        "lay R11\n",
        "lay R11 R11",
        "lay\tR11",
        "Lay R11",
        "stuck R11",
        "pass R11",
        "stuck ",
        "house lay R11",
        "lay colour",
        "lay __class__",
        "resign",
    ],
)
def test_near_misses_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse((0,), line)


def test_the_answer_that_makes_an_act(game: ElferRaus) -> None:
    assert game.answer(parse((0,), "lay B11 B10")) == (71, 70)
    assert game.answer(parse((0,), "pass")) == ()
    for line in ("stuck", "draw R1", "open R11"):
        with pytest.raises(ValueError, match="nobody chooses"):
            game.answer(parse((0,), line))
