"""The conversation, message by message, without a stream."""

import logging
import math
from collections.abc import Iterable

import pytest

from elfer import (
    Bot,
    Card,
    Cards,
    Conduct,
    Game,
    GameResult,
    Match,
    MatchResult,
    Resign,
    Ruling,
    TimeControl,
    Turn,
)
from elfer.session import ProtocolError, Session
from elfer.testing import turn as make_turn
from elfer.v1 import card_pb2, play_pb2
from tests.unit.sdk import messages
from tests.unit.sdk.recorder import Recorders


def answer_to(request_id: str, *cards: card_pb2.Card.ValueType) -> play_pb2.BotMessage:
    return play_pb2.BotMessage(
        answer=play_pb2.Answer(
            match_id=messages.MATCH,
            request_id=request_id,
            elfer_raus=play_pb2.ElferRausAnswer(cards=cards),
        )
    )


def test_a_whole_match() -> None:
    bots = Recorders()
    session = Session(bots)
    assert session.replies([messages.welcome()]) == []
    assert session.resume_nonce == b"nonce-1"
    assert session.replies([messages.match_start(), messages.game_start()]) == []
    assert session.replies([messages.turn("a")]) == [
        answer_to("a", card_pb2.CARD_RED_12, card_pb2.CARD_RED_13)
    ]
    assert session.replies([messages.game_end(), messages.match_end(), messages.goodbye()]) == []
    assert session.over

    (bot,) = bots.made
    match, game, turn, game_result, match_result = bot.seen
    assert isinstance(match, Match)
    assert (match.id, match.seat, match.series.games) == (messages.MATCH, 1, 1)
    assert match.time_control == TimeControl(move=2.0, bank=10.0, increment=0.5, match=math.inf)
    assert match.conduct == Conduct(
        retries=1,
        restarts=2,
        strike_limit=10,
        grace=1.5,
        penalties={"late": 20, "illegal": 10},
        strikes={"late": 2, "illegal": 1},
        consequences={"late": "house", "illegal": "retry"},
        list_only=False,
    )
    assert isinstance(game, Game)
    assert (game.number, game.hand) == (1, Cards([Card.R12, Card.R13]))
    assert isinstance(turn, Turn)
    assert turn.match is match
    assert isinstance(game_result, GameResult)
    assert (game_result.points, game_result.winners) == ((11, 0), (1,))
    assert [act.laid for act in game_result.acts] == [(Card.R12, Card.R13)]
    assert isinstance(match_result, MatchResult)
    assert (match_result.totals, match_result.places, match_result.void) == (
        (11, 10),
        (2, 1),
        False,
    )


def test_what_happens_is_logged_once_a_match(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "elfer"):
        session = Session(Recorders())
        session.replies([messages.welcome(), messages.match_start(), messages.turn("a")])
        session.replies([messages.match_end(), messages.match_start("m2")])
        void = play_pb2.MatchEnd(match_id="m2", void=True)
        session.replies([play_pb2.RefereeMessage(match_end=void), messages.goodbye()])
    assert [record.message for record in caplog.records] == [
        "Seated by referee 0.1.0",
        "Match of ravensburger@1: seat 1 of 2, games 1",
        "Match over: place 1, total 10",
        "Match of ravensburger@1: seat 1 of 2, games 1",
        "Match void: it will be played again",
        "Goodbye. The sitting is over.",
    ]


def test_every_match_has_a_bot_of_its_own() -> None:
    bots = Recorders()
    session = Session(bots)
    for match_id in ("m1", "m2"):
        session.replies([messages.match_start(match_id), messages.match_end(match_id)])
    assert [len(bot.seen) for bot in bots.made] == [2, 2]


def test_a_second_try_knows_why_the_first_was_refused(caplog: pytest.LogCaptureFixture) -> None:
    bots = Recorders()
    session = Session(bots)
    session.replies([messages.match_start(), messages.turn("a")])
    with caplog.at_level(logging.WARNING, "elfer"):
        session.replies([messages.ruling("a", retry=True), messages.turn("b", try_=2)])
    session.replies([messages.turn("c")])
    _, first, ruling, second, third = bots.made[0].seen
    assert isinstance(ruling, Ruling)
    assert (ruling.code, ruling.card) == ("not_adjacent", Card.R13)
    assert (ruling.infraction, ruling.penalty, ruling.strikes) == ("illegal", 10, 3)
    assert (ruling.retry, ruling.consequence) == (True, "retry")
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert isinstance(third, Turn)
    assert (first.refused, second.refused, third.refused) == (None, ruling, None)
    assert (first.try_number, second.try_number) == (1, 2)
    assert "R12 or R14 must be laid before it (§4.3, not_adjacent)" in caplog.text


def test_a_ruling_without_a_retry_is_not_carried_to_the_next_turn() -> None:
    bots = Recorders()
    session = Session(bots)
    session.replies([messages.match_start(), messages.ruling("a", retry=False)])
    session.replies([messages.turn("b")])
    turn = bots.made[0].seen[-1]
    assert isinstance(turn, Turn)
    assert turn.refused is None


def test_a_ruling_about_no_match_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "elfer"):
        Session(Recorders()).replies([messages.ruling("a", retry=False, match_id="")])
    assert "not_adjacent" in caplog.text


