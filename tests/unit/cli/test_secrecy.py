"""What tells the cards of a deal that is still to be played is shown to nobody but the operator.

Every command is here: either with all the ways in which it shows what a database keeps of
matches, or among those that show nothing of the kind.
"""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from referee.app.logs import log_path
from referee.cli.main import app
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, Reply
from referee.store.entries import VoidCause
from tests.support import ledgers, matches, played
from tests.support.bot_folders import SAMPLES, make_bot
from tests.support.matches import QUICK, ScriptedPlayer
from tests.unit.cli.conftest import Outcome, Run, repository_of

MARK: Final = "R7 and B12"
"""In whatever a bot or the referee said of a match."""

PLANS: Final = sorted(
    played.plans(played.league_format()), key=lambda plan: (plan.deal, plan.rotation)
)
OVER, SECRET = PLANS[0].match_key, PLANS[2].match_key

TURN = ("--game", "1", "--turn", "2")
FORMS = ("json", "transcript", "pb")
VIEWS: Final[dict[str, list[tuple[str, ...]]]] = {
    "standings": [("demo",), ("demo", "--csv")],
    "crosstable": [("demo",)],
    "infractions": [("demo",)],
    "attempts": [("demo",)],
    "match list": [(), ("--league", "demo")],
    "match show": [(SECRET,)],
    "league list": [()],
    "league show": [("demo",)],
    "league rejudge": [("demo", "--conduct", "conduct.toml")],
    "league archive": [("demo", "--partial", "--out", "demo.tar")],
    "replay show": [(SECRET,), (SECRET, "--seat", "0"), (SECRET, *TURN, "--all")],
    "replay explain": [(SECRET, *TURN, "--bot", "bot")],
    "replay verify": [(SECRET,), ("--league", "demo")],
    "replay export": [
        *((SECRET, "--format", form) for form in FORMS),
        *(("--league", "demo", "--format", form, "--out", "out") for form in FORMS),
    ],
    "bot log": [
        ("ann",),
        *(("ann", "--match", SECRET, *more) for more in ((), ("--times",), ("--trouble",))),
    ],
    "bot rerun": [
        (SECRET, "bot", *TURN),
        (SECRET, str(SAMPLES / "greedy"), *TURN, "--save", "test_turn.py"),
    ],
}
ELSEWHERE: Final = {
    "play": "a match of its own, of which each sees what its seat does",
    "match run": "a match of its own, of which no deal is left",
    "league run": "figures, and to the operator alone why attempts are void",
    "league plan": "a file",
    "league schema": "no match",
    "league pause": "a state",
    "league cancel": "a state",
    "league withdraw": "a state",
    "league disqualify": "a state",
    "league verify": "a file",
    "league import": "a file",
    "replay import": "a file",
    "rules list": "rules",
    "rules show": "rules",
    "rules diff": "rules",
    "key new": "a key",
    "key show": "a key",
    "db upgrade": "no match",
}


def commands(group: Any, *before: str) -> Iterator[tuple[str, set[str]]]:
    """Each with its options."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *before, name)
        else:
            options = {option for one in command.params for option in one.opts}
            yield " ".join([*before, name]), options


OPTIONS: Final = dict(commands(typer.main.get_command(app)))
LINES: Final = [
    (command, *words, *form)
    for command, lines in VIEWS.items()
    for words in lines
    for form in ([()] if "--json" not in OPTIONS[command] else [(), ("--json",)])
    if not {"--csv", "--times", "--trouble"}.intersection(words) or not form
]


def test_every_command_is_here() -> None:
    assert VIEWS.keys() | ELSEWHERE.keys() == OPTIONS.keys()
    assert not VIEWS.keys() & ELSEWHERE.keys()


def talks(_: object) -> ScriptedPlayer:
    """Says what it has, in answers that cannot be read."""
    legal, tries = matches.honest(1), itertools.count()

    def answer(ask: Ask) -> Reply | Fault:
        if next(tries) < 2:
            return Fault(Infraction.MALFORMED, QUICK, MARK)
        return legal.answer(ask)

    return ScriptedPlayer(answer)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of which one deal is over and one is half played, with logs."""
    folder = tmp_path_factory.mktemp("secrets")
    make_bot(folder / "bot")
    (folder / "conduct.toml").write_text("[consequences]\nmalformed = 'forfeit'\n")
    with repository_of(folder / "open.db") as repository:
        league = played.league_format()
        played.open_league(repository, league)
        for plan in PLANS[:3]:
            attempt = ledgers.open_one(repository, plan)
            repository.void(attempt, VoidCause.REFEREE, f"ValueError: {MARK}")
            seated = [talks(plan), matches.honest(2)] if plan is PLANS[2] else None
            played.count(repository, plan, played.record_of(plan, attempt=2, players=seated))
    log = log_path(folder / "open-logs", "ann", "first")
    log.parent.mkdir(parents=True)
    log.write_text(
        f"{OVER} game 1 turn 2 | nothing\n{SECRET} game 1 turn 2 | {MARK}\n- | still {MARK}\n"
    )
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path, run: Run) -> Path:
    """The current folder, with all of that."""
    for path in template.iterdir():
        (tmp_path / path.name).symlink_to(path)
    return tmp_path


