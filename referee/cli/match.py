"""``referee match``: play one match, and look at matches."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from referee.cli.attempts import ATTEMPT_COLUMNS, attempt_data
from referee.cli.database import again, logs_of, opened
from referee.cli.options import (
    DEFAULT_PROFILE,
    NO_CLOCK,
    AsJson,
    Database,
    Games,
    HeldBack,
    Limit,
    MatchKey,
    Profile,
    Record,
    Seed,
    read_seed,
    read_series,
    read_time_control,
)
from referee.cli.output import Column, plain, print_json, print_table, say
from referee.cli.results import INFRACTION_COLUMNS
from referee.cli.source import shown_details
from referee.cli.text import replaced
from referee.core.errors import InputError

if TYPE_CHECKING:
    from referee.match.record import MatchRecord, Result
    from referee.store.entries import GameEntry, MatchEntry

app = typer.Typer(help="Play one match, and look at matches.", no_args_is_help=True)

SEATS: Final = range(2, 7)
MOST_TOLD: Final = 10
"""Infractions that are listed after a match; a bot that errs does so in every turn."""


@app.command()
def run(
    bots: Annotated[
        list[Path],
        typer.Argument(
            metavar="BOT BOT ...",
            help="The bots' folders, by seat, 2 to 6 of them. "
            "A folder may take several seats: random, random-2.",
        ),
    ],
    profile: Profile = DEFAULT_PROFILE,
    games: Games = None,
    limit: Limit = None,
    seed: Seed = None,
    clock: Annotated[
        str, typer.Option(metavar="TIME", help="The limit of a turn, such as 2s or 250ms, or off.")
    ] = "2s",
    bank: Annotated[
        str,
        typer.Option(metavar="TIME", help="What turns of a match may use past --clock, or off."),
    ] = NO_CLOCK,
    increment: Annotated[
        str, typer.Option(metavar="TIME", help="Added to the bank after each turn, or off.")
    ] = NO_CLOCK,
    match_clock: Annotated[
        str,
        typer.Option(metavar="TIME", help="The limit of all turns of a match together, or off."),
    ] = NO_CLOCK,
    wait_for: Annotated[
        int | None,
        typer.Option(
            metavar="SEAT",
            help="Start no bot for this seat (from 0): print where it can connect and wait, "
            "so that you can run it in a debugger. Turns all clocks off.",
        ),
    ] = None,
    record: Record = None,
    db: Database = None,
) -> None:
    """Play one match between bots, and keep it in the database."""
    if len(bots) not in SEATS:
        raise InputError(
            f"{len(bots)} bot{'s' * (len(bots) != 1)}: allowed are {SEATS[0]} to {SEATS[-1]}"
        )
    if wait_for is not None and wait_for not in range(len(bots)):
        raise InputError(f"--wait-for {wait_for}: allowed are the seats 0 to {len(bots) - 1}")
    series = read_series(games, limit)
    time_control = read_time_control(clock, bank, increment, match_clock)
    deal_seed = read_seed(seed)

    from referee.app.bots import load_bots
    from referee.app.envelopes import encoded, envelope_of
    from referee.app.signing import load_key
    from referee.app.single import SingleMatch, play_single
    from referee.app.sitting import Awaited
    from referee.files.writing import refuse_taken, write_file
    from referee.games.registry import game_for
    from referee.match.clock import TimeControl

    seated = load_bots(bots)
    match = SingleMatch(
        seats=seated,
        game=game_for(profile, len(seated)),
        series=series,
        seed=deal_seed,
        time_control=time_control
        if wait_for is None
        else TimeControl(move_limit_us=None, handshake_limit_us=None),
    )
    key = None
    if record is not None:
        refuse_taken(record)
        key = load_key()
    awaited = None if wait_for is None else Awaited(seated[wait_for].name, _announce)
    with opened(db, create=True) as repository:
        played, stored = play_single(match, repository, logs_of(db), awaited=awaited)
    if record is not None:
        write_file(record, encoded(envelope_of(stored), key))
    print_result(played, db, unlogged=wait_for)


def _announce(address: str, token: str) -> None:
    """Tell how a bot that is started by hand finds its place."""
    say("Start the bot with these in its environment; the match begins when it is there.")
    say(f"ELFER_ADDRESS={address}")
    say(f"ELFER_TOKEN={token}")
    sys.stdout.flush()


class _Seat(NamedTuple):
    seat: int
    bot: str


def _seat_columns(result: Result) -> list[Column[_Seat]]:
    return [
        Column("seat", lambda seat: str(seat.seat), number=True),
        Column("bot", lambda seat: seat.bot),
        Column("place", lambda seat: str(result.places[seat.seat]), number=True),
        Column("points", lambda seat: str(result.points[seat.seat]), number=True),
        Column("penalties", lambda seat: str(result.penalties[seat.seat]), number=True),
        Column("total", lambda seat: str(result.totals[seat.seat]), number=True),
        Column("", lambda seat: "forfeit" if result.forfeits[seat.seat] else ""),
    ]


def _print_seats(bots: Sequence[str], result: Result) -> None:
    print_table(_seat_columns(result), [*map(_Seat, range(len(bots)), bots)], empty="No seats.")


def print_result(record: MatchRecord, db: str | None, *, unlogged: int | None) -> None:
    """A match that was just played, and where to see more; the seat ``unlogged`` has no log."""
    _print_seats([seat.bot for seat in record.seats], record.result)
    say("")
    for found in record.infractions[:MOST_TOLD]:
        detail = f": {found.detail}" if found.detail else ""
        bot = record.seats[found.seat].bot
        where = f"game {found.game}, turn {found.turn}"
        say(f"{bot}, {where}: {found.kind}, penalty {found.penalty}{detail}")
    if more := len(record.infractions[MOST_TOLD:]):
        say(f"and {more} more infraction{'s' * (more != 1)}")
    say(f"kept as {record.match_key}")
    for seat in record.seats:
        if record.result.forfeits[seat.seat] and seat.seat != unlogged:
            say(f"see: referee bot log {seat.bot}{again(db)}")
    say(f"see: referee replay show {record.match_key}{again(db)}")


@app.command("list")
def list_(
    league: Annotated[
        str | None, typer.Option("--league", metavar="LEAGUE", help="Only this league's.")
    ] = None,
    bot: Annotated[
        str | None, typer.Option("--bot", metavar="NAME", help="Only those this bot played.")
    ] = None,
    as_json: AsJson = False,
    db: Database = None,
) -> None:
    """List matches: of one league or all, of one bot or all."""
    with opened(db) as repository:
        found = list(repository.list_matches(league, bot))
    if as_json:
        print_json({"matches": [_entry_data(entry) for entry in found]})
    else:
        print_table(_MATCHES, found, empty="No matches.")


def _bots(entry: MatchEntry) -> str:
    """By seat, each with its total."""
    if entry.counted is None:
        return entry.place.table.replace("+", " ") if entry.place else ""
    result = entry.counted.result
    return "  ".join(
        f"{seat.bot} {total}"
        for seat, total in zip(entry.counted.seats, result.totals, strict=True)
    )


def _winners(entry: MatchEntry) -> str:
    if entry.counted is None:
        return ""
    return " ".join(entry.counted.seats[seat].bot for seat in entry.counted.result.winners)


def _state(entry: MatchEntry) -> str:
    if entry.replaced_by is not None:
        return "replaced"
    if entry.counted is not None:
        return "imported" if entry.imported else "counted"
    return "running" if entry.running else "void"


_MATCHES: Final[list[Column[MatchEntry]]] = [
    Column("match", lambda entry: entry.match_key),
    Column("state", lambda entry: replaced(entry.replaced_by) or _state(entry)),
    Column("won by", _winners),
    Column("totals by seat", _bots),
]


def _entry_data(entry: MatchEntry) -> dict[str, Any]:
    """A match for programs."""
    counted = entry.counted
    data: dict[str, Any] = {
        "match_key": entry.match_key,
        "deal_key": entry.deal_key,
        "league": entry.league,
        "state": _state(entry),
        "replaced_by": entry.replaced_by,
        "attempts": entry.attempts,
        "result": None,
    }
    if counted is not None:
        seats = [
            {
                "seat": number,
                "bot": seat.bot,
                "mean_answer_us": seat.times.mean_us(),
                "p99_answer_us": seat.times.percentile_us(99),
            }
            for number, seat in enumerate(counted.seats)
        ]
        data["result"] = plain(counted.result) | {
            "attempt": counted.number,
            "games": counted.games,
            "seats": seats,
            "started_at": counted.started_at,
            "ended_at": counted.ended_at,
            "play_digest": counted.play_digest,
            "record_sha256": counted.record_sha256,
        }
    return data


@app.command()
def show(
    match: MatchKey, held_back: HeldBack = False, as_json: AsJson = False, db: Database = None
) -> None:
    """Show a match: result, games, infractions and attempts. `replay show` has the play."""
    with opened(db) as repository:
        detail = repository.get_match(repository.find_match(match))
        infractions = shown_details(repository, detail.infractions, held_back=held_back)
        attempts = shown_details(repository, detail.attempts, held_back=held_back)
    entry = detail.entry
    if as_json:
        more = {
            "games": detail.games,
            "infractions": infractions,
            "attempts": [attempt_data(attempt) for attempt in attempts],
        }
        print_json(_entry_data(entry) | more)
        return
    say(f"{entry.match_key}: {replaced(entry.replaced_by) or _state(entry)}")
    if entry.counted is not None:
        say("")
        _print_seats([seat.bot for seat in entry.counted.seats], entry.counted.result)
        say("")
        print_table(_GAMES, detail.games, empty="No game was played to its end.")
    say("")
    print_table(INFRACTION_COLUMNS[1:], infractions, empty="No infractions.")
    say("")
    print_table(ATTEMPT_COLUMNS[1:], attempts, empty="No attempts.")


_GAMES: Final[list[Column[GameEntry]]] = [
    Column("game", lambda game: str(game.number), number=True),
    Column("dealer", lambda game: str(game.dealer), number=True),
    Column("turns", lambda game: str(game.turns), number=True),
    Column("points by seat", lambda game: " ".join(map(str, game.points))),
    Column("", lambda game: "tie-break" if game.tie_break else ""),
]
