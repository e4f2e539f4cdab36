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
from typing import Any, Final, cast

from elfer.bot import Bot
from elfer.cards import Card, Cards
from elfer.notation import read_cards, write_cards
from elfer.ruling import Ruling
from elfer.tableau import Tableau
from elfer.v1 import card_pb2, play_pb2
from elfer.views import Match, Turn

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

NO_DICE: Final = bytes(32)


def match(
    *,
    seats: int = 2,
    seat: int = 0,
    slots: Mapping[str, str] | None = None,
    games: int = 5,
    dice_seed: bytes = NO_DICE,
) -> Match:
    """A match under ``ravensburger@1``, with other ``slots`` where given (``{"duty": "yes"}``)."""
    unknown = set(slots or ()) - set(RAVENSBURGER)
    if unknown:
        raise ValueError(f"no rule slot {', '.join(sorted(unknown))}: {', '.join(RAVENSBURGER)}")
    values = {**RAVENSBURGER, **(slots or {})}
    return Match(
        play_pb2.MatchStart(
            match_id="test",
            rules=play_pb2.Rules(
                game="elfer-raus",
                profile="custom@1" if slots else "ravensburger@1",
                slots=[play_pb2.Slot(name=name, value=values[name]) for name in values],
            ),
            series=play_pb2.Series(games=games),
            seats=seats,
            seat=seat,
            conduct=play_pb2.Conduct(retries=1),
            dice_seed=dice_seed,
        )
    )


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
    mine, table = Cards(read_cards(hand)), Cards(read_cards(laid))
    closed = Cards(read_cards(starts)) if starts is not None else _starts(of, table)
    tableau = Tableau(table, closed, of.rules.deck, any_start=of.rules.start == "any")
    fits = tableau.fits(mine)
    _refuse_impossible(of, mine, table, fits)
    seated = tuple(range(of.seats)) if playing is None else tuple(playing)
    if hand_sizes is None:
        full = of.rules.hand_size(len(seated))
        hand_sizes = [len(mine) if s == of.seat else full for s in range(of.seats)]
    sizes = [hand_sizes[s] for s in seated]
    if stock is None:
        stock = max(0, len(of.rules.deck) - len(table) - sum(sizes))
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
        elfer_raus=play_pb2.ElferRausView(
            hand_sizes=sizes,
            stock=stock,
            hand=_numbers(mine),
            laid=_numbers(table),
            starts=_numbers(closed),
            fits=_numbers(fits),
            due=_numbers(tableau.due(mine)) if of.rules.duty else (),
            may_pass=may_pass,
            single=single,
        ),
    )
    setattr(message, "try", try_number)  # a keyword of Python
    return Turn(of, message, refused)


def check(bot: Bot, turn: Turn) -> tuple[Card, ...]:
    """Ask the bot and assert that its answer is legal. Returns the answer."""
    cards = tuple(bot.answer(turn))
    ruling = turn.judge(cards)
    if ruling is not None:
        answer = " ".join(map(str, cards)) or "a pass"
        raise AssertionError(f"refused: {answer}\n{ruling}\nat {turn!r}")
    return cards


def reproduce(turn: Turn) -> str:
    """The call of ``turn`` that makes a turn again, for a unit test."""
    of = turn.match
    slots = {n: v for n, v in of.rules.slots.items() if RAVENSBURGER.get(n) != v}
    given: dict[str, tuple[Any, Any]] = {
        "seats": (of.seats, 2),
        "seat": (of.seat, 0),
        "slots": (slots, {}),
        "single": (turn.single, False),
        "may_pass": (turn.may_pass, False),
        "hand_sizes": (turn.hand_sizes, None),
        "stock": (turn.stock, None),
        "dealer": (turn.dealer, 0),
        "playing": (turn.seats, tuple(range(of.seats))),
        "points": (turn.points, (0,) * of.seats),
        "game": (turn.game, 1),
        "number": (turn.number, 1),
        "try_number": (turn.try_number, 1),
        "acts": (turn.lines, ()),
        "dice_seed": (of.dice_seed, NO_DICE),
        "refused": (turn.refused, None),
    }
    cards = {"hand": turn.hand, "laid": turn.laid, "starts": turn.starts}
    arguments = [f"{name}={write_cards(value)!r}" for name, value in cards.items()]
    arguments += [f"{n}={value!r}" for n, (value, default) in given.items() if value != default]
    return f"turn({', '.join(arguments)})"


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


def _refuse_impossible(of: Match, hand: Cards, laid: Cards, fits: Cards) -> None:
    if not hand | laid <= of.rules.deck:
        raise ValueError(f"not in the deck: {write_cards((hand | laid) - of.rules.deck)}")
    if hand & laid:
        raise ValueError(f"in hand and laid: {write_cards(hand & laid)}")
    if not fits:
        raise ValueError("nothing of the hand fits: the referee draws, and asks nothing")


def _numbers(cards: Cards) -> list[card_pb2.Card.ValueType]:
    """Cards as the protocol has them: the same numbers."""
    return cast("list[card_pb2.Card.ValueType]", list(cards))
