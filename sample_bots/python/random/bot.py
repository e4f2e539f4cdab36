"""Lays random cards: a random one that fits, then perhaps another, and so on."""

from elfer import Bot, Card, Turn, run


class Random(Bot):
    def answer(self, turn: Turn) -> list[Card]:
        dice = turn.match.dice
        hand, table, due = turn.hand, turn.tableau, turn.due
        answer: list[Card] = []
        while fits := table.fits(hand):
            may_stop = bool(answer) and not table.due(due)
            chosen = dice.choice([*fits, None] if may_stop else list(fits))
            if chosen is None:
                break
            answer.append(chosen)
            if turn.single:
                break
            table = table.lay(chosen)
            hand -= {chosen}
        return answer


if __name__ == "__main__":
    run(Random)
