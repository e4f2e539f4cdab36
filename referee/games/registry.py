"""All games by their profiles. A game to come adds its line to ``_GAMES``."""

from __future__ import annotations

from typing import Any, Final

from referee.core.errors import InputError
from referee.core.game import Game
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.profiles import CUSTOM, PROFILES

AnyGame = Game[Any, Any, Any, Any]
"""A game with whatever types of act, answer, allowed and view."""


_GAMES: Final[dict[str, type[ElferRaus]]] = dict.fromkeys(PROFILES, ElferRaus)
_CUSTOM: Final = {CUSTOM: ElferRaus}

PROFILE_IDS: Final = tuple(_GAMES)
"""Every named profile, with its version."""


def game_for(profile: str, seats: int) -> AnyGame:
    """The game of a profile, named with its version or without: the newest.

    Raises ``InputError`` on a profile, version or seat count that there is not.
    """
    full = _resolve(profile)
    return _GAMES[full].of_profile(full, seats)


def game_of_line(rules_line: str, seats: int) -> AnyGame:
    """The game of a transcript's rules line (the inverse of ``Game.rules_line``).

    Raises ``InputError`` on a profile, version or seat count that there is not, and on
    slots that cannot be or are not the profile's.
    """
    profile, _, slots = rules_line.partition(" ")
    maker = _CUSTOM.get(profile) or _GAMES.get(profile)
    if maker is None:
        full = _resolve(profile)
        raise InputError(f"rules: the profile {profile!r} lacks its version, such as {full}")
    return maker.of_line(profile, slots, seats)


def _resolve(profile: str) -> str:
    if profile in PROFILE_IDS:
        return profile
    name, at, version = profile.partition("@")
    versions = [known for known in PROFILE_IDS if known.partition("@")[0] == name]
    if not versions:
        names = dict.fromkeys(known.partition("@")[0] for known in PROFILE_IDS)
        raise InputError(f"profile: there is no {name!r}; allowed: {', '.join(names)}")
    if at:
        raise InputError(
            f"profile: there is no version {version!r} of {name}; allowed: {', '.join(versions)}"
        )
    return versions[-1]
