"""A turn explained, as lines for people and as data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee.app.rerun import Rerun
from referee.cli.output import plain
from referee.cli.play_by_play import answer_text, infraction_text
from referee.cli.text import milliseconds
from referee.match.explain import AnswerExplained, RulingExplained, SeatExplained, TurnExplained

Reruns = Mapping[int, Sequence[Rerun]]
"""What bots answered, by the match seat in which they were put."""

_INDENT: Final = "  "


def parts(
    turn: TurnExplained, reruns: Reruns, without_bots: str | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """Titles, each with its lines. ``without_bots`` says why no bot was asked again."""
    for seat in turn.seats:
        yield _sight(turn, seat)
        yield "New to it since its last question", seat.news or ("nothing",)
        if turn.chosen:
            yield "What it could do, and why", seat.reasons
            yield "What would be accepted", seat.accepted
            yield "What it answered", tuple(_answers(seat))
        else:
            yield "Why nobody was asked", seat.reasons
        yield "What was done", (_act(turn),)
        if turn.chosen:
            again = tuple(_reruns(reruns.get(seat.seat, ())))
            yield (
                "What bots answer in its place",
                again if without_bots is None else (without_bots,),
            )


def rerun_parts(
    turn: TurnExplained, seat: SeatExplained, reruns: Sequence[Rerun]
) -> Iterator[tuple[str, Sequence[str]]]:
    """What a seat answered then and what bots answer now, as titles, each with its lines."""
    yield _sight(turn, seat)
    yield "What it answered then", tuple(_answers(seat))
    yield "What is answered now", tuple(_reruns(reruns))


def _sight(turn: TurnExplained, seat: SeatExplained) -> tuple[str, Sequence[str]]:
    name = f"seat {seat.seat} {seat.bot}" if seat.bot else f"seat {seat.seat}"
    heading = f"Game {turn.game}, turn {turn.turn}: {name}, {turn.profile}"
    return heading, (*seat.picture.table, *seat.picture.own)


def _answers(seat: SeatExplained) -> Iterator[str]:
    if not seat.answers:
        if seat.bot is None:
            yield "a transcript alone does not have the answers"
        elif seat.forfeited:
            yield "it was not asked: it had forfeited, and the house played for it"
        else:
            yield "it was not asked"
    for answer in seat.answers:
        yield from _answer(answer)
    for infraction in seat.infractions:
        yield infraction_text(infraction)


def _answer(answer: AnswerExplained) -> Iterator[str]:
    given = "none that can be read" if answer.answer is None else answer_text(answer.answer)
    verdict = "accepted" if answer.ruling is None else "refused"
    yield f"try {answer.try_}   {given} ({_took(answer)}): {verdict}"
    if answer.ruling is not None:
        yield from _ruling(answer.ruling)


def _took(answer: AnswerExplained | Rerun) -> str:
    limit = "" if answer.allowed_us is None else f" of {milliseconds(answer.allowed_us)}"
    took = f"{milliseconds(answer.counted_us)}{limit} ms"
    if answer.elapsed_us != answer.counted_us:
        took += f", {milliseconds(answer.elapsed_us)} ms with what was excused"
    return took


def _ruling(ruling: RulingExplained) -> Iterator[str]:
    yield f"{_INDENT}{ruling.text} ({ruling.section}, {ruling.code})"
    yield from (f"{_INDENT}{line}" for line in ruling.why)
    if ruling.sentence:
        yield f'{_INDENT}{ruling.section}: "{ruling.sentence}"'


def _act(turn: TurnExplained) -> str:
    if turn.act is None:
        return "nothing: the match was cut short here"
    return f"the house: {turn.act}" if turn.house else turn.act


def _reruns(reruns: Sequence[Rerun]) -> Iterator[str]:
    width = max((len(rerun.bot) for rerun in reruns), default=0)
    for rerun in reruns:
        yield f"{rerun.bot:<{width}}  {_outcome(rerun)} ({_took(rerun)})"
        if rerun.ruling is not None:
            yield from _ruling(rerun.ruling)
        yield from (f"{_INDENT}{line}" for line in rerun.output)


def _outcome(rerun: Rerun) -> str:
    given = "" if rerun.answer is None else f"{answer_text(rerun.answer)}: "
    if rerun.fault is not None:
        return f"{given}{rerun.fault}" + (f": {rerun.detail}" if rerun.detail else "")
    return f"{given}refused" if rerun.act is None else rerun.act


def data(
    match: str, turn: TurnExplained, reruns: Reruns, without_bots: str | None
) -> dict[str, Any]:
    """The same for programs; each seat has the ``bots`` that were asked in its place."""
    explained: dict[str, Any] = plain(turn)
    for seat in explained["seats"]:
        seat["bots"] = plain(reruns.get(seat["seat"], ()))
    return {"match": match} | explained | {"without_bots": without_bots}


def rerun_data(
    match: str,
    turn: TurnExplained,
    seat: SeatExplained,
    reruns: Sequence[Rerun],
    saved: Path | None,
) -> dict[str, Any]:
    return {
        "match": match,
        "game": turn.game,
        "turn": turn.turn,
        "seat": seat.seat,
        "bot": seat.bot,
        "answers": plain(seat.answers),
        "infractions": plain(seat.infractions),
        "bots": plain(reruns),
        "saved": None if saved is None else str(saved),
    }
