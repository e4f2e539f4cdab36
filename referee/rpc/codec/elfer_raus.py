"""Elfer raus! on the wire."""

from __future__ import annotations

from typing import Final

from elfer.cards import BIT, Card
from elfer.v1 import card_pb2, play_pb2
from referee.games.elfer_raus.view import View

Numbers = tuple[card_pb2.Card.ValueType, ...]

_MASK_BYTES: Final = (max(BIT).bit_length() + 7) // 8


def _numbers_by_byte() -> tuple[tuple[Numbers, ...], ...]:
    """For each byte of a mask and each value of it: the cards."""
    card_at = {BIT[card].bit_length() - 1: card_pb2.Card.ValueType(card) for card in Card}
    return tuple(
        tuple(
            tuple(
                card_at[8 * place + bit]
                for bit in range(8)
                if value >> bit & 1 and 8 * place + bit in card_at
            )
            for value in range(256)
        )
        for place in range(_MASK_BYTES)
    )


_NUMBERS: Final = _numbers_by_byte()


def card_numbers(mask: int) -> Numbers:
    """The protocol's numbers of a mask's cards, in card order.

    A table for each byte of the mask: every question carries several masks.
    """
    numbers: Numbers = ()
    if not mask:
        return numbers
    for table, value in zip(_NUMBERS, mask.to_bytes(_MASK_BYTES, "little"), strict=True):
        if value:
            numbers += table[value]
    return numbers


class ElferRausCodec:
    """Views and answers of Elfer raus!."""

    def game_start(self, view: View, message: play_pb2.GameStart) -> None:
        self._sight(view, message.elfer_raus)

    def turn(self, view: View, message: play_pb2.Turn) -> None:
        """Raises ``ValueError`` on a view without a choice in it."""
        if view.allowed is None:
            raise ValueError("the view of a question says what is allowed")
        sight = message.elfer_raus
        self._sight(view, sight)
        sight.fits.extend(card_numbers(view.allowed.fits))
        sight.due.extend(card_numbers(view.allowed.due))
        sight.may_pass = view.allowed.may_pass
        sight.single = view.allowed.single

    def answer(self, message: play_pb2.Answer) -> tuple[int, ...] | None:
        """Cards as the bot numbered them, the numbers of no card included."""
        if not message.HasField("elfer_raus"):
            return None
        return tuple(message.elfer_raus.cards)

    def _sight(self, view: View, sight: play_pb2.ElferRausView) -> None:
        sight.hand_sizes.extend(view.hand_sizes)
        sight.stock = view.stock
        sight.hand.extend(card_numbers(view.hand))
        sight.laid.extend(card_numbers(view.laid))
        sight.starts.extend(card_numbers(view.starts))
