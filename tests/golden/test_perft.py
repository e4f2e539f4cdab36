"""Exact counts of all lines of play, for every profile's rules on a tiny deck.

Two implementations count them, and ``perft.txt`` keeps them: one line for each deal, with
profile, seats, seed, and how many lines of play have how many turns. ``make golden`` writes
it anew.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from elfer.cards import Colour
from referee.core.dice import Dice
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import CUSTOM, PROFILES
from referee.games.elfer_raus.rules import Rules, start_at
from tests.support.perft import by_engine, by_rulebook
from tests.support.promises import naive_game

FILE = Path(__file__).with_name("perft.txt")
SEATS = (2, 3)
SEEDS = range(6)

# Around the middle, so that a start at 10, 11 or 12 and an opener with an 11 stay what they are.
SMALL: dict[str, Any] = {
    "colours": (Colour.RED, Colour.YELLOW),
    "numbers": (8, 14),
    "hand": (4, 3, 0, 0, 0),
}
OTHER: dict[str, dict[str, Any]] = {
    "optional-pass@1": {"numbers": (9, 13), "hand": (3, 2, 0, 0, 0)},
    "draw-three@1": {"numbers": (9, 13), "hand": (4, 3, 0, 0, 0)},
    "any-start@1": {"numbers": (9, 13)},
    "three-colours@1": {"colours": (Colour.RED, Colour.YELLOW, Colour.GREEN), "numbers": (9, 13)},
    "junior-15@1": {"numbers": (7, 12)},
    "junior-10@1": {"numbers": (3, 8), "start": start_at(6)},
    "junior@1": {"numbers": (1, 8)},
}


def shrunk(profile: str) -> Rules:
    """The profile's rules on a deck of ten cards or a few more, with a stock."""
    rules = PROFILES[profile]
    small = SMALL | OTHER.get(profile, {})
    if rules.table:
        small |= {"table": small["numbers"]}
    return replace(rules, **small)


def counted(profile: str, seats: int, seed: int) -> str:
    game = ElferRaus(CUSTOM, shrunk(profile), seats)
    state = game.deal(Dice(seed.to_bytes(32, "big")), 1, seed % seats)
    counts = by_engine(state)
    assert by_rulebook(naive_game(game, state, seed % seats)) == counts
    lines = " ".join(f"{turns}:{counts[turns]}" for turns in sorted(counts))
    return f"{profile} {seats} {seed} = {counts.total()} = {lines}"


def key(line: str) -> str:
    return line.partition(" = ")[0]


@pytest.mark.parametrize("profile", PROFILES)
def test_every_line_of_play_is_counted_alike(profile: str, update_golden: bool) -> None:
    found = [counted(profile, seats, seed) for seats in SEATS for seed in SEEDS]
    kept = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    if update_golden:
        others = {key(line): line for line in kept if line.partition(" ")[0] in PROFILES}
        others |= {key(line): line for line in found}
        wanted = [f"{p} {seats} {seed}" for p in PROFILES for seats in SEATS for seed in SEEDS]
        kept = [others[name] for name in wanted if name in others]
        FILE.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8", newline="\n")
    assert [line for line in kept if line.startswith(f"{profile} ")] == found, "make golden"


def test_no_line_stands_for_nothing() -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    wanted = [f"{p} {seats} {seed}" for p in PROFILES for seats in SEATS for seed in SEEDS]
    assert [key(line) for line in lines] == wanted
