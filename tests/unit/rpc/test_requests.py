"""How a request stands when an answer to it comes."""

import pytest

from referee.rpc.requests import MOST_REMEMBERED, Requests, Standing


@pytest.fixture
def requests() -> Requests:
    return Requests()


def ask_and_answer(requests: Requests, *request_ids: str) -> None:
    for request_id in request_ids:
        requests.open(request_id)
        requests.answered(request_id)
        requests.end(request_id)


def test_a_request_that_was_not_made(requests: Requests) -> None:
    ask_and_answer(requests, "a")
    assert requests.standing("b") is Standing.UNKNOWN


def test_the_one_answered_last_and_those_before_it(requests: Requests) -> None:
    ask_and_answer(requests, "a", "b", "c")
    assert [requests.standing(request_id) for request_id in "abc"] == [
        Standing.OUTDATED,
        Standing.OUTDATED,
        Standing.ANSWERED,
    ]


def test_the_one_answered_last_stays_so_while_the_next_is_open(requests: Requests) -> None:
    ask_and_answer(requests, "a")
    requests.open("b")
    assert requests.standing("a") is Standing.ANSWERED
    requests.end("b")
    assert requests.standing("a") is Standing.ANSWERED
    assert requests.standing("b") is Standing.OVER


def test_a_late_answer_to_an_earlier_request_leaves_the_last_one_the_last(
    requests: Requests,
) -> None:
    requests.open("a")
    requests.end("a")
    ask_and_answer(requests, "b")
    assert requests.standing("a") is Standing.OVER
    requests.answered("a")
    assert requests.standing("a") is Standing.OUTDATED
    assert requests.standing("b") is Standing.ANSWERED


def test_requests_of_long_ago_are_forgotten(requests: Requests) -> None:
    ask_and_answer(requests, *map(str, range(MOST_REMEMBERED + 1)))
    assert requests.standing("0") is Standing.UNKNOWN
    assert requests.standing("1") is Standing.OUTDATED
