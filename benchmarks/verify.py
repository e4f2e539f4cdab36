"""How much faster matches are verified than they are played.

Bots that hardly think play real matches, as processes over gRPC; then each record is read from
its bytes and verified. The reference is the time that playing took, starting processes left out.

Run: ``python -m benchmarks.verify [MATCHES]``, 20 matches of 5 games unless told.
"""

from __future__ import annotations

import statistics
import sys
import time

from benchmarks.support.sittings import play, seconds
from referee.match.verify import verify
from referee.rpc.codec import decode_record

MATCHES = 20


def ratios(seats: int, matches: int) -> list[float]:
    """For each match, the time it took to play over the time it takes to verify."""
    found = []
    for record, content in play(seats, matches=matches):
        began = time.perf_counter()
        difference = verify(decode_record(content))
        took = time.perf_counter() - began
        assert difference is None, difference
        found.append(seconds(record) / took)
    return found


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    print(
        f"{matches} matches of 5 games, ravensburger@1: verified how many times as fast as played"
    )
    for seats in (2, 4, 6):
        found = ratios(seats, matches)
        quarters = statistics.quantiles(found, n=4)
        print(f"{seats} seats   {quarters[1]:5.1f}   ({quarters[0]:.1f} to {quarters[2]:.1f})")


if __name__ == "__main__":
    main()
