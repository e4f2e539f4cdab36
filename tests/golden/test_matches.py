"""A golden transcript for every registered profile and seat count.

``make golden`` writes them anew. A change in one is a change of behaviour: it needs a new
version of the profile.
"""

from pathlib import Path
from random import Random

import pytest

from referee.core.errors import InputError
from referee.games.registry import PROFILE_IDS, game_for
from referee.match.player import Ask, Reply
from referee.match.series import Games
from referee.match.verify import verify_transcript
from tests.support.matches import QUICK, ScriptedPlayer, play, setup
from tests.support.random_play import legal_answer, wild_answer

FOLDER = Path(__file__).parent / "matches"


def allowed(profile: str, seats: int) -> bool:
    try:
        game_for(profile, seats)
    except InputError:
        return False
    return True


CASES = [
    (profile, seats) for profile in PROFILE_IDS for seats in range(2, 7) if allowed(profile, seats)
]


def golden(profile: str, seats: int) -> Path:
    return FOLDER / f"{profile}-{seats}.txt"


def player(seed: int) -> ScriptedPlayer:
    """Answers at random, now and then so wrongly that the house has to play."""
    random = Random(seed)

    def answer(ask: Ask) -> Reply:
        make = wild_answer if random.random() < 0.1 else legal_answer
        return Reply(make(ask.view, random), QUICK)

    return ScriptedPlayer(answer)


@pytest.mark.parametrize(("profile", "seats"), CASES)
def test_the_match_is_as_it_was(profile: str, seats: int, update_golden: bool) -> None:
    path = golden(profile, seats)
    players = [player(seat) for seat in range(seats)]
    text = play(setup(seats, profile=profile, series=Games(2)), players).transcript
    assert verify_transcript(text) is None
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), f"{path.name} is missing: make golden"
    assert path.read_bytes().decode() == text


def test_no_golden_stands_for_nothing() -> None:
    expected = {golden(profile, seats).name for profile, seats in CASES}
    assert {path.name for path in FOLDER.iterdir()} == expected
