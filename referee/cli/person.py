"""A person at this terminal, as the player of a seat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, Final, Protocol

from referee.cli.page import Page
from referee.core.duration import format_duration
from referee.games.registry import AnyGame
from referee.match.clock import Evidence
from referee.match.conduct import Consequence, Infraction
from referee.match.player import (
    Ask,
    Fault,
    GameEnd,
    GameStart,
    MatchStart,
    Message,
    Reply,
    Ruled,
    Stray,
)
from referee.match.transcript import FORFEIT

HELP: Final = (
    "h        this help",
    "?        a hint: what is due, what the house would lay, how far your cards lead",
    "q        give the match up; the house plays on for you, and you place last",
    "Ctrl-C   leave at once; the match does not count",
)
_YES: Final = ("y", "yes")


class Input(Protocol):
    """Where the person's lines come from."""

    async def line(self) -> str | None:
        """The next line; ``None`` when there is none any more."""
        ...


class Person:
    """A ``Player`` (see ``referee.match.player``) that shows, asks, and helps where it can.

    What the rules refuse is told and may be typed again: a slip is no answer, and costs
    nothing but time.
    """

    def __init__(
        self,
        game: AnyGame,
        names: Sequence[str],
        page: Page,
        lines: Input,
        *,
        hints: bool = False,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``names`` are those at the table, by seat; with ``hints`` every turn comes with one.

        ``now`` gives nanoseconds.
        """
        self._game: Final = game
        self._names: Final = names
        self._page: Final = page
        self._lines: Final = lines
        self._hints: Final = hints
        self._now: Final = now
        self._gone = False
        self._seats: tuple[int, ...] = ()
        """Those that play the game under way."""

    async def ask(self, ask: Ask) -> Reply | Fault:
        asked = self._now()
        self._show(ask)
        try:
            async with asyncio.timeout(None if ask.allowed_us is None else ask.allowed_us / 1e6):
                answer = await self._answer(ask.view)
        except TimeoutError:
            return Fault(Infraction.LATE, self._since(asked), "")
        if answer is Infraction.RESIGNED:
            self._gone = True
            return Fault(Infraction.RESIGNED, self._since(asked), "")
        return Reply(answer, self._since(asked))

    def tell(self, message: Message) -> None:
        match message:
            case _ if self._gone:
                pass
            case MatchStart():
                self._begin(message)
            case GameStart():
                self._seats = message.seats
                self._page.title(f"Game {message.game}, dealt by {self._names[message.dealer]}")
                if len(message.seats) < len(self._names):
                    self._page.say(f"A tie-break between {self._named(message.seats)} (§7.2).")
            case Ruled():
                self._page.say(
                    f"{message.ruling.text} ({message.ruling.section}) Penalty {message.penalty}."
                )
                if message.consequence is Consequence.FORFEIT:
                    self._page.say("The house plays on for you, and you place last.")
            case GameEnd():
                self._page.title(f"Game {message.game} goes to {self._named(message.winners)}")
                self._page.show(told(message.acts, self._names))
                self._page.show([self._points(message.points)])

    def strays(self) -> tuple[Stray, ...]:
        return ()

    def _begin(self, start: MatchStart) -> None:
        profile = start.rules_line.partition(" ")[0]
        self._page.say(f"{profile}, {start.series}. By seat: {self._named(range(start.seats))}.")
        self._page.say("h is for help, ? for a hint, q to give up.")

    def _show(self, ask: Ask) -> None:
        time = "" if ask.allowed_us is None else f", {format_duration(ask.allowed_us)} left"
        self._page.title(f"Game {ask.game}, turn {ask.turn}{time}")
        self._page.show(told(ask.acts, self._names))
        names = [self._names[seat] for seat in ask.seats]
        self._page.show(self._game.picture(ask.view, names=names).table)
        self._page.show([self._points(ask.points)])
        self._page.show(self._game.menu(ask.view))
        if self._hints:
            self._hint(ask.view)

    def _hint(self, view: Any) -> None:
        self._page.show(self._game.hints(view), "italic")

    async def _answer(self, view: Any) -> Any | Infraction:
        """Ask until there is an answer that the rules accept, or the person gives up."""
        while True:
            line = await self._typed("you>")
            match None if line is None else line.strip().lower():
                case None | "q" | "quit":
                    if await self._gives_up():
                        return Infraction.RESIGNED
                case "h" | "help":
                    self._page.show((*self._game.manual, *HELP))
                case "?":
                    self._hint(view)
                case typed:
                    try:
                        answer = self._game.read(view, typed)
                    except ValueError as error:
                        self._page.show([str(error)])
                        continue
                    refused = self._game.ruling(view, answer)
                    if refused is None:
                        return answer
                    self._page.show([f"{refused.text} ({refused.section})"])

    async def _gives_up(self) -> bool:
        self._page.say("The house would play on for you, and you place last.")
        line = await self._typed("Give the match up? [y/N]")
        return line is None or line.strip().lower() in _YES

    async def _typed(self, prompt: str) -> str | None:
        self._page.prompt(prompt)
        return await self._lines.line()

    def _since(self, asked: int) -> Evidence:
        return Evidence((self._now() - asked) // 1000)

    def _named(self, seats: Sequence[int]) -> str:
        return ", ".join(self._names[seat] for seat in seats)

    def _points(self, points: Sequence[int]) -> str:
        return "points  " + "  ".join(f"{self._names[seat]} {points[seat]}" for seat in self._seats)


def told(lines: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """Transcript lines with the names of their seats: ``12 greedy     draw 2 lay G8``."""
    width = max(map(len, names))
    for line in lines:
        first, *words = line.split(" ")
        if first == FORFEIT:
            yield f"   {names[int(words[0])]} forfeits: from here the house plays for it"
            continue
        seats = [*takewhile(str.isdecimal, words)]
        who = ", ".join(names[int(seat)] for seat in seats)
        yield f"{first:>2} {who:<{width}}  {' '.join(words[len(seats) :])}"
