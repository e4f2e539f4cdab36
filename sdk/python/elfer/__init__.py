"""Write a bot that plays the card game Elfer raus!

::

    from elfer import Bot, run

    class Lowest(Bot):
        def answer(self, turn):
            return [min(turn.fits, key=lambda card: card.number)]

    run(Lowest)

``elfer.testing`` tests it without a referee.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from elfer.acts import Act, Verb
from elfer.cards import Card, Cards, Colour
from elfer.ruling import Ruling
from elfer.tableau import Tableau

if TYPE_CHECKING:
    from elfer.bot import Bot, Resign
    from elfer.rules import Conduct, Rules, Series, TimeControl
    from elfer.runner import run
    from elfer.views import Game, GameResult, Match, MatchResult, Turn

__all__ = [
    "Act",
    "Bot",
    "Card",
    "Cards",
    "Colour",
    "Conduct",
    "Game",
    "GameResult",
    "Match",
    "MatchResult",
    "Resign",
    "Rules",
    "Ruling",
    "Series",
    "Tableau",
    "TimeControl",
    "Turn",
    "Verb",
    "run",
]

_WITH_PROTOCOL: Final = {
    "Bot": "bot",
    "Conduct": "rules",
    "Game": "views",
    "GameResult": "views",
    "Match": "views",
    "MatchResult": "views",
    "Resign": "bot",
    "Rules": "rules",
    "Series": "rules",
    "TimeControl": "rules",
    "Turn": "views",
    "run": "runner",
}
"""Imported when asked for: whoever wants cards alone needs neither grpc nor protobuf."""

if not TYPE_CHECKING:  # else every name would seem to be there

    def __getattr__(name: str) -> Any:
        module = _WITH_PROTOCOL.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
