"""A recorded turn as a unit test of a bot: a file that needs the SDK, pytest and the bot alone."""

from __future__ import annotations

import ast
import os
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from elfer.cards import Card
from referee.app.rerun import Rerun
from referee.bots.program import BotClass
from referee.cli.play_by_play import answer_text
from referee.core.text import sanitise
from referee.match.explain import RulingExplained, SeatExplained, TurnExplained
from referee.rpc.scribe import IN_MATCH, Heard

WIDTH: Final = 100

_INDENT: Final = 4
_HARNESS: Final = ("check", "game", "match", "turn")
_VALUES: Final = ("Card", "GameResult", "Ruling", "Series", "TimeControl")
_TAKEN: Final = frozenset({*_HARNESS, *_VALUES, IN_MATCH, "bot", "inf", "seen", "sys", "Path"})
"""Names that the file has for itself."""


def saved_test(
    file: Path,
    match: str,
    turn: TurnExplained,
    seat: SeatExplained,
    rerun: Rerun,
    heard: Sequence[Heard],
    program: BotClass,
) -> str:
    """The text of a file that asks ``program`` what ``rerun`` did, after all that is ``heard``.

    Its test holds when the answer is legal and in time; where it was legal then and now, only
    if it is the same as now.
    """
    kept = all(answer.ruling is None for answer in seat.answers) and rerun.act is not None
    name = f"test_game_{turn.game}_turn_{turn.turn}"
    make = f"{program.name}_" if program.name in _TAKEN else program.name
    body = "\n".join(_body(heard, rerun if kept else None, make))
    imported = program.name if make == program.name else f"{program.name} as {make}"
    return "\n".join(
        [
            *_comment(match, turn, seat, rerun),
            "",
            *_imports(body, program, file),
            f"from {program.module} import {imported}  # noqa: E402",
            "",
            "",
            f"def {name}() -> None:",
            body,
            "",
        ]
    )


def _comment(match: str, turn: TurnExplained, seat: SeatExplained, rerun: Rerun) -> Iterator[str]:
    where = f"Match {match}, game {turn.game}, turn {turn.turn}: seat {seat.seat}, {seat.bot}."
    yield from _folded(where)
    for answer in seat.answers:
        given = "no answer" if answer.answer is None else answer_text(answer.answer)
        yield from _folded(f"Then, try {answer.try_}: {given}: {_verdict(answer.ruling)}.")
    given = "no answer" if rerun.answer is None else answer_text(rerun.answer)
    verdict = _verdict(rerun.ruling) if rerun.fault is None else rerun.fault
    detail = f" ({rerun.detail})" if rerun.detail else ""
    yield from _folded(f"{rerun.bot} {rerun.version}, asked again: {given}: {verdict}{detail}.")


def _verdict(ruling: RulingExplained | None) -> str:
    if ruling is None:
        return "accepted"
    return f"refused, {ruling.text} ({ruling.section}, {ruling.code})"


def _folded(text: str) -> list[str]:
    """A comment. What others wrote cannot end it: there is no line break in it."""
    return textwrap.wrap(sanitise(text), WIDTH, initial_indent="# ", subsequent_indent="# ")


def _imports(body: str, program: BotClass, file: Path) -> Iterator[str]:
    def used(names: Sequence[str]) -> str:
        return ", ".join(name for name in names if re.search(rf"\b{name}\b", body))

    yield "import sys"
    if used(["inf"]):
        yield "from math import inf"
    yield "from pathlib import Path"
    yield ""
    if values := used(_VALUES):
        yield f"from elfer import {values}"
    yield f"from elfer.testing import {used(_HARNESS)}"
    yield ""
    yield f"sys.path.insert(0, {_place(program.folder, file)})"
    yield ""


def _place(folder: Path, file: Path) -> str:
    """The expression for the program's folder, from where the test lies."""
    here = "Path(__file__).resolve().parent"
    try:
        way = Path(os.path.relpath(folder, file.absolute().parent.resolve()))
    except ValueError:  # another drive
        return repr(str(folder))
    return f"str({here})" if way == Path() else f"str({here} / {way.as_posix()!r})"


def _body(heard: Sequence[Heard], kept: Rerun | None, make: str) -> Iterator[str]:
    *before, question = heard
    space = " " * _INDENT
    for one in before:
        value = _spread(one.value, _INDENT)
        match one.hook:
            case "match_started":
                yield f"{space}{IN_MATCH} = {value}"
                yield f"{space}bot = {make}()"
                yield f"{space}bot.match_started({IN_MATCH})"
            case "answer":
                yield f"{space}list(bot.answer({value}))"
            case hook:
                yield f"{space}bot.{hook}({value})"
    yield f"{space}seen = {_spread(question.value, _INDENT)}"
    if kept is None or kept.answer is None:
        yield f"{space}check(bot, seen)"
    else:
        cards = ", ".join(f"Card.{Card(card)}" for card in kept.answer.cards)
        cards = _spread(f"({cards},)" if cards else "()", _INDENT)
        yield f"{space}assert check(bot, seen) == {cards}"


def _spread(expression: str, indent: int) -> str:
    return _written(ast.parse(expression, mode="eval").body, indent)


def _written(node: ast.expr, indent: int) -> str:
    """An expression, a part to a line where it is long."""
    flat = ast.unparse(node)
    inner = indent + _INDENT
    if len(flat) + 2 * inner <= WIDTH:
        return flat
    match node:
        case ast.Call():
            start, end = f"{ast.unparse(node.func)}(", ")"
            parts = [_written(argument, inner) for argument in node.args]
            parts += [f"{word.arg}={_written(word.value, inner)}" for word in node.keywords]
        case ast.Tuple():
            start, end = "(", ")"
            parts = [_written(part, inner) for part in node.elts]
        case _:
            return flat
    lines = "".join(f"{' ' * inner}{part},\n" for part in parts)
    return f"{start}\n{lines}{' ' * indent}{end}"
