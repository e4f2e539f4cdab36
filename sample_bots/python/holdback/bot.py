"""Lays what helps nobody else, and otherwise gives way by one card, where it gains most itself."""

from functools import partial

from elfer import Bot, Card, Cards, Tableau, Turn, run


class Holdback(Bot):
    def answer(self, turn: Turn) -> list[Card]:
        hand, table = turn.hand, turn.tableau
        answer: list[Card] = []
        while fits := table.fits(hand):
            must = table.due(turn.due)
            free = [card for card in fits if opened(table, card) <= hand]
            if answer and not must and not free:
                break
            choice = must or free or fits
            card = max(choice, key=partial(beyond, table, hand))
            answer.append(card)
            if turn.single:
                break
            table = table.lay(card)
            hand -= {card}
        return answer


def opened(table: Tableau, card: Card) -> Cards:
    """The cards that fit once ``card`` is laid and did not before."""
    return table.lay(card).frontier - table.frontier


def beyond(table: Tableau, hand: Cards, card: Card) -> int:
    """How many cards of ``hand`` lie beyond ``card`` in its row."""
    return sum(
        other.colour is card.colour and (other >= first > card or other <= first < card)
        for first in opened(table, card)
        for other in hand
    )


if __name__ == "__main__":
    run(Holdback)
