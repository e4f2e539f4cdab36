"""What a seat may know. There is no field in which another hand or the stock could stand."""

from __future__ import annotations

from typing import NamedTuple


class Allowed(NamedTuple):
    """What the seat whose turn it is may do. Cards are masks (``elfer.cards``)."""

    fits: int
    """Cards of the hand that fit now (§4.3)."""
    due: int
    """Start cards of the hand whose rows may not stay closed (§4.5)."""
    may_pass: bool
    """An empty answer would be accepted (§9.1)."""
    single: bool
    """Exactly one card is to be laid (§9.5)."""


class View(NamedTuple):
    """One seat's sight of a game. Cards are masks (``elfer.cards``)."""

    seat: int
    hand: int
    laid: int
    """All cards on the table."""
    starts: int
    """Start cards of rows that are still closed, in whatever hands they are."""
    stock: int
    """How many cards are left to draw."""
    hand_sizes: tuple[int, ...]
    """How many cards each seat holds."""
    allowed: Allowed | None
    """Set when it is for this seat to choose."""
