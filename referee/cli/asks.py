"""What a bot was asked in a match: its times as a table, and what went wrong there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from referee.app.logs import LogLine
from referee.app.replay import Held
from referee.app.story import by_turn
from referee.cli.output import Column
from referee.cli.play_by_play import answer_text, infraction_text
from referee.cli.text import milliseconds
from referee.core.errors import NotFoundError
from referee.core.text import sanitise
from referee.match.record import AskRecord, InfractionRecord

MOST_LINES: Final = 100
"""Of a log that are shown of one turn."""
LINES_BEFORE: Final = 3
LAST: Final = 10**9
"""Later than any turn."""

_INDENT: Final = "  "


class Asked(NamedTuple):
    """What a bot was asked in a match, and what it did wrong there."""

    asks: Sequence[AskRecord]
    infractions: Sequence[InfractionRecord]


def asked_of(held: Held, bot: str) -> Asked:
    """Raises NotFoundError where no bot of this name plays in the match."""
    record = held.record
    seats = {seat.seat for seat in record.seats if seat.bot == bot} if record else set()
    if record is None or not seats:
        raise NotFoundError(f"{held.name}: no bot {sanitise(bot)!r} played in it")
    return Asked(
        [ask for ask in record.asks if ask.seat in seats],
        [found for found in record.infractions if found.seat in seats],
    )


def times_table(asks: Sequence[AskRecord]) -> list[Column[AskRecord]]:
    """The columns of a table of asks; of what no ask has there is none."""
    return [column for column, has in _COLUMNS if any(map(has, asks))]


def _time(title: str, of: Callable[[AskRecord], int | None]) -> Column[AskRecord]:
    return Column(f"{title} ms", lambda ask: milliseconds(of(ask)), number=True)


def outcome(ask: AskRecord) -> str:
    """What came of an answer, in a few words."""
    if ask.ruling is not None:
        return f"{ask.ruling.code} ({ask.ruling.section})"
    return "accepted"


_COLUMNS: Final[list[tuple[Column[AskRecord], Callable[[AskRecord], bool]]]] = [
    (Column("game", lambda ask: str(ask.game), number=True), lambda _: True),
    (Column("turn", lambda ask: str(ask.turn), number=True), lambda _: True),
    (Column("try", lambda ask: str(ask.try_), number=True), lambda _: True),
    (_time("limit", lambda ask: ask.limit_us), lambda ask: ask.limit_us is not None),
    (_time("bank", lambda ask: ask.bank_us), lambda ask: ask.bank_us is not None),
    (_time("match", lambda ask: ask.match_left_us), lambda ask: ask.match_left_us is not None),
    (_time("elapsed", lambda ask: ask.elapsed_us), lambda _: True),
    (_time("excused", lambda ask: ask.excused_us), lambda _: True),
    (_time("counted", lambda ask: ask.counted_us), lambda _: True),
    (_time("CPU", lambda ask: ask.bot_cpu_us), lambda ask: ask.bot_cpu_us is not None),
    (Column("came of it", outcome), lambda _: True),
    (Column("excused for", lambda ask: ask.excuse), lambda ask: bool(ask.excuse)),
]
"""Each with what has something to show there."""


def troubles(asked: Asked, lines: Sequence[LogLine]) -> Iterator[tuple[str, list[str]]]:
    """For each turn with an infraction a title and lines; ``lines`` are the match's log."""
    # Earlier sittings saw attempts at it that were void.
    lines = [line for line in lines if line.sitting == lines[-1].sitting]
    asks = by_turn(asked.asks)
    shown = 0
    for (game, turn), infractions in by_turn(asked.infractions).items():
        end = bisect_right(lines, (game, turn or LAST), key=lambda line: line.place)
        where = f"turn {turn}" if turn else "after its last turn"
        yield (
            f"Game {game}, {where}",
            [
                *(f"{_INDENT}!! {infraction_text(found)}" for found in infractions),
                *(f"{_INDENT}{line}" for ask in asks[game, turn] for line in _figures(ask)),
                *(f"{_INDENT}{line.in_match}" for line in _last(lines[shown:end])),
            ],
        )
        shown = end


def _figures(ask: AskRecord) -> Iterator[str]:
    answer = "no answer that can be read" if ask.answer is None else answer_text(ask.answer)
    yield f"try {ask.try_}: {answer}: {outcome(ask)}"
    if ask.ruling is not None:
        yield f"{_INDENT}{ask.ruling.text}"
    times = {
        "limit": ask.limit_us,
        "bank": ask.bank_us,
        "left of the match": ask.match_left_us,
        "elapsed": ask.elapsed_us,
        "excused": ask.excused_us,
        "counted": ask.counted_us,
        "CPU": ask.bot_cpu_us,
    }
    known = (f"{name} {milliseconds(us)}" for name, us in times.items() if us is not None)
    yield f"{_INDENT}in ms: {', '.join(known)}"
    if ask.excuse:
        yield f"{_INDENT}excused for: {ask.excuse}"


def _last(lines: Sequence[LogLine]) -> Sequence[LogLine]:
    """Of a log what was printed in its last turn, and a little before it."""
    of_turn = sum(line.place == lines[-1].place for line in lines)
    return lines[-min(of_turn, MOST_LINES) - LINES_BEFORE :]
