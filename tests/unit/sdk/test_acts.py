"""Transcript lines as a bot reads them."""

from pathlib import Path

import pytest

from elfer import Act, Card, Verb
from elfer.acts import parse_act
from referee.games.elfer_raus.notation import parse, seen

G7, G8, R11, R12, Y4 = Card.G7, Card.G8, Card.R11, Card.R12, Card.Y4


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("1 2 open R11", Act(Verb.OPEN, 2, 1, laid=(R11,))),
        ("2 3 lay R12 G8", Act(Verb.LAY, 3, 2, laid=(R12, G8))),
        (
            "3 0 draw Y4 G7 G8 lay G8",
            Act(Verb.DRAW, 0, 3, laid=(G8,), drawn=3, seen=(Y4, G7, G8)),
        ),
        ("4 1 draw Y4", Act(Verb.DRAW, 1, 4, drawn=1, seen=(Y4,))),
        ("4 1 draw 2", Act(Verb.DRAW, 1, 4, drawn=2)),
        ("4 1 draw 3 lay G8", Act(Verb.DRAW, 1, 4, drawn=3, laid=(G8,))),
        ("5 2 stuck", Act(Verb.STUCK, 2, 5)),
        ("6 3 pass", Act(Verb.PASS, 3, 6)),
        ("17 0 house lay R12", Act(Verb.LAY, 0, 17, laid=(R12,), house=True)),
        ("17 0 house pass", Act(Verb.PASS, 0, 17, house=True)),
        ("forfeit 3", Act(Verb.FORFEIT, 3)),
    ],
)
def test_reading(line: str, act: Act) -> None:
    assert parse_act(line) == act


@pytest.mark.parametrize(
    "line", ["", "forfeit", "forfeit 1 2", "1", "1 2", "1 2 house", "1 2 jump", "1 2 lay R99"]
)
def test_anything_else_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="is no act"):
        parse_act(line)


def test_all_that_the_referee_writes_is_read_as_it_was_meant() -> None:
    golden = Path(__file__).parents[2] / "golden" / "matches"
    lines = [line for file in golden.iterdir() for line in file.read_text().splitlines()]
    turns = [line for line in lines if line[0].isdecimal()]
    assert len(turns) > 5000
    for line in turns:
        turn, seat, words = line.split(" ", 2)
        act = parse((int(seat),), words.removeprefix("house "))
        told = parse_act(f"{turn} {seat} {seen(act, int(seat))}")
        shown = parse_act(f"{turn} {seat} {seen(act, 7)}")
        assert (told.verb, told.seat, told.turn) == (act.verb, int(seat), int(turn))
        drawn = act.cards if act.verb is Verb.DRAW else ()
        laid = act.cards if act.verb is not Verb.DRAW else (act.laid,) if act.laid else ()
        assert (told.laid, told.drawn, told.seen) == (laid, len(drawn), drawn)
        assert (shown.laid, shown.drawn, shown.seen) == (laid, len(drawn), ())
