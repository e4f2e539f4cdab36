"""A person as a player: what is shown, what is taken as an answer, and what costs nothing."""

import asyncio
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from rich.console import Console

from referee.cli.page import Page
from referee.cli.person import Person, told
from referee.games.registry import PROFILE_IDS, AnyGame, game_for
from referee.match.clock import TimeControl
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, GameEnd, GameStart, MatchEnd, Player
from referee.match.record import MatchRecord
from referee.match.series import Games, Limit, Series
from referee.match.verify import verify
from tests.support.matches import honest, play, record_of, setup

NAMES = ["you", "ann", "bob"]


class Typing:
    """Types one line after another; where there is none left, ``then``."""

    def __init__(self, lines: Iterable[str], then: Callable[[], str | None]) -> None:
        self._lines = iter(lines)
        self._then = then

    async def line(self) -> str | None:
        return next(self._lines, None) or self._then()


class Silence:
    """Nobody types."""

    async def line(self) -> str | None:
        await asyncio.Event().wait()
        return None


class Seated:
    """A person who types ``lines`` and then what the hint says that the house would lay."""

    def __init__(
        self, game: AnyGame, lines: Iterable[str] = (), *, ends: bool = False, width: int = 1000
    ) -> None:
        self._out = io.StringIO()
        console = Console(file=self._out, width=width, markup=False, highlight=False)
        then = self.hint if not ends else lambda: None
        typing = Typing(lines, then)
        self.player = Person(game, NAMES[: game.seats], Page(game, console), typing, hints=not ends)

    @property
    def shown(self) -> str:
        return self._out.getvalue()

    def hint(self) -> str:
        *_, last = re.finditer(r"house   would lay (.*)", self.shown)
        return last[1]


def match_of(
    seated: Seated, profile: str = "ravensburger", seats: int = 2, series: Series | None = None
) -> MatchRecord:
    players: list[Player] = [seated.player, *(honest(seat) for seat in range(1, seats))]
    record = record_of(play(setup(seats, profile=profile, series=series), players))
    assert verify(record) is None
    return record


@pytest.mark.parametrize("profile", PROFILE_IDS)
def test_a_person_plays_every_profile(profile: str) -> None:
    seated = Seated(game_for(profile, 3))
    record = match_of(seated, profile, 3, Limit(60))
    assert record.infractions == ()
    assert record.result.forfeits == (False,) * 3
    assert seated.shown.startswith(f"{profile}, limit 60 cap 1000. By seat: you, ann, bob.\n")
    turns = [ask for ask in record.asks if ask.seat == 0]
    assert seated.shown.count("you>") == len(turns) > 3
    assert "points  you " in seated.shown


def test_what_others_drew_is_counted_and_not_named() -> None:
    seated = Seated(game_for("ravensburger", 2))
    record = match_of(seated, series=Games(3))
    drawn = re.findall(r"^ +\d+ (\w+) +(draw .*)$", seated.shown, re.MULTILINE)
    assert {name for name, _ in drawn} == {"you", "ann"}
    for name, act in drawn:
        if name == "ann":
            assert re.fullmatch(r"draw [123](?: lay [RYGB]\d+)?", act)
        else:
            assert re.fullmatch(r"draw(?: [RYGB]\d+)+(?: lay [RYGB]\d+)?", act)
    assert len(re.findall(r"^\d+ \d draw ", record.transcript, re.MULTILINE)) == len(drawn)


def test_slips_cost_nothing_and_are_told_with_their_section() -> None:
    slips = ["B99", "77", "R1 R1 R1", "Y1-20", "pass", "?", "h", "HELP"]
    seated = Seated(game_for("ravensburger", 2), slips)
    record = match_of(seated)
    assert record.infractions == ()
    assert {ask.try_ for ask in record.asks} == {1}
    for line in (
        "'B99' is no card: R, Y, G or B and a number from 1 to 20",
        "there is no key 77",
        "(§4.4)",
        "(§4.7)",
        "cards, in the order in which they are laid",
        "Ctrl-C   leave at once",
    ):
        assert line in seated.shown


@pytest.mark.parametrize(
    "lines", [["q", "y"], ["quit", " YES "], ["q", "no", "q", "y"], []], ids=" ".join
)
def test_giving_up_is_a_resignation_and_the_house_goes_on(lines: list[str]) -> None:
    seated = Seated(game_for("ravensburger", 3), lines, ends=True)
    record = match_of(seated, seats=3, series=Games(2))
    [infraction] = record.infractions
    assert (infraction.kind, infraction.seat) == (Infraction.RESIGNED, 0)
    assert record.result.forfeits == (True, False, False)
    assert "total" in record.transcript
    assert seated.shown.endswith("Give the match up? [y/N]\n")


