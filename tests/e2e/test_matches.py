"""One match, from the folders of two bots to a record that others can check."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.conftest import Referee
from tests.support.bot_folders import SAMPLES, make_bot
from tests.support.commands import finish, start
from tests.unit.sdk.test_docs import EXAMPLES, write_examples

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("nothing_left")]

SEED: Final = "0123456789abcdef" * 4
ALTERED: Final = 4


def played(referee: Referee, *arguments: object) -> str:
    """Play a match of one game, without haste. Gives its key."""
    outcome = referee("match", "run", *arguments, "--games", 1, "--clock", "60s")
    assert outcome.code == 0, outcome.err
    return outcome.out.split("kept as ")[1].split()[0]


def test_a_match_and_its_record(tmp_path: Path, referee: Referee) -> None:
    bots = (SAMPLES / "random", SAMPLES / "random")
    key = played(referee, *bots, "--seed", SEED, "--record", "match.pb", "--db", "here.db")

    shown = json.loads(referee("match", "show", key, "--json", "--db", "here.db").out)
    assert [seat["bot"] for seat in shown["result"]["seats"]] == ["random", "random-2"]
    assert shown["infractions"] == []
    assert [attempt["status"] for attempt in shown["attempts"]] == ["counted"]
    told = referee("replay", "show", key, "--db", "here.db")
    assert (told.code, SEED in told.out, "random-2" in told.out) == (0, True, True)
    heard = referee("bot", "log", "random-2", "--match", key, "--db", "here.db")
    assert all(line.startswith(f"{key} game ") for line in heard.out.splitlines())
    assert "Match over" in heard.out

    files = ["match.pb"]
    for form in ("json", "transcript", "pb"):
        done = referee("replay", "export", key, "--format", form, "--out", form, "--db", "here.db")
        assert done.code == 0, done.err
        files += map(str, Path(form).iterdir())
    verified = referee("replay", "verify", *files, key, "--db", "here.db")
    assert verified.code == 0, verified.out
    assert "5 of 5 matches hold" in verified.out

    assert referee("replay", "import", "match.pb", "--db", "there.db").code == 0
    [there] = json.loads(referee("match", "list", "--json", "--db", "there.db").out)["matches"]
    assert (there["state"], there["league"]) == ("imported", None)
    assert there["result"]["play_digest"] == shown["result"]["play_digest"]
    assert json.loads(referee("league", "list", "--json", "--db", "there.db").out) == {
        "leagues": []
    }
    assert referee("replay", "verify", there["match_key"], "--db", "there.db").code == 0


def test_the_same_seed_gives_the_same_play(referee: Referee) -> None:
    bots = (SAMPLES / "greedy", SAMPLES / "holdback", SAMPLES / "greedy")
    keys = [played(referee, *bots, "--seed", SEED, "--db", "here.db") for _ in range(2)]
    one, two = (
        referee("replay", "export", key, "--format", "transcript", "--db", "here.db").out
        for key in keys
    )
    assert keys[0] != keys[1]
    assert one == two


def test_an_altered_file_is_refused(tmp_path: Path, referee: Referee) -> None:
    bots = (make_bot(tmp_path / "ann"), make_bot(tmp_path / "bob"))
    key = played(referee, *bots, "--record", "match.pb", "--db", "here.db")
    for form, name in (("json", "match.json"), ("transcript", "match.txt")):
        out = referee("replay", "export", key, "--format", form, "--db", "here.db").out
        Path(name).write_text(out)
    for name in ("match.pb", "match.json", "match.txt"):
        whole = Path(name).read_bytes()
        assert referee("replay", "verify", name).code == 0
        at = whole.index(b"lay R11") if b"lay R11" in whole else whole.index(b"lay ")
        for content in (whole[: len(whole) // 2], whole[:at] + b"lay B3" + whole[at + 6 :]):
            Path(name).write_bytes(content)
            outcome = referee("replay", "verify", name)
            assert (outcome.code, name in outcome.out) == (ALTERED, True), outcome
    outcome = referee("replay", "import", "match.pb", "--db", "there.db")
    assert (outcome.code, "match.pb" in outcome.err) == (ALTERED, True)
    assert not Path("there.db").exists()


@pytest.fixture
def documented(tmp_path: Path) -> Path:
    """The bots of docs/writing-a-bot.md, each in its folder with a manifest."""
    write_examples(tmp_path)
    manifest = EXAMPLES["mybot/bot.toml"].replace('"mybot"', '"rawbot"')
    (tmp_path / "rawbot" / "bot.toml").write_text(manifest, encoding="utf-8")
    return tmp_path


def test_the_documented_bots_play(documented: Path, referee: Referee) -> None:
    key = played(referee, "mybot", "rawbot", "--db", "docs.db")
    shown = json.loads(referee("match", "show", key, "--json", "--db", "docs.db").out)
    assert [seat["bot"] for seat in shown["result"]["seats"]] == ["mybot", "rawbot"]
    assert shown["infractions"] == []


def test_an_author_runs_the_bot(documented: Path, referee: Referee) -> None:
    command = ("match", "run", "rawbot", "mybot", "--wait-for", 1, "--games", 1, "--db", "docs.db")
    process = start(documented, *command)
    assert process.stdout is not None
    told: dict[str, str] = {}
    while "ELFER_TOKEN" not in told:
        name, _, value = process.stdout.readline().strip().partition("=")
        told[name] = value
    bot = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=documented / "mybot",
        env=os.environ | {name: told[name] for name in ("ELFER_ADDRESS", "ELFER_TOKEN")},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert bot.returncode == 0, bot.stderr
    code, out, err = finish(process)
    assert code == 0, err
    key = out.split("kept as ")[1].split()[0]
    assert referee("replay", "verify", key, "--db", "docs.db").code == 0
    assert referee("bot", "log", "rawbot", "--match", key, "--db", "docs.db").code == 0
