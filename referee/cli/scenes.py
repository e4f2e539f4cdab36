"""A match in steps: what is looked at together."""

from __future__ import annotations

from dataclasses import dataclass

from referee.app.story import (
    BrokenTurnStory,
    Chapter,
    ForfeitStory,
    GameOverStory,
    GameStory,
    Story,
    TurnStory,
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A chapter, after the forfeits that were noted just before it."""

    chapters: tuple[Chapter, ...]
    game: int
    turn: int
    """0 before the first."""
    infraction: bool
    """Somebody broke a rule here."""


def scenes(story: Story) -> list[Scene]:
    """All of a match. Raises TranscriptError where the transcript does not hold."""
    found: list[Scene] = []
    forfeits: list[Chapter] = []
    game = turn = 0
    for chapter in story.chapters():
        if isinstance(chapter, ForfeitStory):
            forfeits.append(chapter)
            continue
        game, turn = chapter.game, 0 if isinstance(chapter, GameStory) else chapter.turn
        found.append(Scene((*forfeits, chapter), game, turn, _infraction(chapter)))
        forfeits.clear()
    if forfeits:
        found.append(Scene(tuple(forfeits), game, turn, infraction=False))
    return found


def _infraction(chapter: Chapter) -> bool:
    match chapter:
        case TurnStory() | GameOverStory() | BrokenTurnStory():
            return bool(chapter.infractions)
        case _:
            return False
