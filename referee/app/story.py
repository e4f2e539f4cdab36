"""A match told turn by turn: its transcript played again, with what its record says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from referee.match.record import AskRecord, InfractionRecord, MatchRecord
from referee.match.replay import Acted, Forfeited, GameBegun, GameOver, Replay


@dataclass(frozen=True, slots=True)
class GameStory:
    """A game begins."""

    game: int
    dealer: int
    seats: tuple[int, ...]
    redeals: int
    tie_break: bool
    views: tuple[Any, ...]
    """What each of ``seats`` sees."""


@dataclass(frozen=True, slots=True)
class TurnStory:
    """A turn, and what stood before the seats that act in it."""

    game: int
    turn: int
    seats: tuple[int, ...]
    """Those that act."""
    playing: tuple[int, ...]
    """All that play this game."""
    views: tuple[Any, ...]
    """What each of ``playing`` saw."""
    act: Any
    text: str
    house: bool
    chosen: bool
    """Whether anybody was asked."""
    asks: tuple[AskRecord, ...]
    infractions: tuple[InfractionRecord, ...]


@dataclass(frozen=True, slots=True)
class ForfeitStory:
    """From here the house plays the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOverStory:
    """A game is over. Points by match seat."""

    game: int
    turn: int
    """The last one."""
    winners: tuple[int, ...]
    points: tuple[int, ...]
    infractions: tuple[InfractionRecord, ...]
    """Those that no turn shows."""


@dataclass(frozen=True, slots=True)
class BrokenTurnStory:
    """The turn in which a match was cut short: nobody was left to play for."""

    game: int
    turn: int
    asks: tuple[AskRecord, ...]
    infractions: tuple[InfractionRecord, ...]


EntryT = TypeVar("EntryT", AskRecord, InfractionRecord)

Chapter = GameStory | TurnStory | ForfeitStory | GameOverStory | BrokenTurnStory


class Story:
    """Tells a transcript, and with it the record that holds it, if there is one.

    Raises TranscriptError where the transcript does not hold: at once, or on the way.
    """

    def __init__(self, transcript: str, record: MatchRecord | None = None) -> None:
        self._replay: Final = Replay(transcript)
        self.game: Final = self._replay.game
        self._asks: Final = by_turn(record.asks if record else ())
        self._infractions: Final = by_turn(record.infractions if record else ())
        self.seats: Final = self._replay.seats
        self.profile: Final = self.game.rules_line.partition(" ")[0]
        self.series: Final = str(self._replay.series)
        self.seed: Final = self._replay.seed

    def chapters(self) -> Iterator[Chapter]:
        game = turn = 0
        for step in self._replay.steps():
            match step:
                case GameBegun():
                    game, turn = step.pairing.number, 0
                    yield self._game(step)
                case Acted():
                    turn = step.turn
                    yield self._turn(step)
                case Forfeited():
                    yield ForfeitStory(step.seat)
                case GameOver():
                    yield self._over(step, turn)
        if self._asks or self._infractions:
            yield BrokenTurnStory(game, turn + 1, _all_of(self._asks), _all_of(self._infractions))

    @property
    def complete(self) -> bool:
        """After the chapters: whether the match came to its end."""
        return self._replay.complete

    def _game(self, step: GameBegun) -> GameStory:
        pairing, state = step.pairing, step.state
        return GameStory(
            game=pairing.number,
            dealer=pairing.dealer,
            seats=pairing.seats,
            redeals=state.deal,
            tie_break=pairing.tie_break,
            views=_views(step),
        )

    def _turn(self, step: Acted) -> TurnStory:
        key = (step.pairing.number, step.turn)
        return TurnStory(
            game=step.pairing.number,
            turn=step.turn,
            seats=step.seats,
            playing=step.pairing.seats,
            views=_views(step),
            act=step.act,
            text=step.text,
            house=step.house,
            chosen=step.chosen,
            asks=tuple(self._asks.pop(key, ())),
            infractions=tuple(self._infractions.pop(key, ())),
        )

    def _over(self, step: GameOver, turn: int) -> GameOverStory:
        game = step.played.pairing.number
        left = sorted(key for key in self._infractions if key[0] == game)
        return GameOverStory(
            game=game,
            turn=turn,
            winners=step.winners,
            points=step.played.points,
            infractions=tuple(found for key in left for found in self._infractions.pop(key)),
        )


def _views(step: GameBegun | Acted) -> tuple[Any, ...]:
    return tuple(step.state.view(seat) for seat in range(len(step.pairing.seats)))


def by_turn(entries: Sequence[EntryT]) -> dict[tuple[int, int], list[EntryT]]:
    """Entries of a record by their game and turn."""
    found: dict[tuple[int, int], list[EntryT]] = defaultdict(list)
    for entry in entries:
        found[entry.game, entry.turn].append(entry)
    return found


def _all_of(left: dict[tuple[int, int], list[EntryT]]) -> tuple[EntryT, ...]:
    return tuple(entry for key in sorted(left) for entry in left[key])
