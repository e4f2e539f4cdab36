"""Time limits and conduct: what messages and records both carry."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from elfer.v1 import play_pb2
from referee.core.errors import VerificationError
from referee.match.clock import TimeControl
from referee.match.conduct import BREACHES, Conduct, Consequence, Infraction, Measure
from referee.rpc.codec.checks import check_member
from referee.rpc.codec.enums import (
    CONSEQUENCE_NUMBER,
    CONSEQUENCE_OF,
    INFRACTION_NUMBER,
    INFRACTION_OF,
)

STRIKES_UNSET: Final = 1
"""What a breach counts for in records that do not say."""


def time_control_message(control: TimeControl) -> play_pb2.TimeControl:
    return play_pb2.TimeControl(
        move_limit_us=control.move_limit_us,
        bank_us=control.bank_us,
        increment_us=control.increment_us,
        match_limit_us=control.match_limit_us,
        handshake_limit_us=control.handshake_limit_us,
        start_limit_us=control.start_limit_us,
    )


def read_time_control(message: play_pb2.TimeControl) -> TimeControl:
    """Raises ``VerificationError`` on limits that do not go together."""
    given = {field.name: value for field, value in message.ListFields()}
    try:
        return TimeControl(**{field.name: given.get(field.name) for field in fields(TimeControl)})
    except ValueError as error:
        raise VerificationError(f"time_control has {error}") from error


def conduct_message(conduct: Conduct) -> play_pb2.Conduct:
    """The penalties in the order of the protocol's enumeration."""
    measures = sorted(
        (INFRACTION_NUMBER[kind], measure) for kind, measure in conduct.measures.items()
    )
    return play_pb2.Conduct(
        retries=conduct.retries,
        restarts=conduct.restarts,
        strike_limit=conduct.strike_limit,
        grace_us=conduct.grace_us,
        penalties=[_penalty_message(number, measure) for number, measure in measures],
        list_only=conduct.list_only,
    )


def _penalty_message(
    number: play_pb2.InfractionKind.ValueType, measure: Measure
) -> play_pb2.Penalty:
    return play_pb2.Penalty(
        kind=number,
        points=measure.penalty,
        strikes=measure.strikes,
        consequence=CONSEQUENCE_NUMBER[measure.consequence],
    )


def read_conduct(message: play_pb2.Conduct) -> Conduct:
    """Raises ``VerificationError`` unless there is one measure for every kind of breach.

    What records leave unset that were made before there was a field for it reads as they
    were played: no restarts, no strike limit, no grace.
    """
    measures: dict[Infraction, Measure] = {}
    for index, penalty in enumerate(message.penalties):
        field = f"conduct.penalties[{index}]"
        kind = check_member(f"{field}.kind", penalty.kind, INFRACTION_OF)
        if kind in measures:
            raise VerificationError(f"{field}.kind is {kind}, which has its penalty already")
        measures[kind] = Measure(
            penalty=penalty.points,
            strikes=penalty.strikes if penalty.HasField("strikes") else STRIKES_UNSET,
            consequence=_consequence(f"{field}.consequence", penalty.consequence, kind),
        )
    for kind in INFRACTION_OF.values():
        if kind not in measures:
            raise VerificationError(f"conduct.penalties has none for {kind}")
    return Conduct(
        retries=message.retries,
        restarts=message.restarts,
        strike_limit=message.strike_limit if message.HasField("strike_limit") else None,
        grace_us=message.grace_us,
        measures=measures,
        list_only=message.list_only,
    )


def _consequence(field: str, number: int, kind: Infraction) -> Consequence:
    breach = BREACHES[kind]
    if number == play_pb2.CONSEQUENCE_UNSPECIFIED:
        return breach.default.consequence
    consequence = check_member(field, number, CONSEQUENCE_OF)
    if consequence not in breach.allowed:
        raise VerificationError(f"{field} is {consequence}, which does not follow {kind}")
    return consequence
