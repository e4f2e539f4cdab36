"""Writes the call of the harness that makes a turn, a game or a match again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from elfer.cards import Cards
from elfer.notation import write_cards
from elfer.testing import CUSTOM, DEFAULT, NO_DICE, RAVENSBURGER, match
from elfer.v1 import play_pb2
from elfer.views import Game, Match, Turn


def reproduce(seen: Match | Game | Turn, in_match: str = "") -> str:
    """The call of ``match``, ``game`` or ``turn`` that makes it again, for a unit test.

    ``in_match`` names the variable that holds the match of a game or turn. Whoever evaluates
    it needs the names in it: ``match``, ``game``, ``turn``, ``Ruling``, ``Series``,
    ``TimeControl``, and ``inf`` of ``math``. A match's conduct is not told.
    """
    if isinstance(seen, Match):
        default = match()
        return _call(
            "match",
            _of_match(seen),
            profile=(seen.rules.profile, CUSTOM if _slots(seen) else DEFAULT),
            series=(seen.series, default.series),
            time_control=(seen.time_control, default.time_control),
        )
    of = [f"in_match={in_match}"] if in_match else _of_match(seen.match)
    view = {
        "hand_sizes": (seen.hand_sizes, None),
        "stock": (seen.stock, None),
        "dealer": (seen.dealer, 0),
        "playing": (seen.seats, tuple(range(seen.match.seats))),
        "points": (seen.points, (0,) * seen.match.seats),
        "number": (seen.number, 1),
    }
    if isinstance(seen, Game):
        return _call("game", [*_cards(hand=seen.hand, starts=seen.starts), *of], **view)
    message = seen._message
    return _call(
        "turn",
        [*_cards(hand=seen.hand, laid=seen.laid, starts=seen.starts), *of],
        **view,
        single=(seen.single, False),
        may_pass=(seen.may_pass, False),
        game=(seen.game, 1),
        try_number=(seen.try_number, 1),
        acts=(seen.lines, ()),
        time_left=(_seconds(message, "left_us"), math.inf),
        bank=(message.bank_us / 1e6, 0),
        match_left=(_seconds(message, "match_left_us"), math.inf),
        refused=(seen.refused, None),
    )


def _slots(of: Match) -> dict[str, str]:
    """Those that the harness fills otherwise."""
    return {n: v for n, v in of.rules.slots.items() if RAVENSBURGER.get(n) != v}


def _of_match(of: Match) -> list[str]:
    return _arguments(
        seats=(of.seats, 2),
        seat=(of.seat, 0),
        slots=(_slots(of), {}),
        dice_seed=(of.dice_seed, NO_DICE),
    )


def _call(name: str, first: Sequence[str], **given: tuple[Any, Any]) -> str:
    return f"{name}({', '.join([*first, *_arguments(**given)])})"


def _arguments(**given: tuple[Any, Any]) -> list[str]:
    """Arguments by their names, each with what it is when it is not given."""
    return [f"{name}={value!r}" for name, (value, default) in given.items() if value != default]


def _cards(**sets: Cards) -> list[str]:
    return [f"{name}={write_cards(cards)!r}" for name, cards in sets.items()]


def _seconds(message: play_pb2.Turn, field: Literal["left_us", "match_left_us"]) -> float:
    return getattr(message, field) / 1e6 if message.HasField(field) else math.inf
