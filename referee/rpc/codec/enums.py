"""The protocol's enumerations against the referee's own, matched by name."""

from __future__ import annotations

from typing import Final

from elfer.v1 import play_pb2, record_pb2
from referee.match.conduct import Consequence, Fault, Infraction

INFRACTION_NUMBER: Final = {
    kind: play_pb2.InfractionKind.Value(f"INFRACTION_KIND_{kind.name}") for kind in Infraction
}
CONSEQUENCE_NUMBER: Final = {
    consequence: play_pb2.Consequence.Value(f"CONSEQUENCE_{consequence.name}")
    for consequence in Consequence
}
FAULT_NUMBER: Final = {fault: record_pb2.Fault.Value(f"FAULT_{fault.name}") for fault in Fault}

INFRACTION_OF: Final[dict[int, Infraction]] = {
    number: kind for kind, number in INFRACTION_NUMBER.items()
}
CONSEQUENCE_OF: Final[dict[int, Consequence]] = {
    number: consequence for consequence, number in CONSEQUENCE_NUMBER.items()
}
FAULT_OF: Final[dict[int, Fault]] = {number: fault for fault, number in FAULT_NUMBER.items()}
