from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.league.results import MatchResult
from referee.league.standings import Row, crosstable, standings
from referee.match.conduct import Infraction
from tests.unit.league.builders import match

BOTS = ("ada", "bob", "cyd", "dot")


@st.composite
def results(draw: st.DrawFn) -> MatchResult:
    seats = draw(st.integers(2, 4))
    bots = draw(st.permutations(BOTS))[:seats]
    small = st.lists(st.integers(0, 5), min_size=seats, max_size=seats)
    return match(
        bots,
        draw(small),
        deal=draw(st.integers(1, 3)),
        games=draw(st.integers(1, 3)),
        penalties=draw(small),
        forfeits=draw(st.sets(st.integers(0, seats - 1))),  # type: ignore[arg-type]
        infractions={bots[0]: {draw(st.sampled_from(Infraction)): draw(st.integers(1, 3))}},
        times_us={bot: draw(st.lists(st.integers(0, 10**7), max_size=4)) for bot in bots},
    )


def row(rows: tuple[Row, ...], bot: str) -> Row:
    return next(row for row in rows if row.bot == bot)


@given(st.lists(results(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_arrival_never_shows(played: list[MatchResult], shuffler: object) -> None:
    again = list(played)
    shuffler.shuffle(again)  # type: ignore[attr-defined]
    rows = standings(played)
    assert repr(standings(again)) == repr(rows)
    assert crosstable(again, rows) == crosstable(played, rows)


@given(st.lists(results(), min_size=1, max_size=12))
def test_the_table_is_in_order_and_places_are_shared_by_equals(played: list[MatchResult]) -> None:
    rows = standings(played)
    assert rows[0].place == 1
    for index, (upper, lower) in enumerate(pairwise(rows), start=1):
        key = [(-row.score, row.total_per_game or 0) for row in (upper, lower)]
        assert key[0] <= key[1]
        assert lower.place == (upper.place if key[0] == key[1] else index + 1)


@given(results())
def test_a_matchs_score_is_the_mean_of_the_pairwise_ones(played: MatchResult) -> None:
    rows = standings([played])
    table = crosstable([played], rows)
    for bot in table.bots:
        against = [table.scores[bot, other] for other in table.bots if other != bot]
        assert sum(against) / len(against) == pytest.approx(row(rows, bot).score)


@given(results())
def test_wins_add_up_to_the_matches_that_somebody_won(played: MatchResult) -> None:
    wins = sum(row.wins for row in standings([played]))
    assert wins == pytest.approx(1 if played.result.winners else 0)


def test_nothing_played_gives_no_rows() -> None:
    assert standings([]) == ()
    assert crosstable([], ()).scores == {}


def test_scores_with_ties_at_a_table_of_four() -> None:
    rows = standings([match(BOTS, [10, 20, 20, 30])])
    assert [(row.place, row.bot, row.score) for row in rows] == [
        (1, "ada", 1.0),
        (2, "bob", 0.5),
        (2, "cyd", 0.5),
        (4, "dot", 0.0),
    ]


def test_the_standard_error_by_hand() -> None:
    """Rotations first become one mean per deal: 1, 1/2 and 0; then s / sqrt(3) = 0.5 / sqrt(3)."""
    played = [
        match(["ada", "bob"], [0, 9], deal=1, rotation=0),
        match(["bob", "ada"], [9, 0], deal=1, rotation=1),
        match(["ada", "bob"], [0, 9], deal=2, rotation=0),
        match(["bob", "ada"], [0, 9], deal=2, rotation=1),
        match(["ada", "bob"], [9, 0], deal=3, rotation=0),
        match(["bob", "ada"], [0, 9], deal=3, rotation=1),
    ]
    ada = row(standings(played), "ada")
    assert ada.matches == 6
    assert ada.score == 0.5
    assert ada.score_error == pytest.approx(0.5 / sqrt(3))


def test_the_same_deal_number_at_another_table_is_another_deal() -> None:
    played = [match(["ada", "bob"], [0, 9]), match(["ada", "cyd"], [9, 0])]
    rows = standings(played)
    assert row(rows, "ada").score_error == pytest.approx(0.5)
    assert row(rows, "bob").score_error is None


def test_one_deal_has_no_standard_error_however_often_it_was_played() -> None:
    played = [match(["ada", "bob"], [0, 9], rotation=r) for r in range(2)]
    assert row(standings(played), "ada").score_error is None


def test_equal_score_goes_by_mean_total_and_equal_both_share_the_place() -> None:
    played = [
        match(["ada", "bob"], [5, 9], deal=1),
        match(["bob", "ada"], [3, 9], deal=2),
        match(["cyd", "dot"], [5, 9], deal=1),
        match(["dot", "cyd"], [5, 9], deal=2),
    ]
    assert [(row.place, row.bot, row.total_per_game) for row in standings(played)] == [
        (1, "bob", 6.0),
        (2, "ada", 7.0),
        (2, "cyd", 7.0),
        (2, "dot", 7.0),
    ]


def test_thirds_add_up_exactly() -> None:
    """As floats, three scores of 1/3 and 2/3 could differ from their equals in the last bit."""
    thirds = [match(BOTS, [0, 10, 20, 30], deal=deal) for deal in range(1, 11)]
    reverse = [match(BOTS, [30, 20, 10, 0], deal=deal) for deal in range(11, 21)]
    assert [row.place for row in standings(thirds + reverse)] == [1, 1, 1, 1]


def test_a_forfeiter_scores_nothing_whatever_its_points() -> None:
    rows = standings([match(["ada", "bob", "cyd"], [0, 9, 12], forfeits=[0])])
    assert [(row.bot, row.score, row.wins, row.forfeits) for row in rows] == [
        ("bob", 1.0, 1.0, 0),
        ("cyd", 0.5, 0.0, 0),
        ("ada", 0.0, 0.0, 1),
    ]


def test_nobody_wins_where_all_forfeit() -> None:
    played = [match(["ada", "bob"], [0, 9], forfeits=[0, 1])]
    rows = standings(played)
    assert [(row.place, row.score, row.wins) for row in rows] == [(1, 0.0, 0.0), (2, 0.0, 0.0)]
    assert crosstable(played, rows).scores == {("ada", "bob"): 0.0, ("bob", "ada"): 0.0}


def test_a_bot_that_finished_no_game_has_no_means_and_stands_behind() -> None:
    broken = match(["ada", "bob"], [0, 0], games=0, penalties=[50, 50], forfeits=[0, 1])
    lost = match(["cyd", "dan"], [90, 0])
    rows = standings([broken, lost])
    assert [row.bot for row in rows] == ["dan", "cyd", "ada", "bob"]
    assert [row.place for row in rows] == [1, 2, 3, 3]
    assert (rows[-1].points_per_game, rows[-1].total_per_game) == (None, None)


def test_shared_wins_are_fractions() -> None:
    played = [match(["ada", "bob", "cyd"], [4, 4, 9]), match(["ada", "bob", "cyd"], [4, 4, 4])]
    rows = standings(played)
    assert row(rows, "ada").wins == float(Fraction(1, 2) + Fraction(1, 3))
    assert row(rows, "cyd").wins == float(Fraction(1, 3))


def test_means_are_per_game_and_infractions_by_kind() -> None:
    played = [
        match(
            ["ada", "bob"],
            [30, 50],
            games=5,
            penalties=[20, 0],
            infractions={"ada": {Infraction.ILLEGAL: 2}},
            times_us={"ada": [40, 50], "bob": [7]},
        ),
        match(
            ["bob", "ada"],
            [1, 40],
            deal=2,
            games=2,
            penalties=[0, 10],
            infractions={"ada": {Infraction.ILLEGAL: 1, Infraction.CRASHED: 1}},
            times_us={"ada": [60]},
        ),
    ]
    ada = row(standings(played), "ada")
    assert ada.points_per_game == 10.0
    assert ada.total_per_game == pytest.approx(100 / 7)
    assert ada.penalties == 30
    assert list(ada.infractions.items()) == [(Infraction.CRASHED, 1), (Infraction.ILLEGAL, 3)]
    assert ada.mean_answer_us == 50.0
    assert ada.p99_answer_us == 60


def test_a_bot_that_was_never_asked_has_no_answer_times() -> None:
    (first, _) = standings([match(["ada", "bob"], [0, 9])])
    assert first.mean_answer_us is None
    assert first.p99_answer_us is None


def test_the_crosstable_counts_places_against_each_other() -> None:
    played = [
        match(["ada", "bob", "cyd"], [0, 5, 9]),
        match(["ada", "bob", "cyd"], [5, 5, 0], deal=2),
        match(["ada", "dot"], [9, 0]),
    ]
    table = crosstable(played, standings(played))
    assert set(table.bots) == set(BOTS)
    assert table.scores == {
        ("ada", "bob"): 0.75,
        ("bob", "ada"): 0.25,
        ("ada", "cyd"): 0.5,
        ("cyd", "ada"): 0.5,
        ("bob", "cyd"): 0.5,
        ("cyd", "bob"): 0.5,
        ("ada", "dot"): 0.0,
        ("dot", "ada"): 1.0,
    }
