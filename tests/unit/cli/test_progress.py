"""What a run shows while it goes on."""

import pytest

from referee.app.events import DealReplaced
from referee.cli.progress import LINE_EVERY, Tally, counting, showing
from tests.unit.cli.test_league_run import done
from tests.unit.league.builders import match


def test_rate_and_time_left() -> None:
    tally = Tally(total=10, done=2, began=100.0)
    assert tally.line(100.0) == "2/10 matches   infractions 0"
    tally.take(done(1))
    tally.take(done(0))
    assert tally.rate(104.0) == 0.5
    assert tally.left_seconds(104.0) == 12.0
    assert tally.line(104.0) == (
        "4/10 matches   0.5/s   12 s left   leader ann 1.000   infractions 1"
    )


def test_the_leader_of_a_run_that_goes_on_comes_from_all_matches() -> None:
    tally = Tally(total=10, done=4, began=0.0, scores={"ann": (0.0, 4), "bob": (4.0, 4)})
    tally.take(done(1))
    assert tally.leader() == "bob 0.800"


def test_equal_leaders_are_all_named() -> None:
    tally = Tally(total=1, done=0, began=0.0, scores={"bob": (1.0, 2), "ann": (1.0, 2)})
    assert tally.leader() == "ann, bob 0.500"


def test_plain_lines_come_at_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    time = 0.0
    with showing(Tally(total=4, done=0, began=0.0), lambda: time) as on_event:
        for passed in (1.0, LINE_EVERY, LINE_EVERY + 1):
            time = passed
            on_event(done(0))
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == ["2/4", "3/4"]


def test_a_terminal_shows_it_live(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    with showing(Tally(total=3, done=0, began=0.0), lambda: 1.0) as on_event:
        on_event(done(0))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "1/3" in captured.err
    assert "leader ann 1.000" in captured.err


def test_a_count_comes_in_plain_lines_at_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    time = 0.0
    with counting(4, lambda: time) as one_more:
        for passed in (1.0, LINE_EVERY, LINE_EVERY + 1):
            time = passed
            one_more()
    assert capsys.readouterr() == ("", "2/4 matches\n")


def test_a_terminal_shows_a_count_live(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    with counting(3, lambda: 1.0) as one_more:
        one_more()
    assert "1/3" in capsys.readouterr().err


def test_what_counts_no_more_is_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally(total=4, done=1, began=0.0, scores={"ann": (0.0, 1), "bob": (1.0, 1)})
    with showing(tally, lambda: 1.0) as on_event:
        on_event(done(0))
        on_event(DealReplaced("cup/ann+bob/1", 3, (match(["ann", "bob"], [0, 20]),)))
        assert (tally.done, tally.total, tally.played) == (1, 4, 1)
        assert tally.leader() == "bob 1.000"
        on_event(DealReplaced("cup/ann+bob/3", 4, ()))
    said = capsys.readouterr().err
    assert "cup/ann+bob/1: deal 3 replaces it; 1 of its matches counted and do not any more" in said
    assert "cup/ann+bob/3: deal 4 replaces it\n" in said
