"""``bot rerun``: a recorded turn asked again, and saved as a test that an author can run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from referee.match.conduct import Infraction
from referee.match.player import Fault
from referee.match.record import AskRecord, MatchRecord
from referee.rpc.codec import encode_envelope, encode_record
from tests.e2e.conftest import Outcome, Referee
from tests.e2e.test_rerun import GREEDY, RANDOM, RECORD, asks_of
from tests.support.bot_folders import make_bot
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup
from tests.unit.cli.test_docs import CLI, field_names

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

Rerun = Callable[..., Outcome]

REFUSED: Final = asks_of(RECORD, 1)[0]
LATE_IN_GAME_2: Final = asks_of(RECORD, 0)[-1]


@pytest.fixture
def rerun(tmp_path: Path, referee: Referee) -> Rerun:
    """Asks a turn of the record again."""

    def ask_again(ask: AskRecord, *given: object, record: MatchRecord = RECORD) -> Outcome:
        (tmp_path / "match.pb").write_bytes(encode_envelope(encode_record(record)))
        where = ("--game", ask.game, "--turn", ask.turn)
        return referee("bot", "rerun", "match.pb", *where, *given)

    return ask_again


def write_bot(folder: Path, answer: str) -> Path:
    """A bot with the SDK whose object counts its answers, all of them and those of a game."""
    make_bot(folder)
    (folder / "bot.py").write_text(
        "from elfer import Bot, Card, run\n\n\n"
        "class Mine(Bot):\n"
        "    answers = in_game = 0\n\n"
        "    def game_started(self, game):\n"
        "        self.in_game = 0\n\n"
        "    def answer(self, turn):\n"
        "        self.answers += 1\n"
        "        self.in_game += 1\n"
        f"        {answer}\n\n\n"
        'if __name__ == "__main__":\n    run(Mine)\n'
    )
    return folder


def pytest_of(file: Path) -> tuple[int, str]:
    """What the saved test comes to, run by itself."""
    options = ("-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--import-mode=importlib")
    outcome = subprocess.run(
        [sys.executable, "-B", "-W", "ignore", "-m", "pytest", *options, file],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return outcome.returncode, outcome.stdout


def test_it_tells_what_was_answered_then_and_what_is_now(rerun: Rerun, tmp_path: Path) -> None:
    wrong = make_bot(tmp_path / "wrong", "always_illegal")
    code, out, err = rerun(REFUSED, GREEDY, wrong)
    assert (code, err) == (0, "")
    then, now = out.split("What is answered now")
    assert f"Game 1, turn {REFUSED.turn}: seat 1 bot-1" in then
    assert "try 1   B20 R1" in then
    assert "illegal" in then
    assert "greedy  lay " in now
    assert "wrong   nothing: refused (" in now
    assert " of 10000 ms" in now
    assert "§4.4" in now


def test_how_a_bot_ended_is_told_with_its_last_words(rerun: Rerun, tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "mine", 'print("\\x1b[2Jhm"); return {}[turn.number]')
    ask = asks_of(RECORD, 0)[0]
    out = rerun(ask, folder).out
    assert "mine  crashed: the bot's process exited with status 1 (" in out
    assert f"game 1 turn {ask.turn} | KeyError: {ask.turn}" in out
    assert "exited with status 1\n" in out
    assert "\x1b" not in out
    shown = json.loads(rerun(ask, folder, "--json").out)
    assert {name for name in field_names(shown) if f"`{name}`" not in CLI} == set()
    assert (shown["game"], shown["turn"], shown["seat"]) == (1, ask.turn, 0)
    assert shown["bots"][0]["fault"] == "crashed"
    assert shown["saved"] is None


def test_a_turn_that_fails_is_a_test_that_fails_until_it_is_mended(
    rerun: Rerun, tmp_path: Path
) -> None:
    folder = write_bot(tmp_path / "mine", "return []")
    file = tmp_path / "tests" / "test_it.py"
    file.parent.mkdir()
    outcome = rerun(REFUSED, folder, "--save", "tests/test_it.py")
    assert outcome.out.endswith("run it with python -m pytest tests/test_it.py\n")
    text = file.read_text()
    assert "B20 R1" in text
    assert "game_started" not in text
    assert max(map(len, text.splitlines())) <= 120
    code, out = pytest_of(file)
    assert code == 1
    assert "refused: a pass" in out
    write_bot_again = (
        (folder / "bot.py").read_text().replace("return []", "return [min(turn.fits)]")
    )
    (folder / "bot.py").write_text(write_bot_again)
    assert pytest_of(file)[0] == 0
    assert list(file.parent.iterdir()) == [file]


def test_what_a_bot_remembers_of_the_game_is_in_the_test(rerun: Rerun, tmp_path: Path) -> None:
    answer = "return [min(turn.fits)] if self.in_game < 4 else [Card.R1] * self.in_game"
    folder = write_bot(tmp_path / "mine", answer)
    fourth = [ask for ask in asks_of(RECORD, 0) if ask.game == 2][3]
    file = folder / "test_it.py"
    assert rerun(fourth, folder, "--save", file).code == 0
    text = file.read_text()
    assert text.count("bot.game_started(") == 1
    assert text.count("bot.answer(") == 3
    code, out = pytest_of(file)
    assert code == 1
    assert "refused: R1 R1 R1 R1" in out


def test_what_a_bot_remembers_of_the_match_is_in_the_test(rerun: Rerun, tmp_path: Path) -> None:
    number = len(asks_of(RECORD, 0))
    answer = f"return [min(turn.fits)] if self.answers < {number} else 1 // 0"
    file = tmp_path / "test_it.py"
    outcome = rerun(LATE_IN_GAME_2, write_bot(tmp_path / "mine", answer), "--save", file)
    assert "ZeroDivisionError" in outcome.out
    assert file.read_text().count("bot.game_ended(GameResult(") == 1
    code, out = pytest_of(file)
    assert code == 1
    assert "ZeroDivisionError" in out


def test_refusals_on_the_way_are_in_the_test(rerun: Rerun, tmp_path: Path) -> None:
    *before, last = asks_of(RECORD, 1)
    answer = f"return [max(turn.fits)] if self.answers <= {len(before)} else []"
    file = tmp_path / "test_it.py"
    rerun(last, write_bot(tmp_path / "mine", answer), "--save", file)
    text = file.read_text()
    assert text.count("bot.ruled(Ruling(") == 2
    assert text.count("refused=Ruling(") == 1
    code, out = pytest_of(file)
    assert code == 1
    assert "refused: a pass" in out


def test_a_bot_that_was_started_again_remembers_nothing_from_before(
    rerun: Rerun, tmp_path: Path
) -> None:
    crash = Fault(Infraction.CRASHED, QUICK, "exit status 1")
    legal = honest(1)
    script = iter([False, True])
    crasher = ScriptedPlayer(lambda ask: crash if next(script, False) else legal.answer(ask))
    record = record_of(play(setup(2), [crasher, honest(2)]))
    _, _, *after = asks_of(record, 0)
    answer = f"return [min(turn.fits)] if self.answers < {len(after)} else 1 // 0"
    file = tmp_path / "test_it.py"
    folder = write_bot(tmp_path / "mine", answer)
    out = rerun(after[-1], folder, "--save", file, record=record).out
    assert "mine  crashed: the bot's process exited with status 1 (" in out
    assert file.read_text().count("bot.answer(") == len(after) - 1
    code, out = pytest_of(file)
    assert code == 1
    assert "ZeroDivisionError" in out


@pytest.mark.parametrize("bot", [GREEDY, RANDOM])
def test_a_good_answer_is_held_on_to(rerun: Rerun, tmp_path: Path, bot: Path) -> None:
    """That of a bot with dice, too, which has to roll all its dice up to there."""
    file = tmp_path / "test_it.py"
    rerun(LATE_IN_GAME_2, bot, "--save", file)
    assert "assert check(bot, seen) == (" in file.read_text()
    code, out = pytest_of(file)
    assert code == 0, out


def test_a_file_is_overwritten_by_force_alone(rerun: Rerun, tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("mine")
    assert rerun(REFUSED, GREEDY, "--save", file).code == 2
    assert file.read_text() == "mine"
    assert rerun(REFUSED, GREEDY, "--save", file, "--force").code == 0
    assert "def test_game_1_turn_" in file.read_text()
