"""What is said to a bot, field by field, and the card numbers of masks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elfer.cards import PACK, cards_of
from elfer.v1 import play_pb2
from referee.core.game import Ruling
from referee.games.registry import PROFILE_IDS, game_for
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction, breach_ruling
from referee.match.player import GameEnd, MatchEnd, Message, Ruled
from referee.match.record import Result
from referee.match.series import Games, Limit
from referee.rpc.codec.elfer_raus import card_numbers
from referee.rpc.codec.games import GAME_CODECS
from referee.rpc.codec.messages import MatchWriter
from tests.support.rpc import GAME_START, MATCH_ID, MATCH_START, VIEW, ask


def told(message: Message) -> play_pb2.RefereeMessage:
    into = play_pb2.RefereeMessage()
    MatchWriter(MATCH_START).tell(message, into)
    return into


@given(st.integers(0, PACK))
def test_card_numbers_are_the_cards_of_the_mask(bits: int) -> None:
    mask = bits & PACK
    assert card_numbers(mask) == tuple(map(int, cards_of(mask)))


@pytest.mark.parametrize("profile", PROFILE_IDS)
def test_every_game_has_a_codec(profile: str) -> None:
    assert game_for(profile, 3).id in GAME_CODECS


def test_match_start() -> None:
    start = told(MATCH_START).match_start
    assert start.match_id == MATCH_ID
    assert start.rules.game == "elfer-raus"
    assert start.rules.profile == "ravensburger@1"
    slots = {slot.name: slot.value for slot in start.rules.slots}
    words = " ".join(f"{name}={value}" for name, value in slots.items())
    assert MATCH_START.rules_line == f"ravensburger@1 {words}"
    assert slots["start"] == "11"
    assert start.series.games == 2
    assert (start.seats, start.seat) == (3, 1)
    assert start.time_control.move_limit_us == 2_000_000
    assert start.time_control.start_limit_us == 60_000_000
    for field in ("bank_us", "increment_us", "match_limit_us"):
        assert not start.time_control.HasField(field)
    conduct = start.conduct
    assert (conduct.retries, conduct.restarts, conduct.strike_limit) == (1, 1, 10)
    assert conduct.grace_us == 2_000_000
    assert {
        penalty.kind: (penalty.points, penalty.strikes, penalty.consequence)
        for penalty in conduct.penalties
    } == {
        play_pb2.InfractionKind.Value(f"INFRACTION_KIND_{kind.name}"): (
            default.penalty,
            default.strikes,
            play_pb2.Consequence.Value(f"CONSEQUENCE_{default.consequence.name}"),
        )
        for kind, (default, *_) in BREACHES.items()
    }
    assert all(penalty.HasField("strikes") for penalty in conduct.penalties)
    kinds = [penalty.kind for penalty in start.conduct.penalties]
    assert kinds == sorted(kinds)
    assert start.seed_commitment == MATCH_START.seed_commitment
    assert start.dice_seed == MATCH_START.dice_seed


def test_every_limit_is_told() -> None:
    control = told(replace(MATCH_START, time_control=TimeControl(1, 2, 3, 4, 5, 6))).match_start
    assert {field.name: us for field, us in control.time_control.ListFields()} == {
        "move_limit_us": 1,
        "bank_us": 2,
        "increment_us": 3,
        "match_limit_us": 4,
        "handshake_limit_us": 5,
        "start_limit_us": 6,
    }


def test_without_a_strike_limit_none_is_told() -> None:
    start = told(replace(MATCH_START, conduct=Conduct(strike_limit=None))).match_start
    assert not start.conduct.HasField("strike_limit")


def test_a_series_to_a_limit() -> None:
    series = told(replace(MATCH_START, series=Limit(500, 900))).match_start.series
    assert series.WhichOneof("kind") == "limit"
    assert (series.limit, series.cap) == (500, 900)


def test_a_series_of_games_has_no_cap() -> None:
    assert told(replace(MATCH_START, series=Games(5))).match_start.series.cap == 0


def test_game_start_shows_no_choice() -> None:
    start = told(GAME_START).game_start
    assert (start.match_id, start.game, start.dealer) == (MATCH_ID, 1, 0)
    assert list(start.seats) == [0, 1, 2]
    sight = start.elfer_raus
    assert list(sight.hand) == [10, 12, 45]
    assert list(sight.laid) == [11]
    assert list(sight.starts) == [31, 51, 71]
    assert (list(sight.hand_sizes), sight.stock) == ([19, 3, 20], 20)
    assert not sight.fits


def test_a_question() -> None:
    into = play_pb2.RefereeMessage()
    MatchWriter(MATCH_START).ask(ask("request"), into)
    turn = into.turn
    assert (turn.match_id, turn.request_id) == (MATCH_ID, "request")
    assert (turn.game, turn.turn, getattr(turn, "try")) == (1, 2, 1)
    assert turn.left_us == 2_000_000
    assert not turn.HasField("bank_us")
    assert not turn.HasField("match_left_us")
    assert list(turn.acts) == ["1 0 open R11"]
    assert (list(turn.seats), list(turn.points)) == ([0, 1, 2], [0, 0, 0])
    assert list(turn.elfer_raus.hand) == [10, 12, 45]
    assert list(turn.elfer_raus.fits) == [10, 12]
    assert not turn.elfer_raus.due
    assert not turn.elfer_raus.may_pass
    assert not turn.elfer_raus.single


def test_a_question_without_a_limit() -> None:
    into = play_pb2.RefereeMessage()
    MatchWriter(MATCH_START).ask(ask("a", left_us=None), into)
    assert not into.turn.HasField("left_us")


def test_a_question_tells_what_is_left_in_all_stores_though_it_be_nothing() -> None:
    into = play_pb2.RefereeMessage()
    question = replace(ask("a", left_us=0), bank_us=0, match_left_us=7)
    MatchWriter(MATCH_START).ask(question, into)
    assert into.turn.HasField("left_us")
    assert into.turn.HasField("bank_us")
    assert (into.turn.left_us, into.turn.bank_us, into.turn.match_left_us) == (0, 0, 7)


def test_a_question_needs_a_choice() -> None:
    question = replace(ask(), view=VIEW._replace(allowed=None))
    with pytest.raises(ValueError, match="what is allowed"):
        MatchWriter(MATCH_START).ask(question, play_pb2.RefereeMessage())


@pytest.mark.parametrize("card", [0, 12, 81, -(2**31), 2**31 - 1])
def test_a_ruling(card: int) -> None:
    given_ruling = Ruling("not_adjacent", "§4.3", card, "R12 is not next to a card.")
    ruling = told(Ruled("a", given_ruling, Infraction.ILLEGAL, 10, 3, Consequence.RETRY)).ruling
    assert (ruling.match_id, ruling.request_id) == (MATCH_ID, "a")
    assert (ruling.code, ruling.section, ruling.text) == (
        "not_adjacent",
        "§4.3",
        "R12 is not next to a card.",
    )
    assert ruling.card == card
    assert ruling.retry
    assert ruling.infraction == play_pb2.INFRACTION_KIND_ILLEGAL
    assert (ruling.penalty, ruling.strikes) == (10, 3)
    assert ruling.consequence == play_pb2.CONSEQUENCE_RETRY


@pytest.mark.parametrize("consequence", Consequence)
def test_a_ruling_tells_what_follows(consequence: Consequence) -> None:
    why = breach_ruling(Infraction.CRASHED)
    ruling = told(Ruled("a", why, Infraction.CRASHED, 50, 1, consequence)).ruling
    assert play_pb2.Consequence.Name(ruling.consequence) == f"CONSEQUENCE_{consequence.name}"
    assert ruling.retry == (consequence is Consequence.RETRY)


def test_game_end() -> None:
    end = told(GameEnd(2, ("9 0 lay R12",), (0, 21, 35), (0,))).game_end
    assert (end.match_id, end.game, list(end.acts)) == (MATCH_ID, 2, ["9 0 lay R12"])
    assert (list(end.points), list(end.winners)) == ([0, 21, 35], [0])


def test_match_end_names_the_seats_that_forfeited() -> None:
    result = Result((1, 2, 3), (0, 0, 50), (1, 2, 53), (1, 2, 3), (False, False, True), (0,))
    end = told(MatchEnd(result)).match_end
    assert not end.void
    assert (list(end.points), list(end.penalties)) == ([1, 2, 3], [0, 0, 50])
    assert (list(end.totals), list(end.places)) == ([1, 2, 53], [1, 2, 3])
    assert (list(end.winners), list(end.forfeits)) == ([0], [2])


def test_a_void_match_has_no_result() -> None:
    end = told(MatchEnd(None)).match_end
    assert end == play_pb2.MatchEnd(match_id=MATCH_ID, void=True)
