"""The named sets of rules (rulebook §9). A change of behaviour raises a profile's version."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from elfer.cards import Colour
from referee.games.elfer_raus.rules import (
    NO_START,
    START_ANY,
    Opener,
    Opening,
    Passing,
    Rules,
    start_at,
    start_drawn_from,
)

CUSTOM: Final = "custom@1"
"""The id of rules whose slots a league fills itself (§9.8)."""

RAVENSBURGER: Final = Rules(
    colours=tuple(Colour),
    numbers=(1, 20),
    table=(),
    start=start_at(11),
    opener=Opener.FIRST,
    redeal=True,
    opening=Opening.ALONE,
    duty=False,
    draw=3,
    passing=Passing.STUCK,
    hand=(20, 20, 15, 12, 10),
)

CLASSIC: Final = replace(
    RAVENSBURGER,
    opener=Opener.CLOCKWISE,
    redeal=False,
    opening=Opening.TURN,
    duty=True,
    draw=1,
)

PROFILES: Final = {
    "ravensburger@1": RAVENSBURGER,
    "classic@1": CLASSIC,
    "optional-pass@1": replace(CLASSIC, passing=Passing.FREE),
    "draw-three@1": replace(CLASSIC, draw=3),
    "ten-or-twelve@1": replace(CLASSIC, start=start_drawn_from(10, 12)),
    "false-start@1": replace(
        RAVENSBURGER,
        table=(1, 20),
        start=NO_START,
        opener=Opener.ELEVEN,
        redeal=False,
        opening=Opening.TURN,
    ),
    "three-starts@1": replace(
        RAVENSBURGER,
        start=start_at(10, 11, 12),
        opener=Opener.LEFT,
        redeal=False,
        opening=Opening.ONE,
    ),
    "any-start@1": replace(
        RAVENSBURGER, start=START_ANY, opener=Opener.LOT, redeal=False, opening=Opening.ONE
    ),
    "three-colours@1": replace(RAVENSBURGER, colours=(Colour.RED, Colour.YELLOW, Colour.GREEN)),
    "junior-15@1": replace(CLASSIC, numbers=(1, 15)),
    "junior-10@1": replace(CLASSIC, numbers=(1, 10), start=start_at(6), hand=(10, 10, 7, 6, 5)),
    "junior@1": replace(
        CLASSIC,
        numbers=(1, 11),
        table=(1, 11),
        start=NO_START,
        opener=Opener.LEFT,
        hand=(5, 5, 5, 5, 5),
    ),
}