def test_who_does_not_give_up_after_all_plays_on() -> None:
    record = match_of(Seated(game_for("ravensburger", 2), ["q", "n", "q", "-"]))
    assert record.infractions == ()


def test_with_a_clock_a_person_can_be_late() -> None:
    game = game_for("ravensburger", 2)
    out = io.StringIO()
    person = Person(game, NAMES[:2], Page(game, Console(file=out)), Silence())
    reply = asyncio.run(person.ask(replace(_ask(), left_us=1000)))
    assert isinstance(reply, Fault)
    assert reply.kind is Infraction.LATE
    assert "1ms left" in out.getvalue()


def test_the_time_that_is_left_is_that_of_turn_bank_and_match_together() -> None:
    shown = []
    for limits in [(2_000, 1_000, None), (2_000, 1_000, 1_500), (None, None, 1_500)]:
        seated = Seated(game_for("ravensburger", 2))
        left_us, bank_us, match_left_us = limits
        ask = replace(_ask(), left_us=left_us, bank_us=bank_us, match_left_us=match_left_us)
        asyncio.run(seated.player.ask(ask))
        shown.append(re.findall(r"turn \d+, (.*) left", seated.shown))
    assert shown == [["3ms"], ["1500us"], ["1500us"]]


def _ask() -> Ask:
    asked = honest()
    play(setup(2), [asked, honest(1)])
    return asked.asked[0]


def test_being_late_is_told_and_the_house_plays() -> None:
    game = game_for("ravensburger", 2)
    out = io.StringIO()
    person = Person(game, NAMES[:2], Page(game, Console(file=out)), Silence())
    control = TimeControl(move_limit_us=1000)
    record = record_of(
        play(setup(2, time_control=control), [person, honest(1)]), time_control=control
    )
    assert verify(record) is None
    assert {found.kind for found in record.infractions} == {Infraction.LATE}
    assert "The answer was not there in time. (§7.4) Penalty 20." in out.getvalue()
    assert record.result.forfeits == (True, False)
    assert out.getvalue().count("The house plays on for you, and you place last.") == 1


def test_a_tie_break_is_told_as_such() -> None:
    seated = Seated(game_for("classic", 3))
    seated.player.tell(GameStart(4, 2, (0, 2), (9, 30, 9), view=None))
    assert seated.shown == "\nGame 4, dealt by bob\nA tie-break between you, bob (§7.2).\n"


def test_the_end_of_a_game_has_its_last_acts_and_points() -> None:
    seated = Seated(game_for("ravensburger", 3))
    seated.player.tell(GameStart(1, 0, (0, 1), (0, 0, 0), view=None))
    started = len(seated.shown)
    seated.player.tell(GameEnd(1, ("60 1 lay R3",), (4, 0, 0), (1,)))
    assert seated.shown[started:].splitlines()[1:] == [
        "Game 1 goes to ann",
        "  60 ann  lay R3",
        "  points  you 4  ann 0",
    ]
    before = seated.shown
    seated.player.tell(MatchEnd(None))
    assert seated.shown == before


def test_acts_are_told_by_name() -> None:
    lines = ["1 0 open R11", "2 2 house lay Y11", "forfeit 1", "10 1 stuck"]
    assert [*told(lines, NAMES)] == [
        " 1 you  open R11",
        " 2 bob  house lay Y11",
        "   ann forfeits: from here the house plays for it",
        "10 ann  stuck",
    ]


def test_a_narrow_terminal_folds_what_is_long_and_nothing_else() -> None:
    seated = Seated(game_for("ravensburger", 2), width=72)
    match_of(seated)
    lines = seated.shown.splitlines()
    assert max(map(len, lines)) <= 72
    assert any(line.startswith(" " * 10) for line in lines)
    assert len([line for line in lines if re.match(r"  red +[.\d]", line)]) == lines.count("you>")


def _page(*lines: str) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", width=80)
    Page(game_for("ravensburger", 2), console).show(lines)
    return out.getvalue()


def test_colours_and_hostile_text() -> None:
    assert "\x1b[31mR11\x1b[0m" in _page("lay R11")
    assert "\x1b[1;32mG9\x1b[0m" in _page("hand [G9]")
    assert "[bold]R" in _page("[bold]R")
    assert "\x1b[2J" not in _page("x\x1b[2J")
