"""The rows that a record gives."""

from dataclasses import replace

import pytest

from referee.league.timing import AnswerTimes
from referee.match.series import Games, Limit
from referee.store.entries import StoredRecord
from referee.store.rows import game_rows, infraction_rows, seat_rows
from tests.support.matches import honest, play, record_of, setup
from tests.support.records import make_infraction, make_record, make_stored


def test_seats_take_the_result_and_their_own_answer_times() -> None:
    record = make_record(infractions=[make_infraction(1)], answer_us=[100, 300])
    first, second = seat_rows(7, record)
    assert (first.attempt_id, first.seat, first.bot) == (7, 0, "ann")
    assert (first.points, first.penalty, first.total, first.place) == (31, 0, 31, 1)
    assert (second.points, second.penalty, second.total, second.place) == (12, 20, 32, 2)
    assert (first.winner, second.winner) == (True, False)
    assert AnswerTimes.from_json(second.answer_times) == AnswerTimes.of([100, 300])


def test_a_seat_that_was_never_asked_has_no_answer_times() -> None:
    first, _ = seat_rows(1, make_record(answer_us=[]))
    assert AnswerTimes.from_json(first.answer_times) == AnswerTimes()


def test_a_result_of_other_seats_is_refused() -> None:
    record = make_record()
    with pytest.raises(ValueError, match="zip"):
        seat_rows(1, replace(record, seats=record.seats[:1]))


def test_games_come_from_the_transcript() -> None:
    rows = game_rows(7, make_record(games=[(0, 12), (31, 0)]))
    assert [(row.attempt_id, row.number, row.dealer, row.points) for row in rows] == [
        (7, 1, 0, [0, 12]),
        (7, 2, 1, [31, 0]),
    ]
    assert [(row.turns, row.tie_break) for row in rows] == [(3, False), (3, False)]


def test_a_tie_break_game_is_known_as_one() -> None:
    record = make_record(
        bots=("ann", "bob", "cid"), games=[(0, 10, 20), (10, 0, 20), (0, 5, 0)], series=Limit(40)
    )
    assert [row.tie_break for row in game_rows(1, record)] == [False, False, True]


def test_games_of_a_played_match() -> None:
    played = play(setup(3, series=Games(4)), [honest(seat) for seat in range(3)])
    rows = game_rows(1, record_of(played))
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert tuple(map(sum, zip(*(row.points for row in rows), strict=True))) == played.result.points
    assert all(0 in row.points and row.turns > 10 for row in rows)


def test_a_game_that_was_cut_short_gives_no_row() -> None:
    record = make_record(games=[(0, 12), (31, 0)])
    cut = record.transcript.rpartition("end ")[0]
    assert [row.number for row in game_rows(1, replace(record, transcript=cut))] == [1]


@pytest.mark.parametrize("line", ["end 0 points 0 5", "end 0 points", "series games none"])
def test_a_line_that_cannot_be_is_refused(line: str) -> None:
    record = make_record()
    with pytest.raises(ValueError, match=r"the transcript ends game 3|invalid literal|no series"):
        game_rows(1, replace(record, transcript=f"{record.transcript}{line}\n"))


def test_infractions_keep_their_order_and_lose_what_steers_a_terminal() -> None:
    record = make_record(
        infractions=[make_infraction(1, detail="\x1b[2J\0\udc80"), make_infraction(0, strikes=2)]
    )
    first, second = infraction_rows(7, record)
    assert (first.attempt_id, first.number, first.seat, first.penalty) == (7, 1, 1, 20)
    assert first.detail == r"\x1b[2J\x00\udc80"
    assert (second.number, second.seat, second.strikes) == (2, 0, 2)


def test_bytes_of_another_digest_are_no_stored_record() -> None:
    with pytest.raises(ValueError, match="another SHA-256"):
        StoredRecord(b"other", make_stored(make_record()).sha256)
