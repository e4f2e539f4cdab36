"""Answer times as a small histogram that adds up.

Buckets keep the six leading bits of a number of microseconds: below 64 they are exact,
above that each is at most a 32nd of its value wide, so the middle of a bucket is less than
1.6% off. Integers throughout, so that the order of adding never shows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Self

_KEPT_BITS: Final = 6
_STEP: Final = 1 << (_KEPT_BITS - 1)


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """How long answers took, in microseconds. ``TimesSum`` adds them up."""

    sum_us: int = 0
    buckets: tuple[tuple[int, int], ...] = ()
    """Bucket number and how many answers fell into it, ascending."""

    @classmethod
    def of(cls, times_us: Iterable[int]) -> Self:
        """Raises ``ValueError`` on a negative time."""
        times = list(times_us)
        return cls(sum(times), _sorted(Counter(map(_bucket, times))))

    @property
    def count(self) -> int:
        return sum(count for _, count in self.buckets)

    def mean_us(self) -> Fraction | None:
        """The exact mean; ``None`` when there was no answer."""
        count = self.count
        return Fraction(self.sum_us, count) if count else None

    def percentile_us(self, percent: int) -> int | None:
        """The least time that ``percent`` of 100 answers did not exceed, to within 1.6%.

        ``None`` when there was no answer.
        """
        rank = -(-self.count * percent // 100)
        seen = 0
        for bucket, count in self.buckets:
            seen += count
            if seen >= rank:
                return _middle(bucket)
        return None

    def to_json(self) -> str:
        """Such as ``{"sum_us":420,"buckets":[[84,2]]}``."""
        value = {"sum_us": self.sum_us, "buckets": self.buckets}
        return json.dumps(value, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The inverse of ``to_json``. Raises ``ValueError`` on what it never gives."""
        try:
            value = json.loads(text)
            times = cls(value["sum_us"], tuple((b, n) for b, n in value["buckets"]))
        except (ValueError, LookupError, TypeError, RecursionError):
            raise ValueError("not a histogram of answer times") from None
        numbers = [times.sum_us, *(number for pair in times.buckets for number in pair)]
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("a histogram of answer times holds whole numbers, none negative")
        return times


class TimesSum:
    """A sum of answer times, growing."""

    def __init__(self) -> None:
        self._sum_us = 0
        self._counts: Counter[int] = Counter()

    def add(self, times: AnswerTimes) -> None:
        self._sum_us += times.sum_us
        for bucket, count in times.buckets:
            self._counts[bucket] += count

    def total(self) -> AnswerTimes:
        return AnswerTimes(self._sum_us, _sorted(self._counts))


def _sorted(counts: Counter[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(counts.items()))


def _bucket(time_us: int) -> int:
    if time_us < 0:
        raise ValueError(f"an answer cannot take {time_us} us")
    shift = max(0, time_us.bit_length() - _KEPT_BITS)
    return shift * _STEP + (time_us >> shift)


def _middle(bucket: int) -> int:
    shift = max(0, bucket // _STEP - 1)
    low = (bucket - shift * _STEP) << shift
    return low + ((1 << shift) - 1) // 2
