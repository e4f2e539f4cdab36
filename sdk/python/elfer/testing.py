"""Test a bot without a referee: turns from a readable description, answers checked.

::

    from elfer import Card
    from elfer.testing import check, turn

    def test_it_lays_the_last_card() -> None:
        assert check(MyBot(), turn(hand="R12", laid="R11")) == (Card.R12,)

Cards are written as in the rulebook, runs of one colour as ranges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, cast

from elfer.bot import Bot
from elfer.cards import Card, Cards
from elfer.notation import read_cards, write_cards
from elfer.rules import Series, TimeControl
from elfer.ruling import Ruling
from elfer.tableau import Tableau
from elfer.v1 import card_pb2, play_pb2
from elfer.views import Game, Match, Turn

RAVENSBURGER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "colours": "RYGB",
        "numbers": "1-20",
        "table": "-",
        "start": "11",
        "opener": "first",
        "redeal": "yes",
        "opening": "alone",
        "duty": "no",
        "draw": "3",
        "pass": "stuck",
        "hand": "20,20,15,12,10",
    }
)
"""The slots of ``ravensburger@1``."""

DEFAULT: Final = "ravensburger@1"
CUSTOM: Final = "custom@1"
NO_DICE: Final = bytes(32)
FIVE_GAMES: Final = Series(5, None, None)


def match(
    *,
    seats: int = 2,
    seat: int = 0,
    slots: Mapping[str, str] | None = None,
    profile: str = "",
    series: Series = FIVE_GAMES,
    time_control: TimeControl | None = None,
    dice_seed: bytes = NO_DICE,
) -> Match:
    """A match under ``ravensburger@1``, with other ``slots`` where given (``{"duty": "yes"}``).

    ``profile`` is what those rules are called. Without ``time_control`` there is no limit.
    """
    unknown = set(slots or ()) - set(RAVENSBURGER)
    if unknown:
        raise ValueError(f"no rule slot {', '.join(sorted(unknown))}: {', '.join(RAVENSBURGER)}")
    values = {**RAVENSBURGER, **(slots or {})}
    made = Match(
        play_pb2.MatchStart(
            match_id="test",
            rules=play_pb2.Rules(
                game="elfer-raus",
                profile=profile or (CUSTOM if slots else DEFAULT),
                slots=[play_pb2.Slot(name=name, value=values[name]) for name in values],
            ),
            seats=seats,
            seat=seat,
            conduct=play_pb2.Conduct(retries=1),
            dice_seed=dice_seed,
        )
    )
    made.series = series
    if time_control is not None:
        made.time_control = time_control
    return made


def game(
    hand: str,
    starts: str | None = None,
    *,
    seats: int = 2,
    seat: int = 0,
    slots: Mapping[str, str] | None = None,
    hand_sizes: Sequence[int] | None = None,
    stock: int | None = None,
    dealer: int = 0,
    playing: Sequence[int] | None = None,
    points: Sequence[int] | None = None,
    number: int = 1,
    dice_seed: bytes = NO_DICE,
    in_match: Match | None = None,
) -> Game:
    """A game as it begins for a seat that was dealt ``hand``; the rest is as for ``turn``."""
    of = in_match or match(seats=seats, seat=seat, slots=slots, dice_seed=dice_seed)
    seated = tuple(range(of.seats)) if playing is None else tuple(playing)
    message = play_pb2.GameStart(
        match_id=of.id,
        game=number,
        dealer=dealer,
        seats=seated,
        points=[0] * of.seats if points is None else points,
        elfer_raus=_sight(of, hand, "", starts, seated, hand_sizes, stock),
    )
    return Game(of, message)


def turn(
    hand: str,
    laid: str = "",
    starts: str | None = None,
    *,
    seats: int = 2,
    seat: int = 0,
    slots: Mapping[str, str] | None = None,
    single: bool = False,
    may_pass: bool = False,
    hand_sizes: Sequence[int] | None = None,
    stock: int | None = None,
    dealer: int = 0,
    playing: Sequence[int] | None = None,
    points: Sequence[int] | None = None,
    game: int = 1,
    number: int = 1,
    try_number: int = 1,
    acts: Sequence[str] = (),
    time_left: float = math.inf,
    bank: float = 0,
    match_left: float = math.inf,
    dice_seed: bytes = NO_DICE,
    refused: Ruling | None = None,
    in_match: Match | None = None,
) -> Turn:
    """A turn of the seat ``seat`` that holds ``hand``, with the cards ``laid`` on the table.

    What fits and what is due follow from them. ``starts`` are the start cards of closed
    rows; left out, they follow from the rules, unless those draw the start numbers for
    each game. ``playing`` are the seats that play this game (all); the other seats hold
    a full hand, and the rest of the deck is the stock, unless told. ``time_left``, ``bank``
    and ``match_left`` are the seconds that there are when the turn arrives, ``time_left``
    of its limit alone. ``in_match`` gives all that ``seats``, ``seat``, ``slots`` and
    ``dice_seed`` would.

    Raises ``ValueError`` where there is no such turn, such as when nothing fits: then
    the referee draws for you, and asks nothing.
    """
    if bank and time_left == math.inf:
        raise ValueError("bank: needs a time_left that it goes beyond")
    of = in_match or match(seats=seats, seat=seat, slots=slots, dice_seed=dice_seed)
    seated = tuple(range(of.seats)) if playing is None else tuple(playing)
    sight = _sight(of, hand, laid, starts, seated, hand_sizes, stock)
    mine, table, closed = Cards(sight.hand), Cards(sight.laid), Cards(sight.starts)
    tableau = Tableau(table, closed, of.rules.deck, any_start=of.rules.start == "any")
    sight.fits.extend(_numbers(tableau.fits(mine)))
    if not sight.fits:
        raise ValueError("nothing of the hand fits: the referee draws, and asks nothing")
    sight.due.extend(_numbers(tableau.due(mine)) if of.rules.duty else ())
    sight.may_pass, sight.single = may_pass, single
    message = play_pb2.Turn(
        match_id=of.id,
        request_id="test",
        game=game,
        turn=number,
        left_us=_microseconds(time_left),
        bank_us=_microseconds(bank) if bank else None,
        match_left_us=_microseconds(match_left),
        acts=acts,
        dealer=dealer,
        seats=seated,
        points=[0] * of.seats if points is None else points,
        elfer_raus=sight,
    )
    setattr(message, "try", try_number)  # a keyword of Python
    return Turn(of, message, refused)


def check(bot: Bot, turn: Turn) -> tuple[Card, ...]:
    """Ask the bot and assert that its answer is legal, and in time. Returns the answer."""
    cards = tuple(bot.answer(turn))
    ruling = turn.judge(cards)
    if ruling is not None:
        answer = " ".join(map(str, cards)) or "a pass"
        raise AssertionError(f"refused: {answer}\n{ruling}\nat {turn!r}")
    if turn.time_left == 0 and (turn.bank == 0 or turn.match_left == 0):
        raise AssertionError(f"late\nat {turn!r}")
    return cards


def _starts(of: Match, laid: Cards) -> Cards:
    """The start cards of closed rows, as the rules alone tell."""
    start = of.rules.start
    if "|" in start or (start == "any" and laid):
        raise ValueError(f"starts: needed with start={start}, which alone does not tell them")
    open_rows = {card.colour for card in laid}
    closed = Cards(card for card in of.rules.deck if card.colour not in open_rows)
    if start == "any":
        return closed
    numbers = () if start == "-" else tuple(map(int, start.split(",")))
    return Cards(card for card in closed if card.number in numbers)


def _microseconds(seconds: float) -> int | None:
    return None if seconds == math.inf else round(seconds * 1e6)


def _sight(
    of: Match,
    hand: str,
    laid: str,
    starts: str | None,
    seated: Sequence[int],
    hand_sizes: Sequence[int] | None,
    stock: int | None,
) -> play_pb2.ElferRausView:
    """What a seat sees of the table and of its hand."""
    deck, mine, table = of.rules.deck, Cards(read_cards(hand)), Cards(read_cards(laid))
    if not mine | table <= deck:
        raise ValueError(f"not in the deck: {write_cards((mine | table) - deck)}")
    if mine & table:
        raise ValueError(f"in hand and laid: {write_cards(mine & table)}")
    if hand_sizes is None:
        full = of.rules.hand_size(len(seated))
        hand_sizes = [len(mine) if s == of.seat else full for s in range(of.seats)]
    sizes = [hand_sizes[s] for s in seated]
    if stock is None:
        stock = max(0, len(deck) - len(table) - sum(sizes))
    return play_pb2.ElferRausView(
        hand_sizes=sizes,
        stock=stock,
        hand=_numbers(mine),
        laid=_numbers(table),
        starts=_numbers(Cards(read_cards(starts)) if starts is not None else _starts(of, table)),
    )


def _numbers(cards: Cards) -> list[card_pb2.Card.ValueType]:
    """Cards as the protocol has them: the same numbers."""
    return cast("list[card_pb2.Card.ValueType]", list(cards))
