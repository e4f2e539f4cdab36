"""``make kills``: leagues that break off at every statement to their database and at random
points of their play, each the same in the end.

Prints how far it is, and at the end figures. The first thing that breaks ends it with exit code
1, and how to see it again; what is left then is kept.

Run: ``python -m tests.kills [--kills N] [--seed TEXT] [--league NUMBER]``.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.support.crash_points import QuickLeague, fail_at, sweep, sweep_kills
from tests.support.kills import BrokenError, Campaign

KILLS: Final = 200


def break_off_everywhere(folder: Path) -> None:
    """At every statement of two leagues. Raises ``AssertionError``."""
    for name, redraw in (("planned", False), ("replaced", True)):
        place = folder / name
        place.mkdir()
        league = QuickLeague(place, f"sqlite:///{place / 'cup.db'}", redraw=redraw)
        killed, failed = sweep_kills(league), sweep(league, fail_at)
        print(
            f"kills: deals {name}: killed at {killed} statements, failed at {failed}",
            file=sys.stderr,
            flush=True,
        )


def kill_at_random(campaign: Campaign, kills: int) -> None:
    """Kill so often. Raises ``BrokenError``."""
    done = campaign.figures.kills
    for number in itertools.count():
        if done.total() >= kills:
            break
        campaign.play(number, kills - done.total())
        print(f"kills: {done.total()} of {kills}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=KILLS, help="how many")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="what they come from")
    parser.add_argument("--league", type=int, help="play this league alone")
    arguments = parser.parse_args()
    began = time.monotonic()
    # A path short enough for sockets.
    folder = Path(tempfile.mkdtemp(prefix="kills-", dir="/tmp"))
    campaign = Campaign(folder, arguments.seed)
    try:
        if arguments.league is None:
            break_off_everywhere(folder)
            kill_at_random(campaign, arguments.kills)
        else:
            campaign.play(arguments.league, arguments.kills)
    except BrokenError as broken:
        print(f"kills: {broken}\nleft: {folder}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    shutil.rmtree(folder)
    seconds = time.monotonic() - began
    print(f"kills: seed {arguments.seed}, {seconds:,.0f} s: {campaign.figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
