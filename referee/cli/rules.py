"""``referee rules``: the profiles of the rulebook, their slots and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from referee.cli.options import AsJson
from referee.cli.output import Column, print_json, print_table, say

if TYPE_CHECKING:
    from referee.games.elfer_raus.sheet import Sheet, SlotSheet, TableSheet

app = typer.Typer(help="Look up the profiles of the rulebook.", no_args_is_help=True)

Profile = Annotated[
    str, typer.Argument(metavar="PROFILE", help="A profile, with or without its version.")
]


class Difference(NamedTuple):
    """A slot that two profiles fill otherwise."""

    name: str
    a: str
    b: str
    meaning: str
    section: str


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the profiles, each with what it changes of the default."""
    from referee.games.registry import PROFILE_IDS, sheet_of

    sheets = [sheet_of(profile) for profile in PROFILE_IDS]
    default = sheets[0]
    if as_json:
        profiles = [
            {
                "profile": sheet.profile,
                "cards": sheet.cards,
                "seats": [table.seats for table in sheet.tables],
                "changes": [
                    {"name": slot.name, "value": slot.b} for slot in _differences(default, sheet)
                ],
            }
            for sheet in sheets
        ]
        print_json({"default": default.profile, "profiles": profiles})
        return
    columns: list[Column[Sheet]] = [
        Column("profile", lambda sheet: sheet.profile),
        Column("cards", lambda sheet: str(sheet.cards), number=True),
        Column("seats", lambda sheet: " ".join(str(table.seats) for table in sheet.tables)),
        Column(
            f"changes of {default.profile}",
            lambda sheet: " ".join(
                f"{slot.name}={slot.b}" for slot in _differences(default, sheet)
            ),
        ),
    ]
    print_table(columns, sheets, empty="No profiles.")


@app.command()
def show(profile: Profile, as_json: AsJson = False) -> None:
    """Show a profile: its slots, what is dealt, and the bounds of §8."""
    from referee.games.registry import sheet_of

    sheet = sheet_of(profile)
    if as_json:
        print_json(sheet)
        return
    say(f"{sheet.profile}, {sheet.cards} cards")
    say("")
    print_table(_SLOTS, sheet.slots, empty="No slots.")
    say("")
    print_table(_TABLES, sheet.tables, empty="No tables.")
    say("")
    first, later = sheet.most_that_fit_first, sheet.most_that_fit
    before = "" if first == later else f"{first} before a card is laid, then "
    say(f"different cards that fit at one time: {before}at most {later}")


@app.command()
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A profile.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    as_json: AsJson = False,
) -> None:
    """Show the slots that two profiles fill otherwise."""
    from referee.games.registry import sheet_of

    sheets = sheet_of(a), sheet_of(b)
    found = _differences(*sheets)
    if as_json:
        print_json({"a": sheets[0].profile, "b": sheets[1].profile, "differences": found})
        return
    columns: list[Column[Difference]] = [
        Column("slot", lambda slot: slot.name),
        Column(sheets[0].profile, lambda slot: slot.a),
        Column(sheets[1].profile, lambda slot: slot.b),
        Column("meaning", lambda slot: slot.meaning),
        Column("section", lambda slot: slot.section),
    ]
    print_table(columns, found, empty="No differences.")


def _differences(a: Sheet, b: Sheet) -> list[Difference]:
    return [
        Difference(mine.name, mine.value, other.value, mine.meaning, mine.section)
        for mine, other in zip(a.slots, b.slots, strict=True)
        if mine.value != other.value
    ]


_SLOTS: Final[list[Column[SlotSheet]]] = [
    Column("slot", lambda slot: slot.name),
    Column("value", lambda slot: slot.value),
    Column("meaning", lambda slot: slot.meaning),
    Column("section", lambda slot: slot.section),
]

_TABLES: Final[list[Column[TableSheet]]] = [
    Column("seats", lambda table: str(table.seats), number=True),
    Column("hand", lambda table: str(table.hand), number=True),
    Column("stock", lambda table: str(table.stock), number=True),
    Column("most turns", lambda table: str(table.most_turns), number=True),
]
