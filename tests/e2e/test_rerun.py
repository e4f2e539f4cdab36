"""Bots put in a seat of a recorded match, as the processes that they are."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from referee.app.bots import load_bots
from referee.app.rerun import Rerun, rerun
from referee.app.sitting import Played, Voided, play_sitting
from referee.core.errors import InputError, VerificationError
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct, Infraction
from referee.match.moment import find_moment
from referee.match.player import Fault, Reply
from referee.match.record import AskRecord, MatchRecord
from referee.match.series import Games
from referee.rpc.codec import decode_record, encode_envelope, encode_record
from tests.e2e.conftest import Referee
from tests.support.bot_folders import SAMPLES, make_bot
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup
from tests.support.sittings import sitting_of

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

GREEDY: Final = SAMPLES / "greedy"
RANDOM: Final = SAMPLES / "random"


def clumsy() -> ScriptedPlayer:
    """Is refused twice in its first turn, so that the house plays; then it answers legally."""
    answers = iter([Reply((80, 1), QUICK), Reply((), QUICK)])
    legal = honest()
    return ScriptedPlayer(lambda ask: next(answers, None) or legal.answer(ask))


RECORD: Final = replace(
    record_of(play(setup(3, series=Games(2)), [honest(0), clumsy(), honest(2)])),
    time_control=TimeControl(move_limit_us=None),
)


def asks_of(record: MatchRecord, seat: int) -> list[AskRecord]:
    return [ask for ask in record.asks if ask.seat == seat]


def at(record: MatchRecord, ask: AskRecord, *folders: Path) -> list[Rerun]:
    """What bots answer in the place of a recorded one."""
    moment = find_moment(record.transcript, ask.game, ask.turn)
    return rerun(record, moment, ask.seat, load_bots(folders))


def test_a_bot_with_dice_in_its_own_seat_answers_as_it_did(tmp_path: Path) -> None:
    reports: list[Played | Voided] = []
    sitting = sitting_of(load_bots([RANDOM, RANDOM]), tmp_path)
    sitting = replace(sitting, time_control=TimeControl(move_limit_us=60_000_000))
    asyncio.run(play_sitting(sitting, reports.append))
    [report] = reports
    assert isinstance(report, Played)
    record = decode_record(report.record)
    asks = asks_of(record, 1)
    for ask in (asks[0], asks[len(asks) // 2], asks[-1]):
        [found] = at(record, ask, RANDOM)
        assert found.answer == ask.answer


def test_bots_are_asked_side_by_side_and_judged(tmp_path: Path) -> None:
    bots = [GREEDY, make_bot(tmp_path / "wrong", "always_illegal"), RANDOM]
    greedy, wrong, random = at(RECORD, asks_of(RECORD, 0)[0], *bots)
    for found in (greedy, random):
        assert (found.ruling, found.fault) == (None, None)
        assert found.act is not None
        assert found.act.startswith("lay ")
    assert (wrong.act, wrong.fault) == (None, None)
    assert wrong.ruling is not None
    assert wrong.ruling.sentence


def test_a_retry_and_a_house_turn_before_it_are_lived_through() -> None:
    refused = asks_of(RECORD, 1)[0]
    assert refused.ruling is not None
    for ask in (refused, asks_of(RECORD, 1)[-1]):
        [found] = at(RECORD, ask, GREEDY)
        assert found.act is not None


@pytest.mark.parametrize(
    ("mode", "fault"),
    [
        ("exits", Infraction.CRASHED),
        ("hangs_up", Infraction.DISCONNECTED),
        ("without_body", Infraction.MALFORMED),
        ("leaves_at_once", Infraction.START_FAILURE),
    ],
)
def test_a_bot_that_fails_is_told_of(tmp_path: Path, mode: str, fault: Infraction) -> None:
    broken, greedy = at(RECORD, asks_of(RECORD, 0)[0], make_bot(tmp_path / "bad", mode), GREEDY)
    assert (broken.fault, broken.answer, broken.act) == (fault, None, None)
    assert greedy.act is not None


def test_a_bot_that_failed_before_the_turn_tells_where(tmp_path: Path) -> None:
    first, second, *_ = asks_of(RECORD, 0)
    [found] = at(RECORD, second, make_bot(tmp_path / "bad", "exits"))
    assert found.fault is Infraction.CRASHED
    assert found.detail == (
        "the bot's process exited with status 3; "
        f"no answer since game {first.game}, turn {first.turn}"
    )
    assert found.output[-1].endswith("exited with status 3")


def test_a_bot_that_stalls_has_the_match_s_limit(tmp_path: Path) -> None:
    record = replace(RECORD, time_control=TimeControl(move_limit_us=200_000))
    [found] = at(record, asks_of(RECORD, 0)[0], make_bot(tmp_path / "slow", "late"))
    assert found.fault is Infraction.LATE


def test_a_bot_that_never_answers_does_not_take_its_limit_in_every_turn(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "stalls")
    (folder / "bot.py").write_text(
        "import time\nfrom elfer import Bot, run\n"
        "class Stalls(Bot):\n    def answer(self, turn):\n        time.sleep(1000)\nrun(Stalls)\n"
    )
    record = replace(RECORD, time_control=TimeControl(move_limit_us=50_000))
    first, *_, last = asks_of(RECORD, 0)
    [found] = at(record, last, folder)
    assert found.fault is Infraction.LATE
    assert found.detail == f"no answer since game {first.game}, turn {first.turn}; asked no more"


def test_a_seat_that_was_not_asked_asks_nobody() -> None:
    moment = find_moment(RECORD.transcript, 1, 1)
    with pytest.raises(InputError, match="was not asked"):
        rerun(RECORD, moment, moment.seats[0], load_bots([GREEDY]))


def test_a_record_that_does_not_hold_is_named() -> None:
    first, *_, last = asks_of(RECORD, 0)
    forged = replace(RECORD, asks=tuple(ask for ask in RECORD.asks if ask is not first))
    with pytest.raises(VerificationError, match="expected"):
        at(forged, last, GREEDY)


@pytest.fixture
def explain(tmp_path: Path, referee: Referee) -> Callable[..., tuple[int, str, str]]:
    """Explains a turn of a record in a file."""

    def explain_turn(record: MatchRecord, ask: AskRecord, *options: object) -> tuple[int, str, str]:
        (tmp_path / "match.pb").write_bytes(encode_envelope(encode_record(record)))
        where = ("--game", ask.game, "--turn", ask.turn)
        return referee("replay", "explain", "match.pb", *where, *options)

    return explain_turn


def test_the_command_tells_all_of_a_refused_turn(
    explain: Callable[..., tuple[int, str, str]],
) -> None:
    refused = asks_of(RECORD, 1)[0]
    code, out, err = explain(RECORD, refused, "--bot", GREEDY, "--bot", GREEDY)
    assert (code, err) == (0, "")
    for title in (
        "Game 1, turn ",
        "New to it",
        "What it could do, and why",
        "What would be accepted",
        "What it answered",
        "What was done",
    ):
        assert f"\n{title}" in out
    assert "try 1   B20 R1" in out
    assert "refused" in out
    assert "the first reason that holds (§4.7)" in out
    assert re.search(r'  §[0-9]\.[0-9]: "[A-Z]', out)
    assert "illegal" in out
    assert "the house: lay" in out
    assert re.search(r"^  greedy    lay .*\n  greedy-2  lay ", out, re.MULTILINE)


def test_without_folders_it_asks_the_sample_bots(
    explain: Callable[..., tuple[int, str, str]],
) -> None:
    ask = asks_of(RECORD, 2)[-1]
    code, out, _ = explain(RECORD, ask, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["match"], found["game"], found["turn"]) == ("match.pb", ask.game, ask.turn)
    [seat] = found["seats"]
    samples = sorted(folder.name for folder in SAMPLES.iterdir() if (folder / "bot.toml").exists())
    assert [bot["bot"] for bot in seat["bots"]] == samples
    assert [bot["fault"] for bot in seat["bots"]] == [None] * len(samples)
    assert found["without_bots"] is None


def test_a_seat_that_forfeited_is_told_of(explain: Callable[..., tuple[int, str, str]]) -> None:
    gone = ScriptedPlayer(lambda _: Fault(Infraction.CRASHED, QUICK, "exit status 1\x1b[2J"))
    conduct = Conduct(restarts=0)
    record = record_of(play(setup(2, conduct=conduct), [gone, honest(1)]), conduct=conduct)
    [crash] = asks_of(record, 0)
    code, out, _ = explain(record, crash, "--bot", GREEDY)
    assert code == 0
    assert r"crashed (exit status 1\x1b[2J)" in out
    assert "greedy  lay " in out
    later = int(re.findall(r"^([0-9]+) 0 house ", record.transcript, re.MULTILINE)[-1])
    code, out, _ = explain(record, replace(crash, turn=later), "--bot", GREEDY)
    assert code == 0
    assert "it had forfeited" in out
    assert "nobody was asked" in out
