"""The terms of a league, and what a record says of them."""

from dataclasses import replace

from referee.league.terms import Terms
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction, Measure
from tests.support import played

LEAGUE = played.league_format()
TERMS = Terms.of(LEAGUE)
RECORD = played.record_of(played.plans(LEAGUE)[0])


def test_a_match_of_the_league_is_played_on_its_terms() -> None:
    assert TERMS.difference(RECORD) is None


def test_the_first_difference_is_named() -> None:
    other = dict(Conduct().measures)
    other[Infraction.LATE] = Measure(0, 0, Consequence.HOUSE)
    cases = [
        ("transcript line 1", replace(RECORD, transcript="")),
        ("transcript line 1", replace(RECORD, transcript="elfer 2 house 1\n")),
        (
            "transcript line 2",
            replace(RECORD, transcript=RECORD.transcript.replace("draw=3", "draw=2")),
        ),
        (
            "transcript line 3",
            replace(RECORD, transcript=RECORD.transcript.replace("games 1", "games 2")),
        ),
        (
            "transcript line 4",
            replace(RECORD, transcript=RECORD.transcript.replace("seats 2", "seats 3", 1)),
        ),
        ("time_control.bank_us", replace(RECORD, time_control=TimeControl(bank_us=1))),
        ("time_control.move_limit_us", replace(RECORD, time_control=TimeControl(None))),
        ("conduct of late", replace(RECORD, conduct=Conduct(measures=other))),
        ("conduct of resigned", replace(RECORD, conduct=Conduct(measures={}))),
        ("conduct.strike_limit", replace(RECORD, conduct=Conduct(strike_limit=None))),
    ]
    for where, record in cases:
        difference = TERMS.difference(record)
        assert difference is not None, where
        assert difference.where == where
        assert difference.expected != difference.found


def test_the_seed_is_no_term() -> None:
    lines = RECORD.transcript.split("\n")
    lines[4] = f"seed {bytes(32).hex()}"
    assert TERMS.difference(replace(RECORD, transcript="\n".join(lines))) is None


def test_every_kind_of_breach_is_a_term() -> None:
    assert TERMS.conduct.measures.keys() == BREACHES.keys()
