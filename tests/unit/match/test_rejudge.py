"""A record under another conduct: its result, or the first breach that would need other play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.core.errors import VerificationError
from referee.match.clock import Evidence, TimeControl
from referee.match.conduct import Conduct, Consequence, Infraction, Measure
from referee.match.player import Ask, Fault, Reply, Stray
from referee.match.record import MatchRecord
from referee.match.rejudge import NeedsPlay, rejudge
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup

CRASH = Fault(Infraction.CRASHED, QUICK, "exit status 1")
LEFT = Fault(Infraction.DISCONNECTED, QUICK, "")
LATE = Fault(Infraction.LATE, Evidence(2_000_001), "")
REFUSED = Reply((4000,), QUICK)


def errs(*faults: Reply | Fault) -> ScriptedPlayer:
    """Gives these replies to its first questions, and then answers as it should."""
    legal, left = honest(), list(faults)
    return ScriptedPlayer(lambda ask: left.pop(0) if left else legal.answer(ask))


def played(
    player: ScriptedPlayer, conduct: Conduct | None = None, control: TimeControl | None = None
) -> MatchRecord:
    conduct, control = conduct or Conduct(), control or TimeControl()
    match = setup(2, conduct=conduct, time_control=control)
    return record_of(play(match, [player, honest(1)]), conduct=conduct, time_control=control)


def with_measures(measures: Mapping[Infraction, Measure], **values: Any) -> Conduct:
    return Conduct(measures={**Conduct().measures, **measures}, **values)


def test_other_prices_give_other_totals_and_places() -> None:
    record = played(errs(LATE))
    prices = [
        rejudge(record, with_measures({Infraction.LATE: Measure(points, 1, Consequence.HOUSE)}))
        for points in (0, 1_000)
    ]
    free, dear = prices
    assert not isinstance(free, NeedsPlay)
    assert not isinstance(dear, NeedsPlay)
    assert record.result.penalties == (20, 0)
    assert (free.penalties, dear.penalties) == ((0, 0), (1_000, 0))
    assert free.totals == record.result.points
    assert dear.places == (2, 1)
    assert dear.points == record.result.points


def test_penalties_can_be_listed_only() -> None:
    record = played(errs(LATE))
    again = rejudge(record, Conduct(list_only=True))
    assert not isinstance(again, NeedsPlay)
    assert again.penalties == (20, 0)
    assert again.totals == record.result.points


@pytest.mark.parametrize(
    ("faults", "other", "index", "would_follow"),
    [
        ([REFUSED], Conduct(retries=0), 0, Consequence.HOUSE),
        ([REFUSED, REFUSED], Conduct(retries=2), 1, Consequence.RETRY),
        ([LATE, LATE], Conduct(strike_limit=2), 1, Consequence.FORFEIT),
        ([CRASH, CRASH], Conduct(restarts=2), 1, Consequence.RESTART),
        ([CRASH], Conduct(restarts=0), 0, Consequence.FORFEIT),
        (
            [LATE, LEFT],
            with_measures({Infraction.DISCONNECTED: Measure(50, 1, Consequence.RESTART)}),
            1,
            Consequence.RESTART,
        ),
        (
            [REFUSED, LATE],
            with_measures({Infraction.ILLEGAL: Measure(10, 10, Consequence.RETRY)}),
            0,
            Consequence.FORFEIT,
        ),
    ],
)
def test_where_something_else_follows_the_first_breach_is_named(
    faults: list[Reply | Fault], other: Conduct, index: int, would_follow: Consequence
) -> None:
    record = played(errs(*faults))
    assert rejudge(record, other) == NeedsPlay(record.infractions[index], would_follow)


def test_a_stricter_conduct_that_nobody_ran_into_needs_no_play() -> None:
    record = played(errs(LATE, REFUSED))
    other = Conduct(restarts=0, strike_limit=3)
    assert rejudge(record, other) == record.result


def test_a_strike_less_can_save_from_a_forfeit() -> None:
    record = played(errs(LATE, LATE), Conduct(strike_limit=2))
    assert record.result.forfeits == (True, False)
    assert rejudge(record, Conduct()) == NeedsPlay(record.infractions[1], Consequence.HOUSE)


def test_no_conduct_gives_a_try_for_which_there_was_no_time() -> None:
    player = honest()
    answer, count = player.answer, 0

    def give(ask: Ask) -> Reply | Fault:
        nonlocal count
        count += 1
        return Reply((4000,), Evidence(2_000_000)) if count == 1 else answer(ask)

    player.answer = give
    record = played(player)
    assert [found.consequence for found in record.infractions] == [Consequence.HOUSE]
    assert rejudge(record, Conduct(retries=5)) == record.result


def test_a_fallen_flag_forfeits_under_every_conduct() -> None:
    control = TimeControl(move_limit_us=None, match_limit_us=2_000_000)
    record = played(errs(LATE), Conduct(strike_limit=1), control)
    assert record.result.forfeits == (True, False)
    assert rejudge(record, Conduct(strike_limit=None)) == record.result


def test_breaches_beside_a_question_are_told_from_those_at_it() -> None:
    player = errs(REFUSED)
    player.stray += [Stray(Infraction.EARLY, ""), Stray(Infraction.STALE, "")]
    record = played(player)
    cheap = rejudge(record, with_measures({Infraction.ILLEGAL: Measure(1, 1, Consequence.RETRY)}))
    assert not isinstance(cheap, NeedsPlay)
    assert cheap.penalties == (10 + 5 + 1, 0)
    forfeit = with_measures({Infraction.STALE: Measure(5, 1, Consequence.FORFEIT)})
    assert rejudge(record, forfeit) == NeedsPlay(record.infractions[1], Consequence.FORFEIT)


def test_a_longer_grace_might_have_kept_a_lost_stream() -> None:
    record = played(errs(LEFT))
    assert rejudge(record, Conduct(grace_us=2_000_001)) == NeedsPlay(record.infractions[0], None)
    assert rejudge(record, Conduct(grace_us=0)) == record.result


def test_a_record_that_contradicts_itself_is_refused() -> None:
    record = played(errs(REFUSED))
    with pytest.raises(VerificationError, match="match/1: a refused answer is no infraction"):
        rejudge(replace(record, infractions=()), Conduct())
    cut = record.transcript.replace("series games 1", "series games 0")
    with pytest.raises(VerificationError, match="is no series"):
        rejudge(replace(record, transcript=cut), Conduct())
