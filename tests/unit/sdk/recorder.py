"""A bot that notes what happens to it."""

from elfer import Bot, Card, Game, GameResult, Match, MatchResult, Ruling, Turn


class Recorder(Bot):
    """Lays all it has."""

    def __init__(self) -> None:
        self.seen: list[Match | Game | Turn | Ruling | GameResult | MatchResult] = []

    def answer(self, turn: Turn) -> list[Card]:
        self.seen.append(turn)
        return list(turn.hand)

    def match_started(self, match: Match) -> None:
        self.seen.append(match)

    def game_started(self, game: Game) -> None:
        self.seen.append(game)

    def ruled(self, ruling: Ruling) -> None:
        self.seen.append(ruling)

    def game_ended(self, result: GameResult) -> None:
        self.seen.append(result)

    def match_ended(self, result: MatchResult) -> None:
        self.seen.append(result)


class Recorders:
    """Makes recorders and keeps them."""

    def __init__(self) -> None:
        self.made: list[Recorder] = []

    def __call__(self) -> Recorder:
        self.made.append(Recorder())
        return self.made[-1]
