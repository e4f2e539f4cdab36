"""Bots that err at random, and conducts and clocks of every kind to judge them by."""

from random import Random

from hypothesis import strategies as st

from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction, Measure
from referee.match.player import Ask, Reply, Stray
from referee.match.player import Fault as NoAnswer
from tests.support.matches import QUICK, ScriptedPlayer
from tests.support.random_play import legal_answer, wild_answer


def unruly(seed: int, share: float = 0.2) -> ScriptedPlayer:
    """Answers as it should most of the time, and in every other way the rest."""
    random = Random(seed)
    kinds = [Infraction.LATE, Infraction.MALFORMED, Infraction.ILLEGAL]

    def answer(ask: Ask) -> Reply | NoAnswer:
        if random.random() > share:
            return Reply(legal_answer(ask.view, random), QUICK)
        match random.choice(kinds):
            case Infraction.LATE:
                return NoAnswer(Infraction.LATE, Evidence(2_000_001), "")
            case Infraction.MALFORMED:
                return NoAnswer(Infraction.MALFORMED, QUICK, "no body")
            case _:
                wild = wild_answer(ask.view, random)
                # Beyond 32 bits nothing comes over the wire.
                return Reply(tuple(card for card in wild if abs(card) < 2**31), QUICK)

    return ScriptedPlayer(answer)


def faulty(seed: int, share: float) -> ScriptedPlayer:
    """Does everything that a bot can do, and the time and the bank go with it."""
    player = unruly(seed, share)
    given, random = player.answer, Random(seed)

    def answer(ask: Ask) -> Reply | NoAnswer:
        elapsed_us = random.randrange(60_000)
        excused_us = random.choice([0, 0, random.randrange(60_000)])
        evidence = Evidence(elapsed_us, random.choice([None, 7]), excused_us, "host")
        if random.random() < share / 4:
            player.stray.append(Stray(random.choice(BESIDE), "seen"))
        if random.random() < share / 4:
            return NoAnswer(random.choice(GONE), evidence, "exit status 1")
        return given(ask)._replace(evidence=evidence)

    player.answer = answer
    return player


GONE = [kind for kind, breach in BREACHES.items() if Consequence.RESTART in breach.allowed]
BESIDE = [kind for kind, breach in BREACHES.items() if Consequence.NONE in breach.allowed] + [
    Infraction.FLOOD,
    Infraction.PROTOCOL_VIOLATION,
    Infraction.RESIGNED,
]
MEASURES = st.fixed_dictionaries(
    {
        kind: st.builds(
            Measure, st.integers(0, 50), st.integers(0, 3), st.sampled_from(breach.allowed)
        )
        for kind, breach in BREACHES.items()
    }
)
CONDUCTS = st.builds(
    Conduct,
    retries=st.integers(0, 3),
    restarts=st.integers(0, 3),
    strike_limit=st.none() | st.integers(1, 30),
    measures=MEASURES,
    list_only=st.booleans(),
)
CONTROLS = st.builds(
    TimeControl,
    move_limit_us=st.integers(20_000, 80_000),
    bank_us=st.integers(0, 200_000),
    increment_us=st.none() | st.integers(0, 10_000),
    match_limit_us=st.none() | st.integers(100_000, 2_000_000),
)
