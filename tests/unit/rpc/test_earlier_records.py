"""Records made before strikes, consequences, restarts and grace had fields still hold."""

import pytest

from elfer.v1 import record_pb2
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Infraction
from referee.match.player import Ask, Fault, Reply, Stray
from referee.match.record import MatchRecord
from referee.match.series import Games
from referee.match.verify import verify
from referee.rpc.codec import decode_record, decode_record_json, encode_record, record_json
from tests.support import matches
from tests.support.matches import QUICK

CONDUCT = Conduct(
    restarts=0,
    strike_limit=None,
    grace_us=0,
    measures={kind: breach.default._replace(strikes=1) for kind, breach in BREACHES.items()},
)
"""As they were played: every breach a strike, of which nothing came."""
TIME_CONTROL = TimeControl(start_limit_us=None)

AT_A_QUESTION = {
    Infraction.RESIGNED: ("The bot gave the match up.", ["forfeit"]),
    Infraction.START_FAILURE: ("The bot did not come up.", ["forfeit"]),
    Infraction.CRASHED: ("The bot's process ended.", ["forfeit"]),
    Infraction.DISCONNECTED: ("The bot's stream ended.", ["forfeit"]),
    Infraction.PROTOCOL_VIOLATION: ("The bot broke the protocol.", ["forfeit"]),
    Infraction.FLOOD: ("The bot sent too much.", ["forfeit"]),
    Infraction.LATE: ("The answer was not there in time.", ["house", "house", "house"]),
    Infraction.MALFORMED: ("The answer could not be read.", ["retry", "house", "retry"]),
}
"""What was told of a breach at a question, and what followed the first three."""
BESIDE = [Infraction.WRONG_SEAT, Infraction.EARLY, Infraction.DUPLICATE, Infraction.STALE]


def earlier(bot: matches.ScriptedPlayer) -> bytes:
    """The bytes of a match of ``bot`` against an honest one, without the fields of today."""
    setup = matches.setup(2, series=Games(3), conduct=CONDUCT, time_control=TIME_CONTROL)
    played = matches.play(setup, [bot, matches.honest()])
    record = matches.record_of(played, conduct=CONDUCT, time_control=TIME_CONTROL)
    message = record_pb2.MatchRecord.FromString(encode_record(record))
    for penalty in message.conduct.penalties:
        penalty.ClearField("strikes")
        penalty.ClearField("consequence")
    data = message.SerializeToString()
    assert len(data) < len(encode_record(record))
    return data


def read(data: bytes) -> MatchRecord:
    """The record of the bytes, which verifies and is the same in JSON."""
    record = decode_record(data)
    assert (record.conduct, record.time_control) == (CONDUCT, TIME_CONTROL)
    assert decode_record_json(record_json(data).encode()) == record
    assert verify(record) is None
    return record


@pytest.mark.parametrize("kind", AT_A_QUESTION)
def test_what_followed_a_breach_at_a_question_is_what_follows(kind: Infraction) -> None:
    text, followed = AT_A_QUESTION[kind]
    record = read(earlier(matches.ScriptedPlayer(lambda _: Fault(kind, QUICK, ""))))
    assert [each.consequence for each in record.infractions][:3] == followed
    (told,) = {ask.ruling for ask in record.asks if ask.seat == 0}
    assert told is not None
    assert (told.code, told.text) == (kind, text)


@pytest.mark.parametrize("kind", BESIDE)
def test_a_breach_beside_any_question_cost_its_penalty_alone(kind: Infraction) -> None:
    bot = matches.honest(1)
    bot.stray.append(Stray(kind, ""))
    (infraction,) = read(earlier(bot)).infractions
    assert (infraction.kind, infraction.consequence) == (kind, "none")


def test_no_number_of_strikes_forfeited() -> None:
    def illegal(ask: Ask) -> Reply:
        return Reply((), QUICK)

    record = read(earlier(matches.ScriptedPlayer(illegal)))
    assert [each.strikes for each in record.infractions] == [*range(1, len(record.infractions) + 1)]
    assert len(record.infractions) > 20
    assert not any(record.result.forfeits)
