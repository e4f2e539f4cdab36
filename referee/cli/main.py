"""The command ``referee``: its parts, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup, TyperOption

import referee
from referee.cli import (
    archive,
    attempts,
    bot,
    database,
    league,
    match,
    play,
    replay,
    results,
    rules,
    signing,
)
from referee.cli.output import complain
from referee.cli.stopping import ending_like_interrupts
from referee.core.errors import RefereeError

USAGE_ERROR: Final = 2
BROKEN_PIPE: Final = 1
OUR_BUG: Final = 70
INTERRUPTED: Final = 130

EXIT_CODES: Final = (
    "Exit codes: 0 done; 1 another error, or the reader of the output went away; "
    "2 a file, option or name that you gave is wrong; 3 no such league, match or bot; "
    "4 a record does not hold; 5 the database cannot be used; 6 this machine failed; "
    "70 a fault of the referee itself; "
    "130 stopped by Ctrl-C or a signal, or its league was paused or cancelled."
)

app = typer.Typer(
    name="referee",
    help="A tournament referee for bots that play the card game Elfer raus!",
    epilog=EXIT_CODES,
    rich_markup_mode="markdown",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(match.app, name="match", rich_help_panel="Play")
app.command(rich_help_panel="Play")(play.play)
league.app.command()(archive.archive)
league.app.command()(archive.verify)
league.app.command("import")(archive.import_)
app.add_typer(league.app, name="league", rich_help_panel="Play")
app.command(rich_help_panel="Results of a league")(results.standings)
app.command(rich_help_panel="Results of a league")(results.crosstable)
app.command(rich_help_panel="Results of a league")(results.infractions)
app.command(rich_help_panel="Results of a league")(attempts.attempts)
app.add_typer(replay.app, name="replay", rich_help_panel="Look closer")
app.add_typer(rules.app, name="rules", rich_help_panel="Look closer")
app.add_typer(bot.app, name="bot", rich_help_panel="Look closer")
app.add_typer(signing.app, name="key", rich_help_panel="Look closer")
app.add_typer(database.app, name="db", rich_help_panel="Look closer")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"referee {referee.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="On an error show where in the code it arose.")
    ] = False,
) -> None:
    """Both options are seen to before: by its callback, and by main, wherever it stands."""


def _command_line() -> TyperGroup:
    """All commands. Help names no type for a flag, as it takes no value."""
    root = typer.main.get_group(app)
    commands: list[Any] = [root]
    for command in commands:
        for option in command.get_params(typer.Context(command, **root.context_settings)):
            if isinstance(option, TyperOption) and option.is_flag:
                option.metavar = ""
        if isinstance(command, TyperGroup):
            commands += command.commands.values()
    return root


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "--verbose" in given
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal of a small alphabet shows escapes, and no command fails for it.
            stream.reconfigure(errors="backslashreplace")
    try:
        with ending_like_interrupts():
            code = _command_line().main(
                [argument for argument in given if argument != "--verbose"],
                prog_name="referee",
                standalone_mode=False,
            )
            sys.stdout.flush()
    except typer.TyperException as error:
        # Empty where no command was given, and the help has been shown for it.
        if message := error.format_message():
            complain(f"{message} (see --help)")
        return USAGE_ERROR
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except RefereeError as error:
        complain(str(error), error if verbose else None)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - whatever it is, it is our bug
        name = traceback.format_exception_only(error)[-1].strip()
        advice = "" if verbose else "; --verbose shows where it arose"
        complain(
            f"a fault of the referee itself, please report it: {name}{advice}",
            error if verbose else None,
        )
        return OUR_BUG
    return code if isinstance(code, int) else 0
