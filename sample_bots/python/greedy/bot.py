"""Lays all it can, dearest first. A bad idea: every card opens a row for the others too."""

from elfer import Bot, Card, Turn, run


class Greedy(Bot):
    def answer(self, turn: Turn) -> list[Card]:
        hand, table = turn.hand, turn.tableau
        answer: list[Card] = []
        while fits := table.fits(hand):
            dearest = max(fits, key=lambda card: card.number)
            answer.append(dearest)
            if turn.single:
                break
            table = table.lay(dearest)
            hand -= {dearest}
        return answer


if __name__ == "__main__":
    run(Greedy)
