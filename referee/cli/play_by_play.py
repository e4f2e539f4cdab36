"""A match printed turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from elfer.cards import BIT, Card
from referee.app.story import (
    BrokenTurnStory,
    Chapter,
    ForfeitStory,
    GameOverStory,
    GameStory,
    Story,
    TurnStory,
)
from referee.cli.text import milliseconds
from referee.match.record import AskRecord, GivenAnswer, InfractionRecord, MatchRecord

Name = Callable[[int], str]

_INDENT: Final = "  "


def lines(story: Story, record: MatchRecord | None) -> Iterator[str]:
    """The match as lines of text. Names of bots and details are as the record has them.

    Raises TranscriptError where the transcript does not hold.
    """
    names: Mapping[int, str] = {seat.seat: seat.bot for seat in record.seats} if record else {}

    def name(seat: int) -> str:
        return f"seat {seat} {names[seat]}" if seat in names else f"seat {seat}"

    yield from _heading(story, record)
    for chapter in story.chapters():
        yield from _chapter(chapter, name)
    if not story.complete:
        yield ""
        yield "The match was cut short."


def _heading(story: Story, record: MatchRecord | None) -> Iterator[str]:
    if record is not None:
        yield f"Match {record.match_key}, attempt {record.attempt}"
        yield f"{record.start_time:%Y-%m-%d %H:%M:%S %Z}, referee {record.referee_version}"
        for seat in record.seats:
            about = f"{seat.version} ({seat.language}, {seat.author})"
            yield f"{_INDENT}seat {seat.seat}  {seat.bot} {about}"
    yield f"{story.profile}, {story.series}, {story.seats} seats"
    yield f"seed {story.seed.hex()}"


def _chapter(chapter: Chapter, name: Name) -> Iterator[str]:
    match chapter:
        case GameStory():
            yield from _game(chapter, name)
        case TurnStory():
            yield from _turn(chapter, name)
        case ForfeitStory():
            yield ""
            yield f"{name(chapter.seat)} forfeits: from here the house plays for it"
        case GameOverStory():
            yield from _over(chapter, name)
        case BrokenTurnStory():
            yield from _asked(chapter, name)


def _game(game: GameStory, name: Name) -> Iterator[str]:
    yield ""
    title = f"Game {game.game}, dealt by {name(game.dealer)}"
    if game.tie_break:
        title += ", a tie-break"
    if game.redeals:
        title += f", dealt again {game.redeals} time{'s' if game.redeals > 1 else ''} (§3.2)"
    yield title
    yield "=" * len(title)
    yield from _indented(game.pictures[0].table)
    for seat, picture in zip(game.seats, game.pictures, strict=True):
        yield name(seat)
        yield from _indented(picture.own)


def _turn(turn: TurnStory, name: Name) -> Iterator[str]:
    yield ""
    who = ", ".join(map(name, turn.seats))
    yield f"Game {turn.game}, turn {turn.turn}: {who}"
    yield from _indented(turn.before[0].table)
    for picture in turn.before:
        yield from _indented(picture.own)
    yield from _asked(turn, name)
    by = "the house: " if turn.house else "" if turn.chosen else "no choice: "
    yield f"{_INDENT}-> {by}{turn.act}"


def _asked(turn: TurnStory | BrokenTurnStory, name: Name) -> Iterator[str]:
    for ask in turn.asks:
        yield _ask(ask)
    for infraction in turn.infractions:
        yield f"{_INDENT}!! {name(infraction.seat)}: {infraction_text(infraction)}"


def _ask(ask: AskRecord) -> str:
    again = f", try {ask.try_}" if ask.try_ > 1 else ""
    answer = "no answer that can be read" if ask.answer is None else answer_text(ask.answer)
    verdict = (
        "accepted" if ask.ruling is None else f"refused, {ask.ruling.text} ({ask.ruling.section})"
    )
    return f"{_INDENT}answer  {answer} ({milliseconds(ask.counted_us)} ms{again}): {verdict}"


def answer_text(answer: GivenAnswer) -> str:
    """The cards as they were sent, those by their names that there are."""
    cards = [str(Card(card)) if 0 < card < len(BIT) else f"card {card}" for card in answer.cards]
    more = answer.count - len(cards)
    return (" ".join(cards) or "nothing") + (f" and {more} more" if more > 0 else "")


def infraction_text(infraction: InfractionRecord) -> str:
    detail = f" ({infraction.detail})" if infraction.detail else ""
    return (
        f"{infraction.kind}{detail}, penalty {infraction.penalty}, then: {infraction.consequence}"
    )


def _over(over: GameOverStory, name: Name) -> Iterator[str]:
    yield ""
    for infraction in over.infractions:
        yield f"{_INDENT}!! {name(infraction.seat)}: {infraction_text(infraction)}"
    yield f"Game {over.game} goes to {', '.join(map(name, over.winners))}"
    yield f"{_INDENT}points  {_points(over.points)}"


def _points(points: Sequence[int]) -> str:
    return "  ".join(f"seat {seat}: {value}" for seat, value in enumerate(points))


def _indented(picture: Sequence[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" for line in picture)
