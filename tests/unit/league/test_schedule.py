from collections import Counter, defaultdict
from itertools import chain, combinations, islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.dice import deal_seed
from referee.league.format import LeagueFormat
from referee.league.schedule import (
    LONGEST_RUN,
    MatchPlan,
    estimated_seconds,
    expected_games,
    places,
    remaining,
    sittings,
    size,
)
from referee.match.series import Games, Limit
from tests.unit.league.builders import league

SEED = bytes(range(32))


@st.composite
def leagues(draw: st.DrawFn, rotations: str = "all") -> LeagueFormat:
    table_size = draw(st.integers(2, 4))
    entrants = draw(st.integers(table_size, 6))
    deals = draw(st.integers(1, 2 * LONGEST_RUN + 1))
    return league(
        [f"bot{n}" for n in range(entrants)],
        table_size=table_size,
        deals=deals,
        rotations=rotations,
    )


def matches(fmt: LeagueFormat, seed: bytes = SEED) -> list[MatchPlan]:
    return list(chain.from_iterable(sitting.matches for sitting in sittings(fmt, seed)))


@given(leagues(), st.binary(min_size=32, max_size=32))
def test_every_table_plays_each_bot_equally_often_in_every_seat(
    fmt: LeagueFormat, seed: bytes
) -> None:
    seatings: dict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for match in matches(fmt, seed):
        assert "+".join(sorted(match.bots)) == match.table
        seatings[match.table].update((bot, seat) for seat, bot in enumerate(match.bots))
    assert seatings.keys() == {"+".join(c) for c in combinations(fmt.names, fmt.table_size)}
    for table, counts in seatings.items():
        bots = table.split("+")
        assert counts == {(bot, s): fmt.deals for bot in bots for s in range(fmt.table_size)}


@given(leagues())
def test_every_pair_meets_equally_often(fmt: LeagueFormat) -> None:
    meetings = Counter(chain.from_iterable(combinations(sorted(m.bots), 2) for m in matches(fmt)))
    tables_of_a_pair = comb(len(fmt.entrants) - 2, fmt.table_size - 2)
    expected = tables_of_a_pair * fmt.deals * fmt.table_size
    assert meetings == dict.fromkeys(combinations(fmt.names, 2), expected)


@given(leagues())
def test_rotations_of_a_deal_share_seed_and_circular_order(fmt: LeagueFormat) -> None:
    deals: dict[str, list[MatchPlan]] = defaultdict(list)
    for match in matches(fmt):
        deals[match.deal_key].append(match)
    for key, rotations in deals.items():
        assert [match.rotation for match in rotations] == list(range(fmt.table_size))
        assert {match.seed for match in rotations} == {deal_seed(SEED, key)}
        first = rotations[0].bots
        for match in rotations:
            for seat, bot in enumerate(first):
                assert match.bots[(seat + match.rotation) % fmt.table_size] == bot


@given(leagues(rotations="none"))
def test_without_rotations_each_deal_is_played_once(fmt: LeagueFormat) -> None:
    plans = matches(fmt)
    assert {match.rotation for match in plans} == {0}
    assert len({match.deal_key for match in plans}) == len(plans)


@given(leagues(rotations="none") | leagues())
def test_size_counts_what_the_schedule_makes(fmt: LeagueFormat) -> None:
    planned = list(sittings(fmt, SEED))
    counted = size(fmt)
    assert counted.sittings == len(planned)
    assert counted.matches == sum(len(sitting.matches) for sitting in planned)
    assert counted.tables == len({sitting.table for sitting in planned})
    assert counted.bot_processes == len(planned) * fmt.table_size
    assert len({match.match_key for match in matches(fmt)}) == counted.matches


@given(leagues())
def test_no_process_meets_a_deal_twice_and_no_sitting_is_long(fmt: LeagueFormat) -> None:
    for sitting in sittings(fmt, SEED):
        assert 1 <= len(sitting.matches) <= LONGEST_RUN
        assert len({match.deal for match in sitting.matches}) == len(sitting.matches)
        assert {(m.table, m.rotation) for m in sitting.matches} == {
            (sitting.table, sitting.rotation)
        }


@given(leagues(), st.data())
def test_part_of_a_league_is_an_even_part(fmt: LeagueFormat, data: st.DataObject) -> None:
    planned = list(sittings(fmt, SEED))
    part = planned[: data.draw(st.integers(0, len(planned)))]
    runs = Counter((sitting.table, sitting.rotation) for sitting in part)
    everyone = [runs[sitting.table, sitting.rotation] for sitting in planned]
    assert max(everyone) - min(everyone) <= 1


@given(leagues(), st.data())
def test_what_is_counted_is_not_played_again(fmt: LeagueFormat, data: st.DataObject) -> None:
    keys = [match.match_key for match in matches(fmt)]
    counted = data.draw(st.sets(st.sampled_from(keys)))
    left = list(remaining(sittings(fmt, SEED), counted))
    assert all(sitting.matches for sitting in left)
    left_keys = [match.match_key for sitting in left for match in sitting.matches]
    assert left_keys == [key for key in keys if key not in counted]


