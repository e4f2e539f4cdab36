"""All games by their profiles. A game to come adds its line to ``_GAMES``."""

from __future__ import annotations

from typing import Any, Final

from referee.core.errors import InputError
from referee.core.game import Game
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import CUSTOM, PROFILES
from referee.games.elfer_raus.rules import Rules
from referee.games.elfer_raus.sheet import Sheet, sheet

AnyGame = Game[Any, Any, Any, Any]
"""A game with whatever types of act, answer, allowed and view."""


_GAMES: Final[dict[str, type[ElferRaus]]] = dict.fromkeys(PROFILES, ElferRaus)
_CUSTOM: Final = {CUSTOM: ElferRaus}

PROFILE_IDS: Final = tuple(_GAMES)
"""Every named profile, with its version."""

CUSTOM_NAME: Final = CUSTOM.partition("@")[0]


def profile_id(profile: str) -> str:
    """A named profile with its version: the newest, where none is given.

    Raises ``InputError`` on a profile or version that there is not.
    """
    if profile in PROFILE_IDS:
        return profile
    name, at, version = profile.partition("@")
    names = dict.fromkeys(known.partition("@")[0] for known in PROFILE_IDS)
    if profile in (CUSTOM, CUSTOM_NAME):
        raise InputError(
            f"profile: {CUSTOM_NAME!r} is for league files, which fill the slots (§9.8); "
            f"allowed: {', '.join(names)}"
        )
    versions = [known for known in PROFILE_IDS if known.partition("@")[0] == name]
    if not versions:
        raise InputError(f"profile: there is no {name!r}; allowed: {', '.join(names)}")
    if at:
        raise InputError(
            f"profile: there is no version {version!r} of {name}; allowed: {', '.join(versions)}"
        )
    return versions[-1]


def rules_for(profile: str) -> Rules:
    """The rules of a named profile. Raises ``InputError``, as ``profile_id`` does."""
    return PROFILES[profile_id(profile)]


def sheet_of(profile: str) -> Sheet:
    """A named profile in words and figures. Raises ``InputError``, as ``profile_id`` does."""
    return sheet(profile_id(profile), rules_for(profile))


def game_for(profile: str, seats: int) -> AnyGame:
    """The game of a named profile.

    Raises ``InputError`` on a profile, version or seat count that there is not.
    """
    full = profile_id(profile)
    return _GAMES[full].of_profile(full, seats)


def custom_game(rules: Rules, seats: int) -> AnyGame:
    """The game of rules that a league fills itself (§9.8).

    Raises ``InputError`` on a seat count that they do not allow.
    """
    return ElferRaus(CUSTOM, rules, seats)


def game_of_line(rules_line: str, seats: int) -> AnyGame:
    """The game of a transcript's rules line (the inverse of ``Game.rules_line``).

    Raises ``InputError`` on a profile, version or seat count that there is not, and on
    slots that cannot be or are not the profile's.
    """
    profile, _, slots = rules_line.partition(" ")
    maker = _CUSTOM.get(profile) or _GAMES.get(profile)
    if maker is None:
        full = profile_id(profile)
        raise InputError(f"rules: the profile {profile!r} lacks its version, such as {full}")
    return maker.of_line(profile, slots, seats)
