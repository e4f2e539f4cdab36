"""Gives others as little as it can, card by card, notes what they lack, and searches the end."""

from collections.abc import Iterable
from functools import partial

from elfer import Bot, Card, Cards, Game, Tableau, Turn, Verb, run
from elfer.cards import BIT, cards_of
from elfer.tableau import fitting, still_closed

FAR = 10_000
"""More than any game's value."""


class Counter(Bot):
    def __init__(self) -> None:
        self.table: Tableau | None = None
        self.heard = 0
        self.lacks: dict[int, Cards] = {}
        """By seat, cards that it does not hold and cannot get."""

    def game_started(self, game: Game) -> None:
        self.table, self.heard, self.lacks = game.tableau, 0, {}

    def answer(self, turn: Turn) -> list[Card]:
        self.listen(turn)
        hand, table = turn.hand, turn.tableau
        everything = chain(table, hand)
        if len(everything) == len(hand) and not turn.single:
            return everything
        answer: list[Card] = []
        while due := table.due(turn.due - Cards(answer)):
            card = max(due, key=partial(beyond, table, hand))
            answer.append(card)
            table = table.lay(card)
        if answer:
            return answer
        free = [card for card in turn.fits if opened(table, card) <= hand]
        if turn.may_pass and not free:
            return []
        left = len(turn.match.rules.deck - turn.laid)
        few = 20 if len(turn.seats) == 2 else 16
        if left == sum(turn.hand_sizes) <= few and not turn.single:
            return chain(table, self.search(turn))
        return [max(free or turn.fits, key=partial(beyond, table, hand))]

    def listen(self, turn: Turn) -> None:
        """Learn from what happened; a second try tells the same once more."""
        acts = [act for act in turn.acts if act.turn > self.heard]
        table, self.table, self.heard = self.table, turn.tableau, turn.number - 1
        if table is None or table.laid | Cards(c for a in acts for c in a.laid) != turn.laid:
            self.lacks = {}
            return
        for act in acts:
            if act.verb in (Verb.DRAW, Verb.STUCK):
                # It kept no card that fits; one that it draws later it lays at once.
                self.lacks[act.seat] = table.frontier
            table = table.lay(*act.laid)

    def search(self, turn: Turn) -> Cards:
        """The cards to lay that do best over the deals of the others' cards that are tried."""
        first = turn.seats.index(turn.match.seat)
        others = turn.seats[first + 1 :] + turn.seats[:first]
        ends = [
            End([turn.hand.mask, *self.deal(turn, others)])
            for _ in range(1 if len(others) == 1 else 4)
        ]
        laid, starts = turn.laid.mask, turn.starts.mask

        def worth(cards: int) -> int:
            after = still_closed(starts, cards_of(cards))
            return sum(end.value(laid | cards, after, 1) for end in ends)

        return Cards.from_mask(max(ends[0].moves(laid, starts, 0), key=worth))

    def deal(self, turn: Turn, others: Iterable[int]) -> list[int]:
        """A way in which the others may hold the cards that are left, as masks."""
        room = {seat: turn.hand_sizes[seat] for seat in others}
        hands = dict.fromkeys(room, 0)
        cards = list(turn.match.rules.deck - turn.laid - turn.hand)
        turn.match.dice.shuffle(cards)
        # Those that many cannot hold first, while there is room at those who can.
        cards.sort(key=lambda card: -sum(card in lacks for lacks in self.lacks.values()))
        for card in cards:
            seats = [seat for seat, free in room.items() if free]
            able = [seat for seat in seats if card not in self.lacks.get(seat, ())] or seats
            (seat,) = turn.match.dice.choices(able, [room[seat] for seat in able])
            hands[seat] |= BIT[card]
            room[seat] -= 1
        return list(hands.values())


class End:
    """A game without stock, every hand known, seat 0 ours and the others all against us.

    A seat lays one card or all it can; cards are masks. Values are the others' points less
    ours, times their number.
    """

    def __init__(self, hands: list[int]) -> None:
        self.hands = hands
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}

    def value(self, laid: int, starts: int, seat: int, low: int = -FAR, high: int = FAR) -> int:
        """The game's value with ``seat`` to move: exact within ``low`` to ``high``."""
        if not self.hands[seat - 1] & ~laid:
            points = [sum(card.number for card in cards_of(h & ~laid)) for h in self.hands]
            return sum(points) - points[0] * len(points)
        ours, following = seat == 0, (seat + 1) % len(self.hands)
        moves = self.moves(laid, starts, seat)
        if not moves:
            return self.value(laid, starts, following, low, high)
        floor, ceiling = self.bounds.get((laid, seat), (-FAR, FAR))
        low, high = max(low, floor), min(high, ceiling)
        if low >= high:
            return low if low == floor else high
        best, alpha, beta = -FAR if ours else FAR, low, high
        for cards in moves:
            after = still_closed(starts, cards_of(cards)) if cards & starts else starts
            value = self.value(laid | cards, after, following, alpha, beta)
            if ours:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
            if alpha >= beta:
                break
        self.bounds[laid, seat] = (best if best > low else floor, best if best < high else ceiling)
        return best

    def moves(self, laid: int, starts: int, seat: int) -> list[int]:
        """Each card that fits, first what opens nothing to others; then all that can be laid."""
        hand = self.hands[seat] & ~laid
        others = sum(self.hands) & ~laid & ~hand
        reach = fitting(laid, starts, hand)
        cards = cards_of(reach)
        moves = [BIT[card] for card in cards]
        moves.sort(key=lambda bit: (bit << 1 | bit >> 1) & others != 0)
        while more := fitting(laid | reach, still_closed(starts, cards), hand & ~reach):
            reach |= more
        return moves if reach in moves or not moves else [*moves, reach]


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


def chain(table: Tableau, cards: Cards) -> list[Card]:
    """Of these cards all that can be laid, in an order in which they can."""
    order: list[Card] = []
    while fits := table.fits(cards - table.laid):
        order.append(min(fits))
        table = table.lay(order[-1])
    return order


if __name__ == "__main__":
    run(Counter)
