"""What a running league shows: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from referee.app.events import AttemptVoid, DealReplaced, EntrantGone, Event
from referee.cli.output import remark, safe, terminal, warn
from referee.cli.text import span
from referee.match.record import Result

INTERRUPTED: Final = "interrupted"
"""The cause of the voids that a stop brings: expected, and not worth a line each."""

LINE_EVERY: Final = 10.0
"""Seconds between two plain lines."""

Now = Callable[[], float]


@dataclass
class Tally:
    """What has happened so far in this run."""

    total: int
    done: int
    """Matches that counted before this run included."""
    began: float
    played: int = 0
    infractions: int = 0
    voids: int = 0
    scores: dict[str, tuple[float, int]] = field(default_factory=dict)
    """Sum of the scores, and how many matches they come from, by bot."""

    def take(self, event: Event) -> None:
        if isinstance(event, AttemptVoid):
            self.voids += event.cause != INTERRUPTED
            return
        if isinstance(event, EntrantGone):
            self.total = event.planned
            return
        if isinstance(event, DealReplaced):
            for match in event.uncounted:
                self._add(-1, [seat.bot for seat in match.seats], match.result)
            return
        self.played += 1
        self.infractions += event.infractions
        self._add(1, event.bots, event.result)

    def _add(self, times: Literal[1, -1], bots: Sequence[str], result: Result) -> None:
        """One match more or less that counts."""
        self.done += times
        for bot, score in zip(bots, result.scores(), strict=True):
            total, count = self.scores.get(bot, (0.0, 0))
            self.scores[bot] = (total + times * float(score), count + times)

    def rate(self, now: float) -> float | None:
        """Matches a second; ``None`` before the first one."""
        passed = now - self.began
        return self.played / passed if self.played and passed > 0 else None

    def left_seconds(self, now: float) -> float | None:
        rate = self.rate(now)
        return None if rate is None else (self.total - self.done) / rate

    def leader(self) -> str | None:
        """Who leads, and with what mean score."""
        means = {bot: total / count for bot, (total, count) in [*self.scores.items()] if count}
        if not means:
            return None
        best = max(means.values())
        names = ", ".join(sorted(bot for bot, mean in means.items() if mean == best))
        return f"{names} {best:.3f}"

    def line(self, now: float) -> str:
        parts = [f"{self.done}/{self.total} matches"]
        rate, left = self.rate(now), self.left_seconds(now)
        if rate is not None and left is not None:
            parts += [f"{rate:.1f}/s", f"{span(left)} left"]
        if leader := self.leader():
            parts.append(f"leader {leader}")
        parts.append(f"infractions {self.infractions}")
        if self.voids:
            parts.append(f"void {self.voids}")
        return "   ".join(parts)


@contextmanager
def showing(tally: Tally, now: Now = time.monotonic) -> Iterator[Callable[[Event], None]]:
    """Show a run while it goes on, and how it stood at its end, whatever ended it.

    What is yielded takes its events.
    """
    try:
        yield from (_live if terminal(errors=True).is_terminal else _plain)(tally, now)
    finally:
        remark(tally.line(now()))


@contextmanager
def counting(total: int, now: Now = time.monotonic) -> Iterator[Callable[[], None]]:
    """Show how many of ``total`` matches are done. What is yielded is called after each."""
    done, last = 0, now()
    bar = _bar(terminal(errors=True))
    task = bar.add_task("", total=total)

    def one_more() -> None:
        nonlocal done, last
        done += 1
        bar.update(task, completed=done)
        if not bar.console.is_terminal and (time_now := now()) - last >= LINE_EVERY:
            last = time_now
            remark(f"{done}/{total} matches")

    if bar.console.is_terminal:
        with bar:
            yield one_more
    else:
        yield one_more


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("matches"),
        BarColumn(None),
        MofNCompleteColumn(),
        console=console,
        expand=True,
        transient=True,
        # What is printed meanwhile goes above the bar, unless it goes elsewhere.
        redirect_stdout=terminal().is_terminal,
    )


def _live(tally: Tally, now: Now) -> Iterator[Callable[[Event], None]]:
    console = terminal(errors=True)
    bar = _bar(console)
    task = bar.add_task("", total=tally.total, completed=tally.done)

    def display() -> Group:
        bar.update(task, completed=tally.done, total=tally.total)
        return Group(bar, safe(tally.line(now())))

    with Live(console=console, get_renderable=display, refresh_per_second=4, transient=True):

        def on_event(event: Event) -> None:
            tally.take(event)
            _mention(event)

        yield on_event


def _plain(tally: Tally, now: Now) -> Iterator[Callable[[Event], None]]:
    last = tally.began

    def on_event(event: Event) -> None:
        nonlocal last
        tally.take(event)
        _mention(event)
        if (time_now := now()) - last >= LINE_EVERY:
            last = time_now
            remark(tally.line(time_now))

    yield on_event


def _mention(event: Event) -> None:
    if isinstance(event, EntrantGone):
        why = f" ({event.reason})" if event.reason else ""
        warn(f"{event.bot} was {event.state}{why}; planned matches now: {event.planned}")
    if isinstance(event, DealReplaced):
        lost = len(event.uncounted)
        less = f"; {lost} of its matches counted and do not any more" if lost else ""
        warn(f"{event.deal_key}: deal {event.replaced_by} replaces it{less}")
    if isinstance(event, AttemptVoid) and event.cause != INTERRUPTED:
        detail = f": {event.detail}" if event.detail else ""
        warn(
            f"{event.match_key}: attempt {event.attempt} is void ({event.cause}{detail}); "
            f"it is {'played again' if event.again else 'not played again in this run'}"
        )
