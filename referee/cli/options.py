"""Options and arguments that several commands share, and how their text is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.core.dice import SEED_BYTES
from referee.core.duration import DURATION_TEXT, parse_duration
from referee.core.errors import InputError

if TYPE_CHECKING:
    from referee.match.clock import TimeControl
    from referee.match.series import Series

DEFAULT_PROFILE: Final = "ravensburger"
DEFAULT_GAMES: Final = 5
MOST_GAMES: Final = 1000
MOST_POINTS: Final = 1_000_000

Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: a file, or postgresql://USER:PASSWORD@HOST/DATABASE. "
        "Without it REFEREE_DB, or else elfer.db in this folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
LeagueName = Annotated[str, typer.Argument(metavar="LEAGUE", help="The name of a league.")]
MatchKey = Annotated[
    str, typer.Argument(metavar="MATCH", help="A match key, or the beginning of just one.")
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="HEX", help=f"{SEED_BYTES} bytes in hex; drawn if not given."),
]
Profile = Annotated[
    str, typer.Option("--profile", metavar="P", help="The rules, with or without their version.")
]
Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        metavar="N",
        min=1,
        max=MOST_GAMES,
        help=f"How many games make the match.  [default: {DEFAULT_GAMES}]",
        show_default=False,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        metavar="L",
        min=1,
        max=MOST_POINTS,
        help="Play until somebody has L points, instead (§7.2).",
    ),
]
Record = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Also write the record, as an envelope."),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="KEY",
        help="The public key that has to have signed it, as referee key show prints it.",
    ),
]

HeldBack = Annotated[
    bool,
    typer.Option(
        "--held-back",
        help="Show what is held back, too, though deals are still to be played: for the operator, "
        "and nobody else.",
    ),
]

NO_CLOCK: Final = "off"


def read_seed(text: str | None) -> bytes | None:
    """Raises InputError on anything but 64 hex digits."""
    if text is None:
        return None
    if not re.fullmatch(rf"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", text):
        raise InputError(
            f"--seed {text!r}: allowed are exactly {2 * SEED_BYTES} hex digits "
            f"({SEED_BYTES} bytes), this is {len(text)} characters"
        )
    return bytes.fromhex(text)


def read_clock(text: str, option: str = "--clock") -> int | None:
    """A limit in microseconds; ``None`` when there is none."""
    if text == NO_CLOCK:
        return None
    try:
        limit = parse_duration(text)
    except ValueError as error:
        raise InputError(
            f"{option} {text!r}: {error}; allowed: {DURATION_TEXT}, or {NO_CLOCK!r}"
        ) from None
    if limit == 0:
        raise InputError(f"{option} {text!r}: allowed is more than nothing, or {NO_CLOCK!r}")
    return limit


def read_time_control(clock: str, bank: str, increment: str, match_clock: str) -> TimeControl:
    """Raises InputError where an option goes beyond one that is off."""
    move_limit = read_clock(clock)
    bank_us = read_clock(bank, "--bank")
    increment_us = read_clock(increment, "--increment")
    match_limit = read_clock(match_clock, "--match-clock")
    if bank_us is not None and move_limit is None:
        raise InputError(f"--bank {bank!r}: allowed only with a --clock")
    if increment_us is not None and bank_us is None:
        raise InputError(f"--increment {increment!r}: allowed only with a --bank")

    from referee.match.clock import TimeControl

    return TimeControl(move_limit, bank_us, increment_us, match_limit)


def read_series(games: int | None, limit: int | None) -> Series:
    """What makes the match. Raises InputError where both are given."""
    from referee.match.series import Games, Limit

    if limit is None:
        return Games(games or DEFAULT_GAMES)
    if games is not None:
        raise InputError(f"--games {games} and --limit {limit}: allowed is one of them")
    return Limit(limit)
