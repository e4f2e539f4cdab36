"""The players of a recorded match: they give the table what their bots gave it.

So the table that plays live plays the match again, and derives all that can be derived.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.core.dice import bot_seed
from referee.core.errors import VerificationError
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, Message, Player, Reply, Stray
from referee.match.record import MOST_CARDS_KEPT, GivenAnswer, InfractionRecord, MatchRecord
from referee.match.replay import Replay
from referee.match.table import MatchSetup, Table

MOST_CARDS_SENT: Final = 1_000_000
"""More than any message can hold."""

_SHOWN: Final = 200


class Difference(NamedTuple):
    """The first thing that does not hold."""

    where: str
    """A transcript line, or a field of the record."""
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


class DiffersError(VerificationError):
    """Something in a record does not hold."""

    def __init__(self, where: str, expected: object, found: object) -> None:
        self.difference = Difference(where, str(expected)[:_SHOWN], str(found)[:_SHOWN])
        super().__init__(str(self.difference))


def same(where: str, expected: object, found: object) -> None:
    """Raises ``DiffersError`` unless they are."""
    if expected != found:
        raise DiffersError(where, expected, found)


def table_of(
    record: MatchRecord, replay: Replay, players: Sequence[Player], *, match_id: str = ""
) -> Table:
    """The table of a recorded match, to play it again with these players.

    ``replay`` is that of the record's transcript. Bots get the dice they had (§10.3).
    """
    setup = MatchSetup(
        game=replay.game,
        series=replay.series,
        seed=replay.seed,
        seed_commitment=record.seed_commitment,
        dice_seeds=tuple(
            bot_seed(replay.seed, record.match_key, seat) for seat in range(replay.seats)
        ),
        match_id=match_id,
        time_control=record.time_control,
        conduct=record.conduct,
    )
    ids = iter([ask.request_id for ask in record.asks])
    return Table(setup, players, lambda: next(ids, ""))


class RecordedPlayer:
    """Gives the table what the record says that a seat's bot gave.

    Raises ``DiffersError`` where the record has nothing that fits.
    """

    def __init__(self, record: MatchRecord, seat: int) -> None:
        self._seat = seat
        self._asks = deque(ask for ask in record.asks if ask.seat == seat)
        refused = Counter((ask.game, ask.turn) for ask in self._asks if ask.ruling is not None)
        infractions: dict[tuple[int, int], deque[InfractionRecord]] = defaultdict(deque)
        for infraction in record.infractions:
            if infraction.seat == seat:
                infractions[infraction.game, infraction.turn].append(infraction)
        # A turn's infractions are those found before its question, then one for each
        # refused try.
        self._strays = {
            at: tuple(Stray(*_seen(of_turn)) for _ in range(len(of_turn) - refused[at]))
            for at, of_turn in infractions.items()
        }
        self._refusals = infractions

    async def ask(self, ask: Ask) -> Reply | Fault:
        where = f"question to seat {self._seat} in game {ask.game}, turn {ask.turn}"
        if not self._asks:
            raise DiffersError("asks", f"a {where}", "none")
        recorded = self._asks.popleft()
        evidence = Evidence(
            recorded.elapsed_us, recorded.bot_cpu_us, recorded.excused_us, recorded.excuse
        )
        refusals = self._refusals.get((recorded.game, recorded.turn))
        kind, detail = None, ""
        if recorded.ruling is not None and refusals:
            kind, detail = _seen(refusals)
        if recorded.answer is not None:
            return Reply(_whole(recorded.answer, where), evidence)
        if kind is None or recorded.ruling is None or recorded.ruling.code != kind:
            raise DiffersError(
                where, "an answer, or an infraction that explains there is none", kind
            )
        return Fault(kind, evidence, detail)

    def strays(self) -> tuple[Stray, ...]:
        if self._asks:
            return self._strays.pop((self._asks[0].game, self._asks[0].turn), ())
        left = tuple(stray for strays in self._strays.values() for stray in strays)
        self._strays.clear()
        return left

    def tell(self, message: Message) -> None:
        """A record has no ears."""


def _seen(infractions: deque[InfractionRecord]) -> tuple[Infraction, str]:
    infraction = infractions.popleft()
    return infraction.kind, infraction.detail


def _whole(answer: GivenAnswer, where: str) -> tuple[int, ...]:
    """The answer at its full length. Its fault lies in the cards kept: no hand is so large."""
    if not len(answer.cards) <= answer.count <= MOST_CARDS_SENT or (
        len(answer.cards) < min(answer.count, MOST_CARDS_KEPT)
    ):
        raise DiffersError(f"answer to the {where}", f"{len(answer.cards)} cards", answer.count)
    return answer.cards + (0,) * (answer.count - len(answer.cards))
