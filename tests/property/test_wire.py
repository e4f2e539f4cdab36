"""Non-interference on the wire: what a seat is sent does not depend on what it may not know.

Two worlds differ in the cards of the other hands and the stock alone. They are played with the
same acts, as far as one seat can tell, for as long as they can be: until then that seat's
stream carries the same bytes. Request ids, seeds and time are the test's, and the same.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elfer.v1 import card_pb2, play_pb2
from referee.core.dice import Dice
from referee.core.game import Ruling
from referee.games.elfer_raus.game import ElferRaus
from referee.games.elfer_raus.state import Answer, ElferRausState
from referee.match.clock import Evidence
from referee.match.player import Ask, Message, Player, Reply, Stray
from referee.match.series import Games
from referee.match.table import MatchSetup, Table
from referee.rpc.session import Session
from tests.support import random_play
from tests.support.rpc import ManualTimers, MemoryStream
from tests.support.worlds import rearranged, same_for

DEALER = 0
"""Of a match's first game."""
Script = list[tuple[int, Answer]]
"""Who answers what, in order."""


@dataclass(frozen=True, slots=True)
class World(ElferRaus):
    """The game in which this is dealt, whatever the seed."""

    dealt: ElferRausState = field(kw_only=True)

    def deal(self, dice: Dice, number: int, dealer: int) -> ElferRausState:
        assert (number, dealer) == (1, DEALER)
        return self.dealt.clone()


class EnoughError(Exception):
    """From here the seat can tell the worlds apart."""


class Scripted:
    """A player that gives its answers of the script, and is then at a loss."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = deque(answers)

    async def ask(self, ask: Ask) -> Reply:
        if not self._answers:
            raise EnoughError
        return Reply(self._answers.popleft(), Evidence(0))

    def tell(self, message: Message) -> None:
        """It needs to know nothing."""

    def strays(self) -> tuple[Stray, ...]:
        return ()


def script_of(
    game: ElferRaus, one: ElferRausState, other: ElferRausState, seat: int, random: Random
) -> Script:
    """What is answered in both worlds while ``seat`` cannot tell them apart.

    Now and then ``seat`` first gives an answer that is refused.
    """
    one, other = one.clone(), other.clone()
    script: Script = []
    while one.outcome() is None and other.outcome() is None:
        pair = same_for(game, one, other, seat, random)
        if pair is None:
            break
        if one.decision() is not None:
            if one.seat == seat and random.random() < 0.3:
                wild = on_the_wire(random_play.wild_choice(one, random))
                if isinstance(one.judge(seat, wild), Ruling):
                    script.append((seat, wild))
            script.append((one.seat, game.answer(pair[0])))
        for state, act in zip((one, other), pair, strict=True):
            state.apply(act)
    return script


def on_the_wire(answer: Answer) -> Answer:
    """Without what no message can hold."""
    return tuple(card for card in answer if -(2**31) <= card < 2**31)


async def sent_to(seat: int, world: World, script: Script) -> list[bytes]:
    """What goes to a seat while the script is played: its welcome, and all to its last turn."""
    session, stream = Session("bot", "token", ManualTimers()), MemoryStream()
    session.sit_down(play_pb2.Welcome(protocol_version=1, resume_nonce=bytes(16)))
    setup = MatchSetup(
        game=world,
        series=Games(1),
        seed=bytes(32),
        seed_commitment=bytes(32),
        dice_seeds=(bytes(32),) * world.seats,
        match_id="match",
    )
    players: list[Player] = [
        session if player == seat else Scripted(answer for by, answer in script if by == player)
        for player in range(world.seats)
    ]
    ids = count()
    conversation = asyncio.create_task(session.converse(stream))
    playing = asyncio.create_task(Table(setup, players, lambda: f"{next(ids)}").play())
    sent = [await stream.sent()]
    for by, cards in script:
        if by == seat:
            sent.append(await stream.sent())
            await stream.send(answer_to(sent[-1], cards))
    conversation.cancel()
    playing.cancel()
    await asyncio.gather(conversation, playing, return_exceptions=True)
    return sent


def answer_to(element: bytes, cards: Answer) -> bytes:
    turn = play_pb2.PlayResponse.FromString(element).messages[-1].turn
    numbers = [card_pb2.Card.ValueType(card) for card in cards]
    answer = play_pb2.Answer(
        match_id=turn.match_id,
        request_id=turn.request_id,
        elfer_raus=play_pb2.ElferRausAnswer(cards=numbers),
    )
    request = play_pb2.PlayRequest(messages=[play_pb2.BotMessage(answer=answer)])
    return request.SerializeToString()


def compare(profile: str, seats: int, seat: int, random: Random) -> int:
    """Play a deal in two worlds. Gives how many elements the seat was sent alike in both."""
    game = ElferRaus.of_profile(profile, seats)
    one = game.deal(Dice(random.randbytes(32)), 1, DEALER)
    other = rearranged(one, seat, random, swaps=random.choice([1, 2, 5, 80]))
    script = script_of(game, one, other, seat, random)
    here, there = (
        asyncio.run(sent_to(seat, World(game.profile, game.rules, seats, dealt=dealt), script))
        for dealt in (one, other)
    )
    assert here == there
    return len(here)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("profile", ["ravensburger@1", "optional-pass@1"])
@settings(max_examples=8)
@given(seed=st.integers(min_value=0, max_value=2**64))
def test_a_seat_is_sent_nothing_hidden(profile: str, seats: int, seed: int) -> None:
    random = Random(seed)
    compare(profile, seats, random.randrange(seats), random)


def test_many_elements_are_compared() -> None:
    """What the property above rests on."""
    assert sum(compare("ravensburger@1", 3, 1, Random(number)) for number in range(20)) > 60


def test_whose_cards_changed_is_sent_other_bytes() -> None:
    """The comparison is not blind."""
    game = ElferRaus.of_profile("ravensburger@1", 3)
    compared = 0
    for number in range(20):
        random = Random(number)
        one = game.deal(Dice(random.randbytes(32)), 1, DEALER)
        other = rearranged(one, 1, random, swaps=5)
        script = script_of(game, one, other, 1, random)
        for seat in {by for by, _ in script if one.hands[by] != other.hands[by]}:
            here, there = (
                asyncio.run(sent_to(seat, World(game.profile, game.rules, 3, dealt=dealt), script))
                for dealt in (one, other)
            )
            assert here[0] == there[0]
            assert here[1] != there[1]
            compared += 1
    assert compared > 5
