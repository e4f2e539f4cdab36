"""The referee's messages for one short match, for tests of the conversation."""

from elfer.testing import RAVENSBURGER
from elfer.v1 import card_pb2, play_pb2

MATCH = "m1"


def welcome(nonce: bytes = b"nonce-1") -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(
        welcome=play_pb2.Welcome(
            protocol_version=1,
            referee_version="0.1.0",
            resume_nonce=nonce,
            max_matches=1,
            max_message_bytes=65536,
        )
    )


def match_start(match_id: str = MATCH, game: str = "elfer-raus") -> play_pb2.RefereeMessage:
    slots = [play_pb2.Slot(name=name, value=value) for name, value in RAVENSBURGER.items()]
    return play_pb2.RefereeMessage(
        match_start=play_pb2.MatchStart(
            match_id=match_id,
            rules=play_pb2.Rules(game=game, profile="ravensburger@1", slots=slots),
            series=play_pb2.Series(games=1),
            seats=2,
            seat=1,
            time_control=play_pb2.TimeControl(
                move_limit_us=2_000_000, bank_us=10_000_000, increment_us=500_000
            ),
            conduct=play_pb2.Conduct(
                retries=1,
                restarts=2,
                strike_limit=10,
                grace_us=1_500_000,
                penalties=[
                    play_pb2.Penalty(
                        kind=play_pb2.INFRACTION_KIND_LATE,
                        points=20,
                        strikes=2,
                        consequence=play_pb2.CONSEQUENCE_HOUSE,
                    ),
                    play_pb2.Penalty(
                        kind=play_pb2.INFRACTION_KIND_ILLEGAL,
                        points=10,
                        strikes=1,
                        consequence=play_pb2.CONSEQUENCE_RETRY,
                    ),
                ],
            ),
            dice_seed=bytes(32),
        )
    )


def game_start(match_id: str = MATCH, game: int = 1) -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(
        game_start=play_pb2.GameStart(
            match_id=match_id,
            game=game,
            dealer=0,
            seats=[0, 1],
            points=[0, 0],
            elfer_raus=play_pb2.ElferRausView(
                hand_sizes=[2, 2],
                stock=0,
                hand=[card_pb2.CARD_RED_12, card_pb2.CARD_RED_13],
                starts=[card_pb2.CARD_RED_11, card_pb2.CARD_YELLOW_11],
            ),
        )
    )


def turn(request_id: str, match_id: str = MATCH, try_: int = 1) -> play_pb2.RefereeMessage:
    """Red 11 is laid; the hand is red 12 and 13."""
    message = play_pb2.Turn(
        match_id=match_id,
        request_id=request_id,
        game=1,
        turn=2,
        left_us=2_000_000,
        acts=["1 0 open R11"],
        dealer=0,
        seats=[0, 1],
        points=[0, 0],
        elfer_raus=play_pb2.ElferRausView(
            hand_sizes=[1, 2],
            hand=[card_pb2.CARD_RED_12, card_pb2.CARD_RED_13],
            laid=[card_pb2.CARD_RED_11],
            starts=[card_pb2.CARD_YELLOW_11],
            fits=[card_pb2.CARD_RED_12],
        ),
    )
    setattr(message, "try", try_)
    return play_pb2.RefereeMessage(turn=message)


def ruling(request_id: str, *, retry: bool, match_id: str = MATCH) -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(
        ruling=play_pb2.Ruling(
            match_id=match_id,
            request_id=request_id,
            code="not_adjacent",
            section="§4.3",
            card=card_pb2.CARD_RED_13,
            text="R13 does not fit: R12 or R14 must be laid before it",
            retry=retry,
            infraction=play_pb2.INFRACTION_KIND_ILLEGAL,
            penalty=10,
            strikes=3,
            consequence=play_pb2.CONSEQUENCE_RETRY if retry else play_pb2.CONSEQUENCE_HOUSE,
        )
    )


def game_end(match_id: str = MATCH) -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(
        game_end=play_pb2.GameEnd(
            match_id=match_id, game=1, acts=["2 1 lay R12 R13"], points=[11, 0], winners=[1]
        )
    )


def match_end(match_id: str = MATCH) -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(
        match_end=play_pb2.MatchEnd(
            match_id=match_id,
            points=[11, 0],
            penalties=[0, 10],
            totals=[11, 10],
            places=[2, 1],
            winners=[1],
        )
    )


def goodbye() -> play_pb2.RefereeMessage:
    return play_pb2.RefereeMessage(goodbye=play_pb2.Goodbye(text="The sitting is over."))


def response(*messages: play_pb2.RefereeMessage) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(messages=messages)
