"""Some seconds of ``make fuzz``, and that it would tell."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
from random import Random

import pytest

from elfer.v1 import play_pb2 as pb
from referee.rpc.inbox import Inbox
from tests.support import fuzz
from tests.support.mutations import MUTATIONS, Mutation
from tests.support.pages import ROOT

SECONDS = 4.0
MOST_GROWTH = 32 * 2**20


@pytest.mark.linux
def test_hostile_bytes_break_nothing_and_keep_nobody_waiting() -> None:
    # CI throws the same bytes every time; timing differs anyway.
    seed = "ci" if os.environ.get("CI") == "true" else secrets.token_hex(4)
    figures = asyncio.run(fuzz.fuzz(seed, SECONDS))
    assert figures.seated > 10
    assert figures.infractions.total() > 50
    assert figures.asks > 200
    assert figures.growth < MOST_GROWTH


@pytest.mark.linux
def test_what_breaks_is_told_with_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Inbox, "take", break_down)
    with pytest.raises(fuzz.BrokenError, match=r"attack \d+ of seed 'x'|others"):
        asyncio.run(fuzz.fuzz("x", SECONDS))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutation_takes_whatever_it_is_given(mutation: Mutation) -> None:
    random = Random(0)
    made = [pb.PlayRequest(messages=[pb.BotMessage()] * 3).SerializeToString()]
    for _ in range(100):
        made.append(mutation(random.choice(made), random)[:100_000])
    assert len(set(made)) > 3


def test_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--seconds", "1", "--seed", "s"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fuzz: seed s, 1 s: ")
