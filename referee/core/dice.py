"""Seeds, streams and lots: all the randomness there is (rulebook §10)."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, MutableSequence, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORDS: Final = struct.Struct(">8I")


class Stream:
    """The words of one label under one seed (§10.1), read once from its beginning."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._words = self._read(seed + label.encode("ascii"))

    @staticmethod
    def _read(prefix: bytes) -> Iterator[int]:
        block = 0
        while True:
            digest = hashlib.sha256(prefix + block.to_bytes(8, "big")).digest()
            yield from _WORDS.unpack(digest)
            block += 1

    def below(self, m: int) -> int:
        """A uniform number from 0 to ``m - 1`` (§10.2)."""
        bound = 2**32 - 2**32 % m
        for word in self._words:
            if word < bound:
                return word % m
        raise AssertionError("a stream has no end")

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (§10.2)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Dice:
    """The labelled streams of one seed of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed

    def stream(self, label: str) -> Stream:
        return Stream(self.seed, label)


def commitment(seed: bytes) -> bytes:
    """What may be shown of a seed before it is (§10.4)."""
    return hashlib.sha256(b"commit" + seed).digest()


def deal_seed(league_seed: bytes, deal_key: str) -> bytes:
    """The seed of a league's deal (§10.4)."""
    return hmac.digest(league_seed, deal_key.encode(), "sha256")


def bot_seed(deal_seed: bytes, match_key: str, seat: int) -> bytes:
    """The seed handed to a bot for its own dice (§10.3)."""
    return hmac.digest(deal_seed, f"{match_key}/bot/{seat}".encode(), "sha256")


def seated(
    league_seed: bytes, names: Sequence[str], table: str, deal: int, rotation: int
) -> tuple[str, ...]:
    """The entrants of a table by seat: their order for a deal, moved on by the rotation (§10.3)."""
    order = sorted(names)
    Stream(league_seed, f"order/{table}/{deal}").shuffle(order)
    return tuple(order[(seat - rotation) % len(order)] for seat in range(len(order)))
