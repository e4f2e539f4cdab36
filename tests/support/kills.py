"""Leagues that are killed again and again, each held to the same league undisturbed.

One league after the other, at tables of two and of four. Whom to kill and when is drawn from
the seed and the league's number, until the league comes to its end.
"""

from __future__ import annotations

import shutil
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from referee.app.playing import MOST_VOIDS
from referee.match.conduct import Infraction
from referee.store.entries import VoidCause
from tests.support.bot_folders import SAMPLES
from tests.support.killed_league import Kill, KilledLeague, Victim
from tests.support.outcomes import Outcome

TABLES: Final = {
    2: ("counter", "greedy", "holdback"),
    4: ("counter", "greedy", "holdback", "random"),
}
"""Entrants by table size: sample bots, which play the same cards whenever they are asked."""
DEALS: Final = 2
"""They are one sitting."""
MOST_JOBS: Final = 3
_OFTEN: Final = {Victim.REFEREE: 5, Victim.WORKER: 3, Victim.SUPERVISOR: 2, Victim.ALL: 2}


class BrokenError(Exception):
    """What is lost, counted twice, played otherwise or left behind, and how to see it again."""


@dataclass(slots=True)
class Figures:
    leagues: int = 0
    kills: Counter[Victim] = field(default_factory=Counter)
    matches: int = 0
    voids: int = 0
    crashes: int = 0
    """Matches in which a bot lost its supervisor."""

    def __str__(self) -> str:
        kills = ", ".join(f"{victim} {self.kills[victim]}" for victim in Victim)
        return (
            f"{self.kills.total()} kills ({kills}) in {self.leagues} leagues, "
            f"{self.matches} matches, each counted once, {self.voids} voids, "
            f"{self.crashes} crashes of bots, all else as undisturbed"
        )


@dataclass(frozen=True, slots=True)
class _Undisturbed:
    outcome: Outcome
    seconds: float
    writes: int


class Campaign:
    """Kills in a folder of their own, whose path is short enough for sockets."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.figures: Final = Figures()
        self._folder: Final = folder
        self._seed: Final = seed
        self._undisturbed: Final[dict[int, _Undisturbed]] = {}

    def play(self, number: int, most: int) -> None:
        """One league, killed at most so often. Raises ``BrokenError``."""
        random = Random(f"{self._seed}/{number}")
        seats, jobs = list(TABLES)[number % len(TABLES)], random.randint(1, MOST_JOBS)
        killed: list[Kill] = []
        try:
            undisturbed = self._play_undisturbed(seats)
            kills = islice(_kills(random, undisturbed), most)
            outcome = self._play(seats, jobs, kills, killed)
            crashed = _compare(outcome, undisturbed.outcome, killed, jobs)
        except Exception:  # noqa: BLE001 - whatever it is, it is what we look for
            raise BrokenError(
                f"league {number}, tables of {seats}, {jobs} jobs, killed: "
                f"{'; '.join(map(str, killed)) or 'nothing yet'}\n{traceback.format_exc()}"
                f"again: python -m tests.kills --seed {self._seed} --league {number}"
            ) from None
        self.figures.leagues += 1
        self.figures.kills.update(kill.victim for kill in killed)
        self.figures.matches += len(outcome.matches)
        self.figures.voids += len(outcome.voids)
        self.figures.crashes += crashed

    def _play_undisturbed(self, seats: int) -> _Undisturbed:
        if seats not in self._undisturbed:
            began = time.monotonic()
            with self._league(seats, jobs=2) as league:
                outcome = league.end()
            seconds = time.monotonic() - began
            assert (outcome.voids, outcome.infractions) == ((), ())
            self._undisturbed[seats] = _Undisturbed(outcome, seconds, league.writes)
        return self._undisturbed[seats]

    def _play(self, seats: int, jobs: int, kills: Iterator[Kill], killed: list[Kill]) -> Outcome:
        survived = 0
        with self._league(seats, jobs) as league:
            for drawn in kills:
                # Otherwise a match might be given up in this run.
                last = survived == MOST_VOIDS - 1
                kill = replace(drawn, victim=Victim.REFEREE) if last else drawn
                if not league.kill(kill):
                    break
                killed.append(kill)
                survived = survived + 1 if kill.victim in (Victim.WORKER, Victim.SUPERVISOR) else 0
            return league.end()

    def _league(self, seats: int, jobs: int) -> KilledLeague:
        # What a league that broke has left is there to be looked at until the next is played.
        folder = self._folder / "cup"
        shutil.rmtree(folder, ignore_errors=True)
        bots = [_copy_sample(name, folder) for name in TABLES[seats]]
        return KilledLeague(folder, bots, table_size=seats, deals=DEALS, jobs=jobs)


def _copy_sample(name: str, folder: Path) -> Path:
    bot = Path(shutil.copytree(SAMPLES / name, folder / name))
    manifest = bot / "bot.toml"
    text = manifest.read_text(encoding="utf-8")
    # A host on which a dozen start at once is slow.
    text = text.replace('start_limit = "10s"', 'start_limit = "60s"')
    manifest.write_text(text, encoding="utf-8")
    return bot


def _kills(random: Random, undisturbed: _Undisturbed) -> Iterator[Kill]:
    """Half of them at some time, half at a write to the ledger.

    Soon enough for several in a league: each run has less to play than the one before.
    """
    seconds, writes = undisturbed.seconds / 2, undisturbed.writes // 3
    while True:
        at_write = random.random() < 0.5
        yield Kill(
            victim=random.choices(list(_OFTEN), list(_OFTEN.values()))[0],
            writes=random.randint(1, writes) if at_write else 0,
            seconds=0.0 if at_write else random.uniform(0.0, seconds),
            which=random.randrange(2**16),
            at_once=random.random() < 0.5,
        )


def _compare(outcome: Outcome, undisturbed: Outcome, killed: list[Kill], jobs: int) -> int:
    """Gives in how many matches a bot crashed, which its supervisor's death explains."""
    kills = Counter(kill.victim for kill in killed)
    crashed = {entry.match_key for entry in outcome.infractions}
    assert {entry.kind for entry in outcome.infractions} <= {
        Infraction.CRASHED,
        Infraction.START_FAILURE,
    }
    assert len(crashed) <= kills[Victim.SUPERVISOR], outcome.infractions
    for key, match in undisturbed.matches.items():
        assert key in crashed or outcome.matches[key] == match
    if not crashed:
        assert outcome == undisturbed
    # Nothing is played again but what a kill has cut off.
    cut_off = Counter(void.cause for void in outcome.voids)
    assert cut_off[VoidCause.REFEREE] == 0, outcome.voids
    assert cut_off[VoidCause.INTERRUPTED] <= (kills[Victim.REFEREE] + kills[Victim.ALL]) * (
        jobs * DEALS
    )
    assert cut_off[VoidCause.HOST] <= kills[Victim.WORKER] * DEALS + kills[Victim.SUPERVISOR]
    return len(crashed)
