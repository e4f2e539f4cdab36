"""Ways through a match, without a terminal and without a match."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from referee.cli.stepper import Stepper


class Frame(NamedTuple):
    game: int
    turn: int
    infraction: bool = False


FRAMES = [
    *[Frame(1, turn, turn == 2) for turn in range(4)],
    *[Frame(2, turn, turn in (1, 2)) for turn in range(3)],
    Frame(2, 2),
    Frame(4, 0),
]
"""Two frames at the end of game 2; no game 3."""

Go = Callable[[Stepper[Frame]], bool]


def at(place: int) -> Stepper[Frame]:
    stepper = Stepper(FRAMES)
    stepper.at = place
    return stepper


@pytest.mark.parametrize(
    ("go", "start", "end"),
    [
        (Stepper.next, 0, 1),
        (Stepper.next, 8, 8),
        (Stepper.back, 8, 7),
        (Stepper.back, 0, 0),
        (Stepper.first, 5, 0),
        (Stepper.first, 0, 0),
        (Stepper.last, 5, 8),
        (Stepper.last, 8, 8),
        (Stepper.next_game, 0, 4),
        (Stepper.next_game, 3, 4),
        (Stepper.next_game, 7, 8),
        (Stepper.next_game, 8, 8),
        (Stepper.previous_game, 8, 4),
        (Stepper.previous_game, 6, 4),
        (Stepper.previous_game, 4, 0),
        (Stepper.previous_game, 2, 0),
        (Stepper.previous_game, 0, 0),
        (Stepper.next_infraction, 0, 2),
        (Stepper.next_infraction, 2, 5),
        (Stepper.next_infraction, 6, 6),
        (Stepper.previous_infraction, 8, 6),
        (Stepper.previous_infraction, 5, 2),
        (Stepper.previous_infraction, 2, 2),
    ],
)
def test_every_way_leads_where_it_says(go: Go, start: int, end: int) -> None:
    stepper = at(start)
    assert go(stepper) == (start != end)
    assert stepper.at == end
    assert stepper.frame == FRAMES[end]


@pytest.mark.parametrize(
    ("place", "end"), [((2, 1), 5), ((2, 2), 6), ((4, 0), 8), ((3, 0), None), ((1, 9), None)]
)
def test_jumping(place: tuple[int, int], end: int | None) -> None:
    stepper = at(3)
    assert stepper.go(*place) == (end is not None)
    assert stepper.at == (3 if end is None else end)


def test_nothing_cannot_be_stepped_through() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Stepper[Frame]([])
