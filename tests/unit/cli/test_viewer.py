"""What keys do to the screen, without a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from referee.app.story import Story
from referee.cli.keys import Key
from referee.cli.viewer import HELP, Viewer
from referee.match.conduct import Conduct, Infraction
from referee.match.player import Fault, Reply
from referee.match.record import MatchRecord
from referee.match.series import Games
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup
from tests.support.pages import page, section

CONSOLE = Console(width=100, height=40, color_system=None)
STRICT = Conduct(restarts=0)


def sample() -> MatchRecord:
    """Seat 0 is refused in its first turn; seat 1 crashes in the second game."""
    answers = iter([Reply((80, 1), QUICK), Reply((), QUICK)])
    legal = honest()
    clumsy = ScriptedPlayer(lambda ask: next(answers, None) or legal.answer(ask))
    gone = ScriptedPlayer(
        lambda ask: (
            legal.answer(ask)
            if ask.game == 1
            else Fault(Infraction.CRASHED, QUICK, "exit status 1\x1b[2J")
        )
    )
    table = setup(3, series=Games(2), conduct=STRICT)
    return record_of(play(table, [clumsy, gone, honest(1)]), conduct=STRICT)


RECORD = sample()


@pytest.fixture
def viewer() -> Viewer:
    return Viewer(Story(RECORD.transcript, RECORD), RECORD)


def screen(viewer: Viewer, width: int = 100, height: int = 40) -> str:
    return "\n".join(line.plain for line in viewer.screen(CONSOLE, width, height))


def press(viewer: Viewer, *keys: str) -> str:
    for key in keys:
        viewer.press(key)
    return screen(viewer)


def test_it_begins_with_the_deal_and_all_hands(viewer: Viewer) -> None:
    shown = screen(viewer)
    assert shown.startswith("Game 1, dealt by seat 0 bot-0")
    assert shown.count("  hand    ") == 3
    assert "game 1 of 2, turn 0 of " in shown
    assert "q quit" in shown


def test_each_turn_shows_its_act_carried_out_and_set_off(viewer: Viewer) -> None:
    shown = press(viewer, "n")
    opened = re.search(r"-> no choice: open ([RYGB])([0-9]+)", shown)
    assert opened is not None
    assert f"*{opened[2]}" in shown
    assert f"[{opened[1]}{opened[2]}]" in shown
    assert shown.count("  hand    ") == 3


@pytest.mark.parametrize("key", ["n", " ", Key.RIGHT, Key.ENTER])
def test_next(viewer: Viewer, key: str) -> None:
    assert "game 1 of 2, turn 2 of " in press(viewer, key, key)


def test_there_and_back_again(viewer: Viewer) -> None:
    begun = screen(viewer)
    assert press(viewer, "n", Key.RIGHT, "b", Key.LEFT) == begun
    assert "this is the beginning" in press(viewer, "b")
    assert press(viewer, ">", Key.HOME) == begun
    assert "Game 2 goes to " in press(viewer, Key.END)
    assert "this is the end" in press(viewer, "n")


def test_games_and_turns_by_number(viewer: Viewer) -> None:
    assert "game: 2_" in press(viewer, "g", "2")
    assert "game 2 of 2, turn 0 of " in press(viewer, Key.ENTER)
    assert "game 2 of 2, turn 12 of " in press(viewer, "t", "1", "3", Key.BACKSPACE, "2", Key.ENTER)
    assert "there is no turn 99999: the last is " in press(viewer, "t", *"99999", Key.ENTER)
    assert "there is no game 3: the last is 2" in press(viewer, "g", "3", Key.ENTER)
    assert "game 2 of 2, turn 12 of " in press(viewer, "g", "1", Key.ESCAPE)
    assert not viewer.done
    assert "game 1 of 2, turn 0 of " in press(viewer, "B", "B")
    assert "game 2 of 2, turn 0 of " in press(viewer, "N")


def test_infractions(viewer: Viewer) -> None:
    first = press(viewer, "i")
    assert first.count("!! seat 0 bot-0: illegal") == 2
    assert "the house: " in first
    second = press(viewer, "i")
    assert "seat 1 bot-1 forfeits" in second
    assert r"crashed (exit status 1\x1b[2J)" in second
    assert "no infraction from here on" in press(viewer, "i")
    assert press(viewer, "I") == first


def test_one_seat_s_view_shows_no_other_hand_draw_answer_or_breach(viewer: Viewer) -> None:
    refused = press(viewer, "i", "2")
    assert refused.count("  hand    ") == 1
    assert "as seat 2 bot-2 sees it" in refused
    assert "answer" not in refused
    assert "illegal" not in refused
    press(viewer, "<")
    drawn = []
    for _ in range(200):
        shown = press(viewer, "n")
        assert shown.count("  hand    ") <= 1
        if found := re.search(r": seat ([0-9]).*-> no choice: draw (\S+)", shown, re.DOTALL):
            drawn.append((found[1] == "2", found[2].isdecimal()))
    assert (False, True) in drawn
    assert all(own != counted for own, counted in drawn)
    assert screen(viewer) != press(viewer, "a")
    assert "there is no seat 7: the seats are 0 to 2" in press(viewer, "7")


def test_help(viewer: Viewer) -> None:
    begun = screen(viewer)
    shown = press(viewer, "?")
    assert all(meaning in shown for _, meaning in HELP)
    assert press(viewer, "q") == begun
    assert not viewer.done


def test_the_keys_are_documented() -> None:
    table = section(page("replay"), "show")
    keys = {key for keys, _ in HELP for key in re.split("[,;] ", keys)}
    documented = {
        key for row in table.split("\n| ") for key in re.split("[,;] ", row.split(" |")[0])
    }
    assert keys <= documented


@pytest.mark.parametrize("key", ["q", Key.ESCAPE])
def test_leaving(viewer: Viewer, key: str) -> None:
    viewer.press(key)
    assert viewer.done


def test_what_is_more_than_the_screen_holds_is_scrolled(viewer: Viewer) -> None:
    whole = screen(viewer).split("\n")
    assert "more below" in screen(viewer, height=8)
    for _ in range(100):
        viewer.press(Key.DOWN)
    lowest = screen(viewer, height=8).split("\n")
    assert "more below" not in lowest[-2]
    assert lowest[-3] in whole
    viewer.press(Key.UP)
    assert "1 more below" in screen(viewer, height=8)
    viewer.press("n")
    assert screen(viewer, height=8).startswith("Game 1, turn 1")


KEYS = st.sampled_from([*"nbNBgti I<>a0123456789?hxq", *Key])


@given(st.lists(KEYS, max_size=30), st.integers(0, 120), st.integers(0, 40))
def test_no_keys_and_no_size_break_it(keys: list[str], width: int, height: int) -> None:
    viewer = Viewer(Story(RECORD.transcript, RECORD), RECORD)
    for key in keys:
        viewer.press(key)
        lines = viewer.screen(CONSOLE, width, height)
        assert len(lines) == height
        assert all(line.cell_len <= max(1, width) for line in lines)


def test_a_match_that_was_cut_short() -> None:
    gone = [ScriptedPlayer(lambda _: Fault(Infraction.CRASHED, QUICK, "gone")) for _ in range(2)]
    record = record_of(play(setup(2, conduct=STRICT), gone), conduct=STRICT)
    for held in (record, None):
        viewer = Viewer(Story(record.transcript, held), held)
        shown = press(viewer, ">")
        assert "forfeits" in shown
        assert "The match was cut short." in shown
