"""A match as one seat knows it, for a bot that comes new to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.match.player import Ask, GameEnd, GameStart, MatchStart, Message


class Memory:
    """Keeps what a seat was told of a match, and makes up for what its bot did not hear of it."""

    def __init__(self) -> None:
        self._past: Final[list[MatchStart | GameStart | GameEnd]] = []
        """With the acts of whole games."""
        self._acts: Final[list[str]] = []
        """Those of the game under way."""
        self._heard = 0
        """How many of them the bot has."""
        self._news: tuple[str, ...] = ()

    def told(self, message: Message) -> Message:
        """Keep a message. Gives it as the bot has to hear it."""
        match message:
            case MatchStart():
                self._past.append(message)
            case GameStart():
                self._past.append(message)
                self._acts.clear()
                self._heard = 0
            case GameEnd():
                self._acts.extend(message.acts)
                self._past.append(replace(message, acts=tuple(self._acts)))
                return replace(message, acts=tuple(self._acts[self._heard :]))
        return message

    def asked(self, ask: Ask) -> Ask:
        """Keep what a question tells. Gives it as the bot has to hear it."""
        if ask.try_ == 1:
            self._acts.extend(ask.acts)
            self._news = tuple(self._acts[self._heard :])
            self._heard = len(self._acts)
        return replace(ask, acts=self._news)

    def afresh(self) -> tuple[Message, ...]:
        """The match so far, for a bot that has heard nothing of it.

        The acts of the game under way follow with its next question or its end.
        """
        self._heard = 0
        return tuple(self._past)
