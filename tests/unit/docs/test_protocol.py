"""``docs/protocol.md`` gives the bounds that the service holds bots to."""

from elfer.v1 import play_pb2
from referee.rpc.inbox import (
    MOST_MESSAGE_BYTES,
    MOST_MESSAGES,
    MOST_STRAYS,
    MOST_UNASKED_BYTES,
)
from referee.rpc.outbox import MOST_KEPT_BYTES
from referee.rpc.server import IDLE_CONNECTION_MS, MOST_CONNECTIONS, MOST_READ_BYTES
from referee.rpc.session import MOST_RESUMES
from tests.support.pages import page, rows, section

PAGE = page("protocol")
KIB = 2**10
MIB = 2**20


def test_what_is_a_flood() -> None:
    (flood,) = [row for row in rows(section(PAGE, "Infractions")) if row[0] == "flood"]
    told = flood[-1]
    assert f"more than {MOST_MESSAGES} messages in one" in told
    assert f"more than {MOST_STRAYS} breaches" in told
    assert f"more than {MOST_UNASKED_BYTES // MIB} MiB in a match" in told
    assert f"{MOST_MESSAGE_BYTES // KIB} KiB for each turn" in told
    assert f"max_message_bytes: {MOST_MESSAGE_BYTES}" in PAGE


def test_how_often_a_stream_is_taken_up_again_and_what_is_sent_again() -> None:
    lost = section(PAGE, "When a stream is lost")
    assert f"taken up again {MOST_RESUMES} times in a match" in lost
    assert f"up to {MOST_KEPT_BYTES // MIB} MiB" in lost
    assert "`received`" in lost
    assert play_pb2.Hello.DESCRIPTOR.fields_by_name["received"].has_presence


def test_what_ends_a_stream_or_a_connection() -> None:
    ends = section(PAGE, "How a stream ends")
    assert f"an element of more than {MOST_READ_BYTES // MIB} MiB" in ends
    assert f"closed after {IDLE_CONNECTION_MS // 1000} seconds" in ends
    assert f"takes {MOST_CONNECTIONS} at a time" in ends
