"""One turn of a match explained: what was seen, possible and due, what was answered and ruled."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.game import Picture, Ruling
from referee.match.moment import Moment
from referee.match.record import AskRecord, GivenAnswer, InfractionRecord, MatchRecord


@dataclass(frozen=True, slots=True)
class RulingExplained:
    code: str
    section: str
    card: int
    text: str
    sentence: str | None
    """What the rulebook says there."""
    why: tuple[str, ...]
    """What is at fault, and why that comes first."""


@dataclass(frozen=True, slots=True)
class AnswerExplained:
    """An answer that a bot gave, and what came of it."""

    try_: int
    allowed_us: int | None
    """How long it might take: of limit, bank and match together."""
    elapsed_us: int
    counted_us: int
    answer: GivenAnswer | None
    """``None`` when none could be read."""
    ruling: RulingExplained | None
    """``None`` when it was accepted."""


@dataclass(frozen=True, slots=True)
class SeatExplained:
    """A seat whose turn it was."""

    seat: int
    bot: str | None
    """``None`` where there is the transcript alone."""
    forfeited: bool
    """The house played for it already, and nobody was asked."""
    picture: Picture
    news: tuple[str, ...]
    """The lines since its last question of this game, as it sees them."""
    reasons: tuple[str, ...]
    accepted: tuple[str, ...]
    answers: tuple[AnswerExplained, ...]
    infractions: tuple[InfractionRecord, ...]


@dataclass(frozen=True, slots=True)
class TurnExplained:
    game: int
    turn: int
    profile: str
    chosen: bool
    """Somebody had a choice; else it just happened."""
    house: bool
    """The house player did it."""
    act: str | None
    """``None``: the match was cut short here."""
    seats: tuple[SeatExplained, ...]


def explain(moment: Moment, record: MatchRecord | None) -> TurnExplained:
    """Explain a turn; ``record`` is the match's, where there is one."""
    act = moment.act
    return TurnExplained(
        game=moment.pairing.number,
        turn=moment.turn,
        profile=moment.game.rules_line.partition(" ")[0],
        chosen=act is None or act.chosen,
        house=act is not None and act.house,
        act=None if act is None else act.text,
        seats=tuple(
            _seat(moment, seat, news, record)
            for seat, news in zip(moment.seats, moment.news, strict=True)
        ),
    )


def explain_ruling(
    moment: Moment, seat: int, cards: tuple[int, ...], ruling: Ruling
) -> RulingExplained:
    """A ruling on a seat's answer, explained."""
    game = moment.game
    return RulingExplained(
        *ruling,
        game.rulebook(ruling.section),
        game.explain_ruling(moment.view(seat), cards, ruling),
    )


def _seat(
    moment: Moment, seat: int, news: tuple[str, ...], record: MatchRecord | None
) -> SeatExplained:
    game, view = moment.game, moment.view(seat)
    forced = None if moment.act is None or moment.act.chosen else moment.act.act
    explanation = game.explain(view, forced)
    here = (moment.pairing.number, moment.turn, seat)
    bots = {entry.seat: entry.bot for entry in record.seats} if record else {}
    asks = record.asks if record else ()
    infractions = record.infractions if record else ()
    return SeatExplained(
        seat=seat,
        bot=bots.get(seat),
        forfeited=seat in moment.forfeited,
        picture=game.picture(view),
        news=news,
        reasons=explanation.reasons,
        accepted=explanation.accepted,
        answers=tuple(
            _answer(moment, ask) for ask in asks if (ask.game, ask.turn, ask.seat) == here
        ),
        infractions=tuple(
            found for found in infractions if (found.game, found.turn, found.seat) == here
        ),
    )


def _answer(moment: Moment, ask: AskRecord) -> AnswerExplained:
    cards = () if ask.answer is None else ask.answer.cards
    return AnswerExplained(
        try_=ask.try_,
        allowed_us=ask.allowed_us,
        elapsed_us=ask.elapsed_us,
        counted_us=ask.counted_us,
        answer=ask.answer,
        ruling=None if ask.ruling is None else explain_ruling(moment, ask.seat, cards, ask.ruling),
    )
