"""A match told turn by turn, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

_INDENT: Final = "  "


class Teller:
    """Tells the chapters of a story. Names of bots and details are as the record has them.

    With ``sight`` it tells what this match seat sees and did, and counts what is hidden from it.
    """

    def __init__(
        self, story: Story, record: MatchRecord | None, *, sight: int | None = None
    ) -> None:
        self._story: Final = story
        self._record: Final = record
        self._names: Final[Mapping[int, str]] = (
            {seat.seat: seat.bot for seat in record.seats} if record else {}
        )
        self._sight: Final = sight

    def heading(self) -> Iterator[str]:
        story, record = self._story, self._record
        if record is not None:
            yield f"Match {record.match_key}, attempt {record.attempt}"
            yield f"{record.start_time:%Y-%m-%d %H:%M:%S %Z}, referee {record.referee_version}"
            for seat in record.seats:
                about = f"{seat.version} ({seat.language}, {seat.author})"
                yield f"{_INDENT}seat {seat.seat}  {seat.bot} {about}"
        yield f"{story.profile}, {story.series}, {story.seats} seats"
        yield f"seed {story.seed.hex()}"

    def name(self, seat: int) -> str:
        return f"seat {seat} {self._names[seat]}" if seat in self._names else f"seat {seat}"

    def chapter(self, chapter: Chapter, *, done: bool = False) -> Iterator[str]:
        """A chapter, its title first. ``done``: a turn is shown with its act carried out and
        with the hands of all, not as those who act saw it."""
        match chapter:
            case GameStory():
                yield from self._game(chapter)
            case TurnStory():
                yield from self._turn(chapter, done=done)
            case ForfeitStory():
                yield f"{self.name(chapter.seat)} forfeits: from here the house plays for it"
            case GameOverStory():
                yield from self._over(chapter)
            case BrokenTurnStory():
                yield f"Game {chapter.game}, turn {chapter.turn}: nobody is left to play for"
                yield from self._asked(chapter)

    def _game(self, game: GameStory) -> Iterator[str]:
        title = f"Game {game.game}, dealt by {self.name(game.dealer)}"
        if game.tie_break:
            title += ", a tie-break"
        if game.redeals:
            title += f", dealt again {game.redeals} time{'s' if game.redeals > 1 else ''} (§3.2)"
        yield title
        yield from _indented(self._story.game.picture(game.views[0]).table)
        for seat, view in zip(game.seats, game.views, strict=True):
            if self._sees(seat):
                yield self.name(seat)
                yield from _indented(self._story.game.picture(view).own)

    def _turn(self, turn: TurnStory, *, done: bool) -> Iterator[str]:
        who = ", ".join(map(self.name, turn.seats))
        yield f"Game {turn.game}, turn {turn.turn}: {who}"
        act = turn.act if done else None
        views = dict(zip(turn.playing, turn.views, strict=True))
        picture = self._story.game.picture
        yield from _indented(picture(views[turn.seats[0]], act).table)
        for seat in turn.playing if done else turn.seats:
            if self._sees(seat):
                if done:
                    yield f"{'>' if seat in turn.seats else ' '} {self.name(seat)}"
                yield from _indented(picture(views[seat], act).own)
        yield from self._asked(turn)
        by = "the house: " if turn.house else "" if turn.chosen else "no choice: "
        yield f"{_INDENT}-> {by}{self._seen(turn)}"

    def _sees(self, seat: int) -> bool:
        return self._sight is None or self._sight == seat

    def _seen(self, turn: TurnStory) -> str:
        """The act as the seat saw it whose sight it is, or else anyone who did not act."""
        if self._sight is None or self._sight in turn.seats:
            return turn.text
        others = [at for at, seat in enumerate(turn.playing) if seat not in turn.seats]
        return self._story.game.seen(turn.act, others[0]) if others else turn.text

    def _asked(self, turn: TurnStory | BrokenTurnStory) -> Iterator[str]:
        for ask in turn.asks:
            if self._sees(ask.seat):
                yield _ask(ask)
        yield from self._infractions(turn.infractions)

    def _infractions(self, infractions: Sequence[InfractionRecord]) -> Iterator[str]:
        for found in infractions:
            if self._sees(found.seat):
                yield f"{_INDENT}!! {self.name(found.seat)}: {infraction_text(found)}"

    def _over(self, over: GameOverStory) -> Iterator[str]:
        yield f"Game {over.game} goes to {', '.join(map(self.name, over.winners))}"
        points = (f"seat {seat}: {value}" for seat, value in enumerate(over.points))
        yield f"{_INDENT}points  {'  '.join(points)}"
        yield from self._infractions(over.infractions)


def lines(
    story: Story,
    record: MatchRecord | None,
    *,
    sight: int | None = None,
    start: tuple[int, int] = (0, 0),
) -> Iterator[str]:
    """The match as lines of text, from game and turn ``start`` on.

    Raises TranscriptError where the transcript does not hold.
    """
    teller = Teller(story, record, sight=sight)
    yield from teller.heading()
    begun = False
    for chapter in story.chapters():
        begun = begun or place(chapter) >= start
        if begun:
            yield ""
            yield from _underlined(teller.chapter(chapter), isinstance(chapter, GameStory))
    if not story.complete:
        yield ""
        yield CUT_SHORT


CUT_SHORT: Final = "The match was cut short."


def place(chapter: Chapter) -> tuple[int, int]:
    """Game and turn; the turn is 0 before the first."""
    match chapter:
        case GameStory():
            return chapter.game, 0
        case ForfeitStory():
            return 0, 0
        case _:
            return chapter.game, chapter.turn


def _underlined(chapter: Iterator[str], wanted: bool) -> Iterator[str]:
    title = next(chapter)
    yield title
    if wanted:
        yield "=" * len(title)
    yield from chapter


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


def _indented(picture: Sequence[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" for line in picture)
