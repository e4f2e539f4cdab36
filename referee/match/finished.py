"""The games of a transcript that came to their end: its lines read, not played again."""

from __future__ import annotations

from typing import NamedTuple

from referee.match.series import Played, Series, parse_series


class FinishedGame(NamedTuple):
    played: Played
    turns: int


def finished_games(transcript: str, seats: int) -> list[FinishedGame]:
    """In order. Raises ``ValueError`` on a line that it cannot read."""
    finished: list[FinishedGame] = []
    series: Series | None = None
    turns = 0
    for line in transcript.splitlines():
        word, _, rest = line.partition(" ")
        if word.isdecimal():
            turns = int(word)
        elif word == "series":
            series = parse_series(rest)
        elif word == "end":
            played = [game.played for game in finished]
            pairing = None if series is None else series.next(seats, played)
            if pairing is None:
                raise ValueError(
                    f"the transcript ends game {len(finished) + 1}, which its series has not"
                )
            points = tuple(map(int, rest.partition(" points ")[2].split(" ")))
            finished.append(FinishedGame(Played(pairing, points), turns))
    return finished