def test_nothing_counted_leaves_the_schedule_as_it_is() -> None:
    fmt = league(["a", "b", "c"], deals=12)
    assert list(remaining(sittings(fmt, SEED), set())) == list(sittings(fmt, SEED))


def test_the_order_of_entrants_in_the_file_does_not_matter() -> None:
    assert matches(league(["c", "a", "b"])) == matches(league(["a", "b", "c"]))


def test_neighbours_change_from_deal_to_deal() -> None:
    fmt = league(["a", "b", "c", "d"], table_size=4, deals=20, rotations="none")
    circles = set()
    for match in matches(fmt):
        start = match.bots.index("a")
        circles.add(match.bots[start:] + match.bots[:start])
    assert len(circles) > 1


def test_first_matches_of_a_fixed_seed() -> None:
    """The values were computed from §10.3 and §10.4 by a script of their own."""
    fmt = league(["random", "greedy", "holdback"], table_size=3, deals=2)
    table = "greedy+holdback+random"
    assert [(match.match_key, match.bots) for match in matches(fmt)] == [
        (f"test/{table}/1/0", ("holdback", "greedy", "random")),
        (f"test/{table}/2/0", ("greedy", "holdback", "random")),
        (f"test/{table}/1/1", ("random", "holdback", "greedy")),
        (f"test/{table}/2/1", ("random", "greedy", "holdback")),
        (f"test/{table}/1/2", ("greedy", "random", "holdback")),
        (f"test/{table}/2/2", ("holdback", "random", "greedy")),
    ]
    assert [match.seed.hex() for match in matches(fmt)[:2]] == [
        "1e8fd1510f7701970c21dea014fd4a0fffd0a57d902a27403647cb1568be4394",
        "f7a5b7dfcd7ca11ac8c197539729e28ca369e89610db0b35391b4dba87182dbc",
    ]


def test_a_huge_league_is_planned_at_once() -> None:
    fmt = league([f"bot{n}" for n in range(1000)], table_size=6, deals=1_000_000)
    assert size(fmt).tables == comb(1000, 6)
    assert size(fmt).matches == comb(1000, 6) * 6 * 1_000_000
    first = list(islice(sittings(fmt, SEED), 7))
    assert [sitting.rotation for sitting in first] == [0, 1, 2, 3, 4, 5, 0]
    assert len(first[0].matches) == LONGEST_RUN


def test_a_league_without_names_has_no_schedule() -> None:
    fmt = LeagueFormat.model_validate(
        {"name": "x", "entrants": [{"path": "a"}, {"path": "b", "name": "b"}]}
    )
    with pytest.raises(ValueError, match="no name yet"):
        next(sittings(fmt, SEED))


def test_an_estimate_by_hand() -> None:
    fmt = league(["a", "b", "c"], deals=20)
    # 3 tables, 2 rotations, 20 deals: 120 matches of 5 games, in 12 sittings.
    alone = estimated_seconds(fmt, per_game=0.5, per_start=2.0, jobs=1)
    assert alone == 120 * 5 * 0.5 + 12 * 2.0
    assert estimated_seconds(fmt, per_game=0.5, per_start=2.0, jobs=4) == alone / 4
    # More at once than there are sittings helps nobody.
    assert estimated_seconds(fmt, per_game=0.5, per_start=2.0, jobs=99) == alone / 12


def test_expected_games() -> None:
    assert expected_games(Games(7)) == 7
    assert expected_games(Limit(500)) == 7
    assert expected_games(Limit(500, cap=3)) == 3
    assert expected_games(Limit(1)) == 1


@given(leagues())
def test_every_match_has_its_place(fmt: LeagueFormat) -> None:
    place = places(fmt)
    found = {match: place(match.match_key) for match in matches(fmt)}
    for match, there in found.items():
        assert there == (match.table, match.deal, match.rotation)
    assert len(set(found.values())) == size(fmt).matches


@pytest.mark.parametrize(
    "match_key",
    [
        "",
        "test",
        "test/bot0+bot1/1",
        "test/bot0+bot1/1/0/0",
        "other/bot0+bot1/1/0",
        "test/bot1+bot0/1/0",
        "test/bot0+bot0/1/0",
        "test/bot0/1/0",
        "test/bot0+bot1+bot2/1/0",
        "test/bot0+bot9/1/0",
        "test/bot0+bot1/0/0",
        "test/bot0+bot1/4/0",
        "test/bot0+bot1/1/2",
        "test/bot0+bot1/1/-1",
        "test/bot0+bot1/01/0",
        "test/bot0+bot1/1/00",
        "test/bot0+bot1/+1/0",
        "test/bot0+bot1/1 /0",
        "test/bot0+bot1/\u0661/0",
        "test/bot0+bot1/1/0\n",
        f"test/bot0+bot1/{'9' * 5000}/0",
        "/".join(["test"] + ["+".join(["bot0"] * 100_000)] + ["1", "0"]),
    ],
    ids=lambda key: key[:30],
)
def test_a_key_that_is_none_of_the_league(match_key: str) -> None:
    assert places(league(["bot0", "bot1", "bot2"], deals=3))(match_key) is None
