"""Bots that send what they should not, or do not send what they should."""

from __future__ import annotations

import time
from typing import Final

from elfer.v1 import play_pb2 as pb
from tests.bots.modes import at_every_turn, at_turn
from tests.bots.seat import Seat, answer, good, hello

MIB: Final = 2**20
LATE_BY_S: Final = 0.25


@at_turn(1)
def fair(seat: Seat) -> None:
    seat.answer()


# Late.


@at_every_turn
def says_nothing_more(seat: Seat) -> None:
    """After its hello."""


@at_every_turn
def stalls_in_mid_game(seat: Seat) -> None:
    if len(seat.turns) < 3:
        seat.answer()


@at_turn(1)
def late(seat: Seat) -> None:
    """Answers when it is asked again, by which time it was told that it is late."""
    seat.owed.append(seat.good)


@at_turn(1)
def late_by_a_little(seat: Seat) -> None:
    time.sleep(seat.turn.left_us / 1_000_000 + LATE_BY_S)
    seat.answer()


# Refused by the rules.


def _missing(seat: Seat) -> int:
    return next(card for card in range(1, 81) if card not in seat.turn.elfer_raus.hand)


@at_turn(1)
def illegal_once(seat: Seat) -> None:
    seat.send(answer(seat.turn, _missing(seat)))


@at_every_turn
def always_illegal(seat: Seat) -> None:
    """Passes, which it may not."""
    seat.send(answer(seat.turn))


@at_turn(1)
def ten_thousand_cards(seat: Seat) -> None:
    seat.send(answer(seat.turn, *[_missing(seat)] * 10_000))


@at_turn(1)
def a_card_twice(seat: Seat) -> None:
    seat.send(answer(seat.turn, *seat.turn.elfer_raus.fits[:1] * 2))


@at_turn(1)
def cards_of_no_deck(seat: Seat) -> None:
    seat.send(answer(seat.turn, 81, 0, -1, 2**31 - 1, -(2**31)))


# Not to be read.


@at_turn(1)
def without_body(seat: Seat) -> None:
    message = seat.good
    message.answer.ClearField("elfer_raus")
    seat.send(message)


@at_turn(1)
def an_empty_element(seat: Seat) -> None:
    seat.send()


@at_turn(1)
def an_empty_message(seat: Seat) -> None:
    seat.send(pb.BotMessage())


@at_turn(1)
def garbage(seat: Seat) -> None:
    seat.stream.send_bytes(b"\xff\xff\xff")


# Beside the question.


@at_turn(1)
def answers_twice(seat: Seat) -> None:
    seat.send(seat.good, seat.good)


@at_turn(1)
def answers_twenty_times(seat: Seat) -> None:
    seat.send(*[seat.good] * 20)


@at_turn(3)
def answers_an_old_request(seat: Seat) -> None:
    seat.send(good(seat.turns[0]), seat.good)


@at_turn(1)
def answers_unasked(seat: Seat) -> None:
    seat.send(_unasked(seat), seat.good)


@at_turn(1)
def answers_elsewhere(seat: Seat) -> None:
    elsewhere = seat.good
    elsewhere.answer.match_id = "another"
    seat.send(elsewhere, seat.good)


@at_turn(1)
def resigns(seat: Seat) -> None:
    seat.send(pb.BotMessage(resign=pb.Resign(match_id=seat.turn.match_id)))


@at_turn(1)
def says_hello_again(seat: Seat) -> None:
    seat.send(hello())


# Too much.


@at_turn(1)
def ten_thousand_messages(seat: Seat) -> None:
    """Empty ones, lest the element be too large before."""
    seat.send(*[pb.BotMessage()] * 10_000)


@at_turn(1)
def ten_thousand_elements(seat: Seat) -> None:
    for _ in range(10_000):
        seat.send(_unasked(seat))


@at_turn(1)
def four_hundred_strays(seat: Seat) -> None:
    for _ in range(8):
        seat.send(*[_unasked(seat)] * 50)


@at_turn(1)
def eight_mib_bit_by_bit(seat: Seat) -> None:
    seat.stays = True
    unasked = _unasked(seat)
    unasked.answer.match_id = "x" * 60_000
    for _ in range(8 * MIB // 60_000):
        seat.send(unasked)


@at_turn(1)
def sends_a_giant(seat: Seat) -> None:
    _send_text(seat, 5 * MIB)


@at_turn(1)
def sends_more_than_is_read(seat: Seat) -> None:
    _send_text(seat, 9 * MIB)


def _unasked(seat: Seat) -> pb.BotMessage:
    unasked = seat.good
    unasked.answer.request_id = "never made"
    return unasked


def _send_text(seat: Seat, length: int) -> None:
    seat.stays = True
    message = seat.good
    message.answer.request_id = "x" * length
    seat.send(message)
