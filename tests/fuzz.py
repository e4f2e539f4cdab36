"""``make fuzz``: hostile bytes at the Play service, while two others play at it in peace.

Prints figures at the end. The first thing that breaks ends it with exit code 1, and how to see
it again.

Run: ``python -m tests.fuzz [--seconds N] [--seed TEXT] [--attack NUMBER]``.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from typing import Final

from tests.support.fuzz import BrokenError, fuzz

SECONDS: Final = 120.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for how long")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="what the attacks come from")
    parser.add_argument("--attack", type=int, default=0, help="begin with this one")
    arguments = parser.parse_args()
    try:
        figures = asyncio.run(fuzz(arguments.seed, arguments.seconds, arguments.attack))
    except BrokenError as broken:
        print(f"fuzz: {broken}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"fuzz: seed {arguments.seed}, {arguments.seconds:g} s: {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
