"""A turn found by its number is the one that was asked, with what its seat was sent."""

from dataclasses import replace

import pytest

from referee.core.errors import InputError
from referee.core.game import Ruling
from referee.match.conduct import Infraction
from referee.match.explain import explain
from referee.match.moment import find_moment
from referee.match.player import Ask, Fault, Reply
from referee.match.record import MatchRecord
from referee.match.replay import TranscriptError
from referee.match.series import Games
from tests.support.matches import QUICK, ScriptedPlayer, honest, play, record_of, setup

PLAYERS = [honest(seat) for seat in range(3)]
RECORD = record_of(play(setup(3, series=Games(2)), PLAYERS))
ASKED = [(seat, ask) for seat, player in enumerate(PLAYERS) for ask in player.asked]


def gone(after: int) -> ScriptedPlayer:
    """Answers so many questions, then leaves."""
    legal = honest()
    left = iter(range(after))
    return ScriptedPlayer(
        lambda ask: (
            legal.answer(ask)
            if next(left, None) is not None
            else Fault(Infraction.DISCONNECTED, QUICK, "")
        )
    )


def test_every_question_is_found_with_its_view_and_what_was_new() -> None:
    assert len(ASKED) > 50
    for seat, ask in ASKED:
        moment = find_moment(RECORD.transcript, ask.game, ask.turn)
        assert moment.seats == (seat,)
        assert moment.view(seat) == ask.view
        assert moment.news == (ask.acts,)
        assert moment.act is not None
        assert moment.act.chosen


def test_what_happens_without_a_question_is_found_too() -> None:
    moment = find_moment(RECORD.transcript, 1, 1)
    assert moment.act is not None
    assert (moment.act.text[:4], moment.act.chosen) == ("open", False)
    explained = explain(moment, RECORD)
    assert (explained.act, explained.chosen) == (moment.act.text, False)
    [seat] = explained.seats
    assert (seat.answers, seat.accepted) == ((), ())


def test_the_state_is_that_before_the_act() -> None:
    seat, ask = ASKED[-1]
    moment = find_moment(RECORD.transcript, ask.game, ask.turn)
    before = moment.view(seat)
    assert moment.act is not None
    twin = moment.state.clone()
    twin.apply(moment.act.act)
    assert moment.view(seat) == before == ask.view


@pytest.mark.parametrize(
    ("game", "turn", "told"),
    [(3, 1, "the match has the games 1 to 2"), (1, 999, "game 1 has the turns 1 to ")],
)
def test_what_there_is_not_is_named_with_what_there_is(game: int, turn: int, told: str) -> None:
    with pytest.raises(InputError, match=told):
        find_moment(RECORD.transcript, game, turn)


def test_a_transcript_that_does_not_hold_is_refused() -> None:
    with pytest.raises(TranscriptError):
        find_moment(RECORD.transcript.replace("\n1 ", "\n9 "), 2, 1)


def test_a_forfeit_is_told_from_the_turn_after_it_on() -> None:
    players = [honest(0), gone(1), honest(2)]
    record = record_of(play(setup(3), players))
    left = next(ask for ask in record.asks if ask.seat == 1 and ask.answer is None)
    moment = find_moment(record.transcript, 1, left.turn)
    assert moment.forfeited == frozenset()
    assert moment.news == (players[1].asked[-1].acts,)
    explained = explain(moment, record)
    assert explained.house
    [seat] = explained.seats
    assert (seat.bot, seat.forfeited) == ("bot-1", False)
    [answer] = seat.answers
    assert answer.answer is None
    assert answer.ruling is not None
    assert (answer.ruling.section, answer.ruling.why) == ("§7.4", ())
    assert answer.ruling.sentence is not None
    assert [found.kind for found in seat.infractions] == [Infraction.DISCONNECTED]
    later = next(ask for ask in players[2].asked if ask.turn > left.turn)
    assert "forfeit 1" in later.acts
    moment = find_moment(record.transcript, 1, later.turn)
    assert moment.forfeited == {1}
    assert moment.news == (later.acts,)


def test_the_turn_in_which_a_match_was_cut_short() -> None:
    record = record_of(play(setup(2), [gone(2), gone(3)]))
    last = record.asks[-1]
    moment = find_moment(record.transcript, last.game, last.turn)
    assert (moment.seats, moment.act) == ((last.seat,), None)
    explained = explain(moment, record)
    assert (explained.act, explained.chosen) == (None, True)
    assert explained.seats[0].accepted
    with pytest.raises(InputError, match=f"1 to {last.turn}"):
        find_moment(record.transcript, 1, last.turn + 1)


def refused() -> MatchRecord:
    answers = iter([Reply((80, 1), QUICK), Reply((), QUICK)])
    legal = honest()

    def answer(ask: Ask) -> Reply | Fault:
        return next(answers, None) or legal.answer(ask)

    return record_of(play(setup(2), [ScriptedPlayer(answer), honest(1)]))


def test_refusals_are_explained() -> None:
    record = refused()
    tries = [ask for ask in record.asks if ask.ruling is not None]
    moment = find_moment(record.transcript, 1, tries[0].turn)
    [seat] = explain(moment, record).seats
    assert [answer.try_ for answer in seat.answers] == [1, 2]
    assert [answer.allowed_us for answer in seat.answers] == [2_000_000, 1_999_900]
    for answer in seat.answers:
        assert answer.ruling is not None
        assert answer.ruling.sentence == moment.game.rulebook(answer.ruling.section)
        assert len(answer.ruling.why) == 2


def test_what_a_forged_record_says_is_told_and_not_believed() -> None:
    record = refused()
    ruling = Ruling("invented", "§99.9", 0, "because")
    asks = tuple(replace(ask, ruling=ruling, seat=0) for ask in record.asks)
    forged = replace(record, asks=asks, seats=())
    for turn in range(1, 10):
        [seat] = explain(find_moment(forged.transcript, 1, turn), forged).seats
        assert seat.bot is None
        assert all(answer.ruling and not answer.ruling.why for answer in seat.answers)
