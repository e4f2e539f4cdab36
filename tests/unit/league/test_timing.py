import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.league.timing import AnswerTimes, TimesSum

TIMES = st.lists(st.integers(0, 2**40), min_size=1, max_size=200)


def add(*parts: AnswerTimes) -> AnswerTimes:
    total = TimesSum()
    for part in parts:
        total.add(part)
    return total.total()


@given(TIMES, st.integers(1, 100))
def test_a_percentile_is_within_two_percent(times: list[int], percent: int) -> None:
    exact = sorted(times)[-(-len(times) * percent // 100) - 1]
    estimate = AnswerTimes.of(times).percentile_us(percent)
    assert estimate is not None
    assert abs(estimate - exact) <= 0.016 * exact


@given(TIMES)
def test_the_mean_and_count_are_exact(times: list[int]) -> None:
    histogram = AnswerTimes.of(times)
    mean = histogram.mean_us()
    assert mean is not None
    assert mean * len(times) == sum(times)
    assert histogram.count == len(times)


@given(TIMES, TIMES)
def test_a_sum_is_the_histogram_of_all(some: list[int], others: list[int]) -> None:
    both = AnswerTimes.of(some + others)
    assert add(AnswerTimes.of(some), AnswerTimes.of(others)) == both
    assert add(AnswerTimes.of(others), AnswerTimes(), AnswerTimes.of(some)) == both


@given(TIMES)
def test_json_round_trip(times: list[int]) -> None:
    histogram = AnswerTimes.of(times)
    assert AnswerTimes.from_json(histogram.to_json()) == histogram


def test_small_times_are_exact() -> None:
    for time in range(64):
        assert AnswerTimes.of([time]).percentile_us(99) == time


def test_the_99th_percentile_of_a_hundred_leaves_one_out() -> None:
    assert AnswerTimes.of([10] * 99 + [60]).percentile_us(99) == 10
    assert AnswerTimes.of([10] * 98 + [60] * 2).percentile_us(99) == 60


def test_nothing_was_asked() -> None:
    assert AnswerTimes().mean_us() is None
    assert AnswerTimes().percentile_us(99) is None
    assert AnswerTimes().count == 0


def test_a_negative_time_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 us"):
        AnswerTimes.of([5, -1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"sum_us":1,"buckets":5}',
        '{"sum_us":1,"buckets":[[1]]}',
        '{"sum_us":-1,"buckets":[]}',
        '{"sum_us":1.5,"buckets":[]}',
        '{"sum_us":1,"buckets":[[3,true]]}',
        '{"sum_us":1,"buckets":[[3,"1"]]}',
        "[" * 100_000,
    ],
)
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="histogram"):
        AnswerTimes.from_json(text)