def secrets_of(template: Path) -> list[str]:
    """Texts that tell cards of the deal, or let them be derived."""
    with repository_of(template / "open.db") as repository:
        seed = PLANS[2].seed.hex()
        transcript = played.record_of(PLANS[2], players=[talks(0), matches.honest(2)]).transcript
        assert repository.get_match(SECRET).entry.counted is not None
    stuck = [line for line in transcript.splitlines() if " draw " in line and "lay" not in line]
    drawn = [line.partition(" draw ")[2] for line in stuck]
    return [MARK, seed, played.SEED.hex(), *(cards for cards in drawn if cards.count(" ") == 2)]


def told(outcome: Outcome, folder: Path) -> str:
    """All that a command gave away, files that it wrote included."""
    files = [folder / "demo.tar", folder / "test_turn.py", *folder.glob("out/*")]
    written = [file.read_bytes().decode("latin-1") for file in files if file.exists()]
    return "\n".join([outcome.out, outcome.err, *written])


def seen(text: str, secrets: Sequence[str]) -> list[str]:
    raw = [bytes.fromhex(seed).decode("latin-1") for seed in secrets[1:3]]
    return [secret for secret in [*secrets, *raw] if secret in text]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_nothing_of_it_is_shown(
    run: Run, folder: Path, template: Path, line: tuple[str, ...]
) -> None:
    command, *words = line
    outcome = run(*command.split(), *words, "--db", "open.db")
    # What was over before shows through in the marks, so only of the other deal.
    text = told(outcome, folder).replace(f"ValueError: {MARK}", "", _voids_of_the_first(command))
    assert seen(text, secrets_of(template)) == []
    if SECRET in words and command not in ("match show", "replay verify"):
        assert (outcome.code, outcome.out) == (2, "")
        assert "another rotation of its deal is still to be played" in outcome.err


def _voids_of_the_first(command: str) -> int:
    """How many attempts of the deal that is over are told with what the referee said of them."""
    return 2 if command in ("attempts", "league archive") else 0


PRINTED: Final = [
    line
    for line in LINES
    if "--held-back" in OPTIONS[line[0]] and (line[-1] != "pb" or "--out" in line)
]


@pytest.mark.parametrize("line", PRINTED, ids=" ".join)
def test_the_operator_sees_it_by_asking_for_it(
    run: Run, folder: Path, template: Path, line: tuple[str, ...]
) -> None:
    command, *words = line
    outcome = run(*command.split(), *words, "--held-back", "--db", "open.db")
    assert outcome.code == 0, outcome.err
    assert "§10.4" not in outcome.err
    text = told(outcome, folder)
    if command in ("replay explain", "bot rerun"):
        assert "B11" in text or '"answers"' in text
    elif command == "replay verify":
        assert "hold" in text
    elif "--times" not in words:
        assert seen(text, secrets_of(template))


def test_a_record_that_was_altered_tells_nothing(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "altered.db"
    shutil.copy(folder / "open.db", file)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE seats SET total = total + 1, points = points + 1")
    database.close()
    line = ("replay", "verify", SECRET)
    outcome = run(*line, "--db", file)
    assert outcome.code == 4
    assert outcome.out == f"{SECRET}: the database's result.points: held back (§10.4)\n"
    assert "expected (" in run(*line, "--held-back", "--db", file).out
    assert "expected (" in run("replay", "verify", OVER, "--db", file).out


def test_all_that_hold_something_back_can_be_asked_for_it() -> None:
    holding = {"infractions", "attempts", "match show", "league show", "bot log", "bot rerun"}
    holding |= {"replay show", "replay explain", "replay verify", "replay export"}
    assert {name for name, options in OPTIONS.items() if "--held-back" in options} == holding
