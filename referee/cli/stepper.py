"""Where one stands in a match, and the ways from there. Knows of no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar


class Frame(Protocol):
    """What is looked at in one step."""

    @property
    def game(self) -> int: ...

    @property
    def turn(self) -> int:
        """0 before the first."""
        ...

    @property
    def infraction(self) -> bool:
        """Somebody broke a rule here."""
        ...


FrameT = TypeVar("FrameT", bound=Frame)


class Stepper(Generic[FrameT]):
    """Stands at one of the frames, of which there is one at least, in order of game and turn.

    Every way gives whether it led anywhere.
    """

    def __init__(self, frames: Sequence[FrameT]) -> None:
        if not frames:
            raise ValueError("there is nothing to step through")
        self.frames = frames
        self.at = 0

    @property
    def frame(self) -> FrameT:
        return self.frames[self.at]

    def next(self) -> bool:
        return self._to(self.at + 1)

    def back(self) -> bool:
        return self._to(self.at - 1)

    def first(self) -> bool:
        return self._to(0)

    def last(self) -> bool:
        return self._to(len(self.frames) - 1)

    def next_game(self) -> bool:
        return self._find(self._after(), lambda frame: frame.game > self.frame.game)

    def previous_game(self) -> bool:
        """To the beginning of this game, and from there of the one before."""
        before = self.frames[max(0, self.at - 1)].game
        return self._find(range(self.at), lambda frame: frame.game == before)

    def next_infraction(self) -> bool:
        return self._find(self._after(), lambda frame: frame.infraction)

    def previous_infraction(self) -> bool:
        return self._find(range(self.at - 1, -1, -1), lambda frame: frame.infraction)

    def go(self, game: int, turn: int = 0) -> bool:
        """To a turn; to where a game begins for turn 0."""
        every = range(len(self.frames))
        return self._find(every, lambda frame: (frame.game, frame.turn) == (game, turn))

    def _after(self) -> range:
        return range(self.at + 1, len(self.frames))

    def _find(self, where: Iterable[int], wanted: Callable[[FrameT], bool]) -> bool:
        found = next((at for at in where if wanted(self.frames[at])), None)
        return found is not None and self._to(found)

    def _to(self, at: int) -> bool:
        if at == self.at or not 0 <= at < len(self.frames):
            return False
        self.at = at
        return True
