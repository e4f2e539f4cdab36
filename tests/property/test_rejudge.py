"""Judging again against play: whoever plays the same under another conduct gets that result."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Measure
from referee.match.record import MatchRecord
from referee.match.rejudge import NeedsPlay, rejudge
from referee.match.series import Games
from tests.support.faulty import CONDUCTS, CONTROLS, faulty
from tests.support.matches import play, record_of, setup

SEEDS = st.integers(0, 2**32)
SEATS = st.integers(2, 4)
SHARES = st.floats(0, 0.4)


def match(
    seed: int, seats: int, share: float, conduct: Conduct, control: TimeControl
) -> MatchRecord:
    """What bots that do not look at the conduct make of it."""
    players = [faulty(seed + seat, share) for seat in range(seats)]
    deal = seed.to_bytes(32, "big")
    table = setup(seats, series=Games(2), seed=deal, conduct=conduct, time_control=control)
    return record_of(play(table, players), seed=deal, conduct=conduct, time_control=control)


def near(conduct: Conduct, random: Random) -> Conduct:
    """A conduct that differs in prices, and perhaps in little else."""
    measures = {
        kind: measure._replace(penalty=random.randrange(100))
        for kind, measure in conduct.measures.items()
    }
    kind = random.choice([*BREACHES])
    if random.random() < 0.5:
        consequence = random.choice(BREACHES[kind].allowed)
        measures[kind] = Measure(7, random.randrange(3), consequence)
    return replace(
        conduct,
        measures=measures,
        list_only=random.random() < 0.3,
        retries=random.choice([conduct.retries, 0, 2]),
        restarts=random.choice([conduct.restarts, 0, 2]),
        strike_limit=random.choice([conduct.strike_limit, None, 20]),
    )


def compare(record: MatchRecord, other: Conduct, real: MatchRecord) -> bool:
    """Whether the record could be judged; ``real`` was played under that other conduct."""
    again = rejudge(record, other)
    if isinstance(again, NeedsPlay):
        pairs = zip(record.infractions, real.infractions, strict=False)
        was, now = next(pair for pair in pairs if pair[0].consequence is not pair[1].consequence)
        assert again == (was, now.consequence)
        return False
    assert again == real.result
    assert real.transcript == record.transcript
    prices = [0] * len(record.seats)
    for infraction in record.infractions:
        prices[infraction.seat] += other.measures[infraction.kind].penalty
    assert again.penalties == tuple(prices)
    return True


@settings(max_examples=60)
@given(SEEDS, SEATS, SHARES, CONDUCTS, st.just(TimeControl()) | CONTROLS)
def test_the_same_conduct_changes_nothing(
    seed: int, seats: int, share: float, conduct: Conduct, control: TimeControl
) -> None:
    record = match(seed, seats, share, conduct, control)
    assert rejudge(record, conduct) == record.result


@settings(max_examples=60)
@given(SEEDS, SEATS, SHARES, CONDUCTS, CONDUCTS, st.just(TimeControl()) | CONTROLS)
def test_any_other_conduct_gives_what_play_under_it_gives(
    seed: int, seats: int, share: float, one: Conduct, other: Conduct, control: TimeControl
) -> None:
    record, real = (match(seed, seats, share, conduct, control) for conduct in (one, other))
    compare(record, other, real)


def test_many_can_be_judged_and_many_cannot() -> None:
    """What the property above rests on: conducts that are near each other show both."""
    judged = repriced = 0
    for seed in range(100):
        random = Random(seed)
        one = Conduct(strike_limit=random.choice([None, 10]))
        other = near(one, random)
        record, real = (match(seed, 2, 0.1, conduct, TimeControl()) for conduct in (one, other))
        if compare(record, other, real):
            judged += 1
            repriced += record.result != real.result
    assert 20 < judged < 80
    assert repriced > 15
