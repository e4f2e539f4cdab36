"""As little of a bot as there can be: what is measured is the referee."""

from collections.abc import Iterable

from elfer import Bot, Card, Turn, run


class Lowest(Bot):
    def answer(self, turn: Turn) -> Iterable[Card]:
        return [min(turn.fits)]


if __name__ == "__main__":
    run(Lowest)
