"""The standings before and after judging again, and what is left out of both."""

from dataclasses import replace

from referee.league.rejudged import Changed, Unjudged, rejudged
from referee.league.standings import standings
from referee.match.conduct import Consequence, Infraction
from referee.match.rejudge import NeedsPlay
from tests.support.records import make_infraction
from tests.unit.league.builders import match

FIRST = match(["ann", "bob"], [0, 30], penalties=[20, 0])
SECOND = match(["ann", "bob"], [10, 0], deal=2)


def test_nothing_changes_where_every_result_stays() -> None:
    found = rejudged((played, played.result) for played in (FIRST, SECOND))
    assert (found.judged, found.repriced, found.changed, found.unjudged) == (2, 0, (), ())
    assert found.standings == found.standings_before == standings([FIRST, SECOND])


def test_a_match_is_told_where_places_change_and_counted_where_totals_do() -> None:
    dear = match(["ann", "bob"], [0, 30], penalties=[40, 0])
    cheap = match(["ann", "bob"], [10, 0], deal=2, penalties=[5, 0])
    found = rejudged([(FIRST, dear.result), (SECOND, cheap.result)])
    assert found.repriced == 2
    assert found.changed == (
        Changed("test/ann+bob/1/0", ("ann", "bob"), (1, 2), (2, 1), (20, 30), (40, 30)),
    )
    assert found.standings_before == standings([FIRST, SECOND])
    assert found.standings == standings([dear, cheap])


def test_what_cannot_be_judged_is_in_neither_of_the_standings() -> None:
    infraction = replace(make_infraction(1, Infraction.LATE), consequence=Consequence.HOUSE)
    found = rejudged([(FIRST, NeedsPlay(infraction, Consequence.FORFEIT)), (SECOND, SECOND.result)])
    assert found.judged == 1
    assert found.unjudged == (Unjudged("test/ann+bob/1/0", "bob", infraction, Consequence.FORFEIT),)
    assert found.standings == found.standings_before == standings([SECOND])
