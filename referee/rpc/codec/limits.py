"""Time limits and conduct: what messages and records both carry."""

from __future__ import annotations

from elfer.v1 import play_pb2
from referee.match.clock import TimeControl
from referee.match.conduct import Conduct
from referee.rpc.codec.enums import INFRACTION_NUMBER


def time_control_message(control: TimeControl) -> play_pb2.TimeControl:
    return play_pb2.TimeControl(
        move_limit_us=control.move_limit_us,
        bank_us=control.bank_us,
        increment_us=control.increment_us,
        handshake_limit_us=control.handshake_limit_us,
    )


def conduct_message(conduct: Conduct) -> play_pb2.Conduct:
    """The penalties in the order of the protocol's enumeration."""
    penalties = sorted(
        (INFRACTION_NUMBER[kind], points) for kind, points in conduct.penalties.items()
    )
    return play_pb2.Conduct(
        retries=conduct.retries,
        penalties=[play_pb2.Penalty(kind=kind, points=points) for kind, points in penalties],
        list_only=conduct.list_only,
    )
