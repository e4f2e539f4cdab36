"""Rule slots, the named profiles, and the registry that finds games by them."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

from elfer.cards import Colour
from referee.core.errors import InputError
from referee.core.game import Game, State
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.notation import Act
from referee.games.elfer_raus.profiles import CLASSIC, PROFILES, RAVENSBURGER
from referee.games.elfer_raus.rules import (
    NO_START,
    START_ANY,
    Opener,
    Opening,
    Rules,
    Start,
    StartKind,
    start_at,
    start_drawn_from,
)
from referee.games.elfer_raus.slots import parse_slots, print_slots
from referee.games.elfer_raus.state import Answer, ElferRausState
from referee.games.elfer_raus.view import Allowed, View
from referee.games.registry import PROFILE_IDS, game_for, game_of_line


def _as_game(game: ElferRaus) -> Game[Act, Answer, Allowed, View]:
    """For the type checker: the class keeps to the contract."""
    return game


def _as_state(state: ElferRausState) -> State[Act, Answer, Allowed, View]:
    """For the type checker: the class keeps to the contract."""
    return state


RAVENSBURGER_SLOTS = (
    "colours=RYGB numbers=1-20 table=- start=11 opener=first redeal=yes opening=alone"
    " duty=no draw=3 pass=stuck hand=20,20,15,12,10"
)


CLASSIC_CHANGES = "opener=clockwise redeal=no opening=turn duty=yes draw=1"

# §9: what each profile changes, in the order in which they are listed.
CHANGES = {
    "ravensburger@1": "",
    "classic@1": CLASSIC_CHANGES,
    "optional-pass@1": f"{CLASSIC_CHANGES} pass=free",
    "draw-three@1": f"{CLASSIC_CHANGES} draw=3",
    "ten-or-twelve@1": f"{CLASSIC_CHANGES} start=10|12",
    "false-start@1": "table=1,20 start=- opener=eleven redeal=no opening=turn",
    "three-starts@1": "start=10,11,12 opener=left redeal=no opening=one",
    "any-start@1": "start=any opener=lot redeal=no opening=one",
    "three-colours@1": "colours=RYG",
    "junior-15@1": f"{CLASSIC_CHANGES} numbers=1-15",
    "junior-10@1": f"{CLASSIC_CHANGES} numbers=1-10 start=6 hand=10,10,7,6,5",
    "junior@1": f"{CLASSIC_CHANGES} numbers=1-11 table=1,11 start=- opener=left hand=5,5,5,5,5",
}


def _slots(changes: str) -> str:
    slots = dict(word.split("=") for word in f"{RAVENSBURGER_SLOTS} {changes}".split())
    return " ".join(f"{name}={value}" for name, value in slots.items())


def test_the_profiles() -> None:
    assert tuple(CHANGES) == PROFILE_IDS
    for profile, changes in CHANGES.items():
        assert game_for(profile, 4).rules_line == f"{profile} {_slots(changes)}"


@pytest.mark.parametrize("profile", PROFILE_IDS)
def test_slots_and_rules_line_round_trip(profile: str) -> None:
    assert parse_slots(print_slots(PROFILES[profile])) == PROFILES[profile]
    for seats in range(2, 7):
        game = game_for(profile, seats)
        assert game == game_for(profile.removesuffix("@1"), seats)
        assert game_of_line(game.rules_line, seats) == game
        assert pickle.loads(pickle.dumps(game)) == game
        assert game.resize(2) == game_for(profile, 2)
        assert (game.id, game.seats, game.house_version) == ("elfer-raus", seats, 1)


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ("ravensberger", "profile: there is no 'ravensberger'; allowed: ravensburger, classic"),
        ("", "profile: there is no ''"),
        ("Classic", "profile: there is no 'Classic'"),
        ("custom", "profile: 'custom' is for league files, which fill the slots (§9.8); allowed: "),
        ("custom@1", "profile: 'custom' is for league files"),
        ("custom@2", "profile: there is no 'custom'"),
        ("classic@2", "no version '2' of classic; allowed: classic@1"),
        ("classic@", "no version '' of classic"),
        ("classic@1@1", "no version '1@1' of classic"),
    ],
)
def test_an_unknown_profile_is_refused_by_name(profile: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        game_for(profile, 2)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 80])
def test_a_seat_count_that_is_not_allowed(seats: int) -> None:
    with pytest.raises(InputError, match=r"seats: -?\d+ is not allowed .* 2, 3, 4, 5, 6"):
        game_for("ravensburger", seats)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"ravensburger@2 {RAVENSBURGER_SLOTS}", "no version '2' of ravensburger"),
        (f"ravensburger {RAVENSBURGER_SLOTS}", "lacks its version, such as ravensburger@1"),
        (f"nonsense@1 {RAVENSBURGER_SLOTS}", "there is no 'nonsense'"),
        (f"classic@1 {RAVENSBURGER_SLOTS}", "the slots are not those of classic@1"),
        (f"ravensburger@1  {RAVENSBURGER_SLOTS}", "in this order"),
        (f"ravensburger@1 {RAVENSBURGER_SLOTS} ", "in this order"),
        (f"ravensburger@1 {RAVENSBURGER_SLOTS} extra=1", "in this order"),
        ("ravensburger@1", "in this order"),
        ("ravensburger@1 start=11 " + RAVENSBURGER_SLOTS.replace("start=11 ", ""), "order"),
    ],
)
def test_a_rules_line_that_does_not_hold(line: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        game_of_line(line, 2)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("slot", "value"),
    [
        ("colours", ""),
        ("colours", "YR"),
        ("colours", "RR"),
        ("colours", "RX"),
        ("numbers", "1-21"),
        ("numbers", "0-20"),
        ("numbers", "20-1"),
        ("numbers", "5-5"),
        ("numbers", "01-20"),
        ("numbers", "1-20-3"),
        ("numbers", "1"),
        ("table", ""),
        ("table", "1,1"),
        ("table", "20,1"),
        ("table", "21"),
        ("start", "21"),
        ("start", "11,10"),
        ("start", "10|"),
        ("start", "10|10"),
        ("start", "12|10"),
        ("start", "011"),
        ("start", "\u0661\u0661"),
        ("opener", "First"),
        ("redeal", "true"),
        ("opening", ""),
        ("duty", "1"),
        ("draw", "-1"),
        ("draw", "03"),
        ("draw", "100"),
        ("pass", "never"),
        ("hand", "20,20,15,12"),
        ("hand", "20,20,15,12,10,8"),
        ("hand", "0,0,0,0,0"),
        ("hand", "41,20,15,12,10"),
        ("hand", "1,20,15,12,10"),
        ("hand", "20,27,15,12,10"),
        ("hand", ""),
    ],
)
def test_a_slot_value_that_cannot_be(slot: str, value: str) -> None:
    """§2.5: the error names the slot, the value and what is allowed."""
    line = _slots(f"{slot}={value}")
    with pytest.raises(InputError, match=rf"^{slot}: .+ is not allowed; allowed: .+$"):
        game_of_line(f"custom@1 {line}", 2)


@pytest.mark.parametrize(
    ("base", "changes", "slot"),
    [
        (RAVENSBURGER, {"start": start_at(11), "numbers": (1, 10)}, "start"),
        (CLASSIC, {"start": START_ANY, "opener": Opener.LOT}, "duty"),
        (CLASSIC, {"opening": Opening.ONE}, "duty"),
        (RAVENSBURGER, {"start": NO_START}, "start"),
        (RAVENSBURGER, {"table": (1, 20)}, "start"),
        (RAVENSBURGER, {"start": start_drawn_from(10)}, "start"),
        (RAVENSBURGER, {"start": Start(StartKind.ANY, (3,))}, "start"),
        (RAVENSBURGER, {"start": START_ANY}, "opener"),
        (CLASSIC, {"start": NO_START, "table": (1,)}, "opener"),
        (RAVENSBURGER, {"opener": Opener.LEFT}, "opening"),
        (RAVENSBURGER, {"opener": Opener.ELEVEN}, "opening"),
        (
            CLASSIC,
            {"opener": Opener.ELEVEN, "numbers": (1, 10), "start": start_at(6)},
            "opener",
        ),
        (
            CLASSIC,
            {"opener": Opener.LEFT, "redeal": True, "table": (1,), "start": NO_START},
            "redeal",
        ),
        (RAVENSBURGER, {"draw": 0}, "draw"),
        (RAVENSBURGER, {"draw": -1}, "draw"),
        (RAVENSBURGER, {"colours": (Colour.RED,)}, "hand"),
    ],
)
def test_slots_that_do_not_go_together(base: Rules, changes: dict[str, Any], slot: str) -> None:
    with pytest.raises(InputError, match=rf"^{slot}: "):
        replace(base, **changes)


def test_custom_rules() -> None:
    """§9.8: any slots within §2.5."""
    line = (
        "custom@1 colours=RB numbers=3-18 table=- start=5|9|12 opener=first redeal=no"
        " opening=alone duty=yes draw=2 pass=free hand=0,0,5,4,0"
    )
    game = game_of_line(line, 4)
    assert game.rules_line == line
    with pytest.raises(InputError, match="seats: 2 is not allowed by custom@1; allowed: 4, 5"):
        game_of_line(line, 2)


def test_without_a_stock_there_need_be_no_draws() -> None:
    replace(PROFILES["three-colours@1"], draw=0, hand=(0, 20, 15, 12, 10))
