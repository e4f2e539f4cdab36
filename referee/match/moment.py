"""One turn of a transcript as it stood before its act, found by game and number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.core.errors import InputError
from referee.games.registry import AnyGame
from referee.match.history import History
from referee.match.replay import Acted, Forfeited, GameBegun, GameOver, Replay
from referee.match.series import Pairing
from referee.match.transcript import AnyState


@dataclass(frozen=True, slots=True)
class Act:
    """What was done in a turn."""

    act: Any
    text: str
    house: bool
    """The house player did it."""
    chosen: bool
    """Somebody had a choice; else it just happened."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn, before anything is done in it."""

    game: AnyGame
    pairing: Pairing
    turn: int
    seats: tuple[int, ...]
    """The match seats whose turn it is."""
    state: AnyState
    news: tuple[tuple[str, ...], ...]
    """For each of ``seats`` the lines since its last question of this game, as it sees them."""
    forfeited: frozenset[int]
    """Match seats that the house played before this turn."""
    act: Act | None
    """``None``: the match was cut short here."""

    def view(self, seat: int) -> Any:
        return self.state.view(self.pairing.seats.index(seat))


def find_moment(transcript: str, game: int, turn: int) -> Moment:
    """Play a transcript again up to a turn.

    Raises InputError where there is no such game or turn, naming those there are, and
    TranscriptError where the transcript does not hold up to there.
    """
    turns: dict[int, int] = {}
    for moment in _moments(Replay(transcript)):
        number = moment.pairing.number
        if (number, moment.turn) == (game, turn):
            return replace(moment, state=moment.state.clone())
        turns[number] = moment.turn
    if game in turns:
        raise InputError(f"turn {turn}: game {game} has the turns 1 to {turns[game]}")
    games = f"the games 1 to {max(turns)}" if turns else "no games"
    raise InputError(f"game {game}: the match has {games}")


def _moments(replay: Replay) -> Iterator[Moment]:
    """Every turn. The states go on: clone what you keep."""
    forfeited: set[int] = set()
    forfeits: list[int] = []
    begun: GameBegun | None = None
    history: History | None = None
    for step in replay.steps():
        match step:
            case GameBegun():
                begun, history = step, History(replay.game, step.pairing)
            case Forfeited():
                # Its line stands before the turn in which it happened.
                forfeits.append(step.seat)
            case Acted():
                assert history is not None
                act = Act(step.act, step.text, step.house, step.chosen)
                yield _moment(replay, step.pairing, step.state, history, forfeited, act)
                if step.chosen:
                    for seat in step.act.seats:
                        history.since_last(seat)
                for seat in forfeits:
                    history.forfeit(seat)
                forfeited.update(forfeits)
                forfeits.clear()
                history.add(step.act, step.house)
            case GameOver():
                pass
    if begun is not None and history is not None and begun.state.outcome() is None:
        yield _moment(replay, begun.pairing, begun.state, history, forfeited, None)


def _moment(
    replay: Replay,
    pairing: Pairing,
    state: AnyState,
    history: History,
    forfeited: set[int],
    act: Act | None,
) -> Moment:
    seats = _acting(state) if act is None else act.act.seats
    return Moment(
        game=replay.game,
        pairing=pairing,
        turn=history.turn + 1,
        seats=tuple(pairing.seats[seat] for seat in seats),
        state=state,
        news=tuple(history.unseen(seat) for seat in seats),
        forfeited=frozenset(forfeited),
        act=act,
    )


def _acting(state: AnyState) -> tuple[int, ...]:
    decision = state.decision()
    assert decision is not None
    return decision.seats