def test_many_turns_in_one_element_are_answered_in_order() -> None:
    session = Session(Recorders())
    session.replies([messages.match_start("m1"), messages.match_start("m2")])
    replies = session.replies([messages.turn("a", "m1"), messages.turn("b", "m2")])
    assert [(reply.answer.match_id, reply.answer.request_id) for reply in replies] == [
        ("m1", "a"),
        ("m2", "b"),
    ]


def test_a_bot_may_resign() -> None:
    class Faint(Bot):
        def answer(self, turn: Turn) -> Iterable[Card]:
            raise Resign

    session = Session(Faint)
    session.replies([messages.match_start()])
    assert session.replies([messages.turn("a")]) == [
        play_pb2.BotMessage(resign=play_pb2.Resign(match_id=messages.MATCH))
    ]


@pytest.mark.parametrize("cards", [None, "R12", ["R12"], [2**40]])
def test_a_failing_bot_shows_the_turn_it_failed_at(cards: list[Card]) -> None:
    class Broken(Bot):
        def answer(self, turn: Turn) -> Iterable[Card]:
            return cards

    session = Session(Broken)
    session.replies([messages.match_start()])
    with pytest.raises(TypeError, match="it gives cards") as caught:
        session.replies([messages.turn("a")])
    (note,) = caught.value.__notes__
    assert "hand R12-13; laid R11; fits R12" in note
    again = eval(note.splitlines()[-1].strip(), {"turn": make_turn})
    assert again.fits == Cards([Card.R12])
    assert again.match.seat == 1


def test_a_request_that_comes_again_gets_the_same_answer_and_the_bot_is_not_asked() -> None:
    """As after a loss, when the referee cannot tell whether the answer was on its way."""
    bots = Recorders()
    session = Session(bots)
    session.replies([messages.welcome(), messages.match_start(), messages.game_start()])
    first = session.replies([messages.turn("a")])
    again = session.replies([messages.welcome(b"nonce-2"), messages.turn("a")])
    assert again == first == [answer_to("a", card_pb2.CARD_RED_12, card_pb2.CARD_RED_13)]
    assert session.resume_nonce == b"nonce-2"
    assert [turn for turn in bots.made[0].seen if isinstance(turn, Turn)] == bots.made[0].seen[2:]
    assert len(bots.made[0].seen) == 3


def test_elements_are_counted_over_all_streams_but_for_the_welcomes() -> None:
    session = Session(Recorders())
    for element in (
        [messages.welcome()],
        [messages.match_start(), messages.game_start(), messages.turn("a")],
        [messages.welcome(b"nonce-2")],
        [messages.turn("a")],
    ):
        session.replies(element)
    assert session.received == 2


def test_a_resignation_is_given_again_too() -> None:
    class Faint(Bot):
        def answer(self, turn: Turn) -> Iterable[Card]:
            raise Resign

    session = Session(Faint)
    session.replies([messages.match_start()])
    assert session.replies([messages.turn("a")]) == session.replies([messages.turn("a")])


def test_the_same_request_id_in_another_match_is_another_request() -> None:
    bots = Recorders()
    session = Session(bots)
    for match_id in ("m1", "m2"):
        session.replies([messages.match_start(match_id), messages.turn("a", match_id)])
    assert [len(bot.seen) for bot in bots.made] == [2, 2]


def test_a_bot_that_was_started_again_is_given_the_match_so_far() -> None:
    """A fresh process: the games that are over, then the one that is under way."""
    bots = Recorders()
    session = Session(bots)
    replies = session.replies(
        [
            messages.welcome(),
            messages.match_start(),
            messages.game_start(),
            messages.game_end(),
            messages.game_start(game=2),
            messages.turn("a"),
        ]
    )
    assert replies == [answer_to("a", card_pb2.CARD_RED_12, card_pb2.CARD_RED_13)]
    (bot,) = bots.made
    match, first, ended, second, turn = bot.seen
    assert isinstance(match, Match)
    assert isinstance(first, Game)
    assert isinstance(ended, GameResult)
    assert isinstance(second, Game)
    assert isinstance(turn, Turn)
    assert (first.number, ended.number, second.number) == (1, 1, 2)
    assert {first.match, second.match, turn.match} == {match}


def test_words_of_a_later_protocol_are_unknown() -> None:
    bots = Recorders()
    session = Session(bots)
    later = messages.ruling("a", retry=False)
    later.ruling.infraction = 99  # type: ignore[assignment]
    later.ruling.consequence = 99  # type: ignore[assignment]
    session.replies([messages.match_start(), later])
    ruling = bots.made[0].seen[-1]
    assert isinstance(ruling, Ruling)
    assert (ruling.infraction, ruling.consequence) == ("unknown", "unknown")


def test_messages_of_a_later_protocol_are_passed_over() -> None:
    assert Session(Recorders()).replies([play_pb2.RefereeMessage()]) == []


def test_another_game_is_refused_by_name() -> None:
    with pytest.raises(ProtocolError, match="plays elfer-raus, not mogeln"):
        Session(Recorders()).replies([messages.match_start(game="mogeln")])


def test_a_match_that_was_not_started_is_refused() -> None:
    with pytest.raises(ProtocolError, match="a match it has not started: 'm1'"):
        Session(Recorders()).replies([messages.turn("a")])
