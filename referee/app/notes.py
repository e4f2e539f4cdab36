"""What a bot's log tells its author of a breach: the ruling, the times, what was asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.games.registry import game_of_line
from referee.match.clock import Evidence
from referee.match.conduct import Consequence, Infraction
from referee.match.player import Ask, Fault, MatchStart, Reply, Ruled

_GONE: Final = frozenset(
    {
        Infraction.CRASHED,
        Infraction.DISCONNECTED,
        Infraction.PROTOCOL_VIOLATION,
        Infraction.FLOOD,
    }
)
"""Breaches at which an author cannot ask the bot what it was asked."""


class Notes:
    """Follows the questions to a bot in one match."""

    def __init__(self, start: MatchStart) -> None:
        self._game: Final = game_of_line(start.rules_line, start.seats)
        self._ask: Ask | None = None
        """The last that reached the bot."""
        self._reply: Reply | Fault | None = None

    def answered(self, ask: Ask, reply: Reply | Fault) -> None:
        if not isinstance(reply, Fault) or reply.evidence.elapsed_us:
            self._ask = ask
        self._reply = reply

    def ruled(self, ruled: Ruled) -> Iterator[str]:
        """Lines about a ruling on the last answer, or on something beside any question."""
        text = ruled.ruling.text.removesuffix(".")
        what = f"{ruled.kind} ({ruled.ruling.section}): {text}."
        follows = "" if ruled.consequence is Consequence.NONE else f", then {ruled.consequence}"
        yield f"{what} Penalty {ruled.penalty}, strikes so far {ruled.strikes}{follows}"
        if self._ask is None or self._reply is None:
            return
        if ruled.kind is Infraction.LATE:
            yield _times(self._ask, self._reply.evidence)
        if ruled.kind in _GONE:
            yield from self._question(self._ask)

    def _question(self, ask: Ask) -> Iterator[str]:
        yield f"it was asked last in game {ask.game}, turn {ask.turn}, after"
        yield from (f"  {act}" for act in ask.acts)
        picture = self._game.picture(ask.view)
        yield from (f"  {line}" for line in (*picture.table, *picture.own))


def _times(ask: Ask, evidence: Evidence) -> str:
    had = {"limit": ask.left_us, "bank": ask.bank_us, "left of the match": ask.match_left_us}
    took = {
        "elapsed": evidence.elapsed_us,
        "counted": evidence.counted_us,
        "excused": evidence.excused_us,
        "CPU": evidence.bot_cpu_us,
    }
    excuse = f" ({evidence.excuse})" if evidence.excuse else ""
    return f"{_in_ms(had)}; {_in_ms(took)}{excuse}"


def _in_ms(figures: dict[str, int | None]) -> str:
    return ", ".join(
        f"{name} {figure / 1000:.1f} ms" for name, figure in figures.items() if figure is not None
    )
