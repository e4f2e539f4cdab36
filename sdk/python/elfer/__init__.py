"""Write a bot that plays the card game Elfer raus!

::

    from elfer import Bot, run

    class Lowest(Bot):
        def answer(self, turn):
            return [min(turn.fits, key=lambda card: card.number)]

    run(Lowest)

``elfer.testing`` tests it without a referee.
"""

from elfer.acts import Act, Verb
from elfer.bot import Bot, Resign
from elfer.cards import Card, Cards, Colour
from elfer.rules import Conduct, Rules, Series, TimeControl
from elfer.ruling import Ruling
from elfer.runner import run
from elfer.tableau import Tableau
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
