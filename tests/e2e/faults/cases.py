"""What bots do wrong, what is noted of it and what follows: one case each.

``docs/conduct.md`` has a table of them, which ``make golden`` writes anew.
"""

from __future__ import annotations

from typing import Final

from referee.match.conduct import Consequence, Infraction
from tests.e2e.faults.case import Case, seen

NONE, RETRY, HOUSE, RESTART, FORFEIT = Consequence
K: Final = Infraction
TWO_STRIKES: Final = "conduct.strike_limit = 2"
SHORT_GRACE: Final = 'conduct.grace = "300ms"'

_CRASHES: Final = [seen(K.CRASHED, RESTART), seen(K.CRASHED, FORFEIT)]
_STRUCK_OUT: Final = [seen(K.LATE, HOUSE), seen(K.LATE, FORFEIT)]
_ABSENT: Final = [seen(K.START_FAILURE, FORFEIT)]
_LOST: Final = [seen(K.DISCONNECTED, FORFEIT)]
_FLOOD: Final = [seen(K.FLOOD, FORFEIT)]

BEFORE_IT_SITS: Final = [
    Case(
        "fair",
        "has a command that is not there",
        _ABSENT,
        "cannot run 'no-such-program': No such file or directory",
        program="no-such-program",
        starts=0,
    ),
    Case("leaves_at_once", "ends before its hello", _ABSENT, "exited with status 0", starts=2),
    Case(
        "never_connects",
        "never opens a stream",
        _ABSENT,
        "no hello within the start limit",
        start="1s",
        matches=1,
    ),
    Case(
        "says_no_hello",
        "opens a stream and says nothing",
        _ABSENT,
        "exited with status 1",
        tables='time.handshake = "300ms"',
        log="ended: DEADLINE_EXCEEDED",
        starts=2,
    ),
    Case(
        "says_something_else",
        "answers before its hello",
        _ABSENT,
        "exited with status 1",
        log="ended: INVALID_ARGUMENT",
        starts=2,
    ),
    Case(
        "shows_a_wrong_token",
        "shows a token that it does not have",
        _ABSENT,
        "exited with status 1",
        log="ended: UNAUTHENTICATED",
        starts=2,
    ),
    Case(
        "speaks_another_version",
        "speaks another version of the protocol",
        _ABSENT,
        "exited with status 1",
        log="ended: FAILED_PRECONDITION",
        starts=2,
    ),
    Case("speaks_plain_http", "speaks plain HTTP", _ABSENT, "exited with status 1", starts=2),
    Case("speaks_garbage", "sends garbage for HTTP/2", _ABSENT, "exited with status 1", starts=2),
    Case(
        "speaks_garbage_after_the_preface",
        "sends garbage for HTTP/2 frames",
        _ABSENT,
        "exited with status 1",
        starts=2,
    ),
]

LATE: Final = [
    Case(
        "says_nothing_more",
        "says nothing after its hello",
        _STRUCK_OUT,
        starts=2,
        move="400ms",
        tables=TWO_STRIKES,
    ),
    Case(
        "stalls_in_mid_game",
        "plays on and then says nothing more",
        _STRUCK_OUT,
        starts=2,
        move="400ms",
        tables=TWO_STRIKES,
    ),
    Case(
        "never_reads",
        "never reads its stream",
        _STRUCK_OUT,
        matches=1,
        move="400ms",
        tables=TWO_STRIKES,
    ),
    Case(
        "stops_itself",
        "stops its own process (SIGSTOP)",
        _STRUCK_OUT,
        matches=1,
        move="400ms",
        tables=TWO_STRIKES,
    ),
    Case(
        "says_nothing_more",
        "uses up its time for the match",
        [seen(K.LATE, FORFEIT)],
        starts=2,
        move="off",
        tables='time.match = "500ms"',
    ),
    Case(
        "late_by_a_little", "answers a quarter of a second late", [seen(K.LATE, HOUSE)], move="1s"
    ),
    Case("late", "answers when it is asked the next time", [seen(K.LATE, HOUSE)], move="1s"),
]

REFUSED: Final = [
    Case(
        "illegal_once",
        "lays a card that it does not hold",
        [seen(K.ILLEGAL, RETRY)],
        "not in this seat's hand",
        "§4.7",
    ),
    Case("a_card_twice", "names a card twice", [seen(K.ILLEGAL, RETRY)], "twice", "§4.7"),
    Case(
        "ten_thousand_cards",
        "lays 10,000 cards",
        [seen(K.ILLEGAL, RETRY)],
        section="§4.7",
    ),
    Case(
        "cards_of_no_deck",
        "sends numbers that are no cards",
        [seen(K.ILLEGAL, RETRY)],
        section="§1.1",
    ),
    Case(
        "always_illegal",
        "passes in each turn, which it may not",
        [seen(K.ILLEGAL, RETRY), seen(K.ILLEGAL, HOUSE)] * 4
        + [seen(K.ILLEGAL, RETRY), seen(K.ILLEGAL, FORFEIT)],
        section="§4.4",
        starts=2,
    ),
    Case(
        "without_body",
        "sends an answer without an answer in it",
        [seen(K.MALFORMED, RETRY)],
        "an answer without an answer in it",
    ),
    Case(
        "an_empty_message",
        "sends an empty message",
        [seen(K.MALFORMED, RETRY)],
        "a message without a body",
    ),
    Case(
        "an_empty_element",
        "sends an element without a message",
        [seen(K.MALFORMED, RETRY)],
        "an element without a message",
    ),
    Case(
        "garbage",
        "sends bytes that are no message",
        [seen(K.MALFORMED, RETRY)],
        "an element that is no PlayRequest",
    ),
]

BESIDE: Final = [
    Case(
        "answers_twice",
        "answers twice",
        [seen(K.DUPLICATE, NONE)],
        "a second answer to one request",
    ),
    Case(
        "answers_twenty_times",
        "answers twenty times",
        [seen(K.DUPLICATE, NONE)] * 9 + [seen(K.DUPLICATE, FORFEIT)],
        "a second answer to one request",
        starts=2,
    ),
    Case("answers_an_old_request", "answers an old request", [seen(K.STALE, NONE)]),
    Case(
        "answers_unasked",
        "answers before it is asked",
        [seen(K.EARLY, NONE)],
        "to a request that was not made",
    ),
    Case(
        "answers_elsewhere",
        "answers for another match's seat",
        [seen(K.WRONG_SEAT, NONE)],
        "that names another match",
    ),
    Case(
        "says_hello_again",
        "says hello a second time",
        [seen(K.PROTOCOL_VIOLATION, FORFEIT)],
        "a second hello",
        starts=2,
    ),
    Case("resigns", "resigns", [seen(K.RESIGNED, FORFEIT)], starts=2),
]

TOO_MUCH: Final = [
    Case(
        "ten_thousand_messages",
        "sends 10,000 messages in one element",
        _FLOOD,
        "10000 messages",
        starts=2,
    ),
    Case("ten_thousand_elements", "sends 10,000 elements", _FLOOD, "more than 100", starts=2),
    Case(
        "four_hundred_strays", "answers 400 requests of its own", _FLOOD, "more than 100", starts=2
    ),
    Case(
        "eight_mib_bit_by_bit",
        "sends 8 MiB in elements of 60 kB",
        _FLOOD,
        "bytes that were not asked for",
        starts=2,
    ),
    Case("sends_a_giant", "sends 5 MiB in one message", _FLOOD, starts=2),
    Case(
        "sends_more_than_is_read",
        "sends more than the 8 MiB that are read",
        _LOST,
        tables=SHORT_GRACE,
        matches=1,
    ),
]

STREAM: Final = [
    Case("connects_twice", "opens a second stream", log="ended: ALREADY_EXISTS"),
    Case(
        "starts_a_second_bot",
        "starts another bot with its token",
        log="ended: ALREADY_EXISTS",
    ),
    Case("opens_many_connections", "opens 200 connections without a stream"),
    Case("hangs_up", "cancels its stream and stays away", _LOST, tables=SHORT_GRACE, starts=2),
    Case(
        "hangs_up",
        "stays away where that starts it again",
        [seen(K.DISCONNECTED, RESTART), seen(K.DISCONNECTED, FORFEIT)],
        tables=f'{SHORT_GRACE}\nconduct.consequences.disconnected = "restart"',
        starts=2,
        matches=1,
    ),
    Case("half_closes", "ends its side of the stream", _LOST, tables=SHORT_GRACE, matches=1),
    Case("drops_the_socket", "drops the socket", _LOST, tables=SHORT_GRACE, matches=1),
    Case("comes_back", "loses its stream in each turn and comes back"),
    Case(
        "comes_back_too_often",
        "does nothing but lose its stream and come back",
        _LOST,
        move="60s",
        tables=SHORT_GRACE,
        matches=1,
    ),
    Case(
        "comes_back_with_an_old_nonce",
        "comes back with a nonce that it has used",
        _LOST,
        tables=SHORT_GRACE,
        matches=1,
    ),
]

PROCESS: Final = [
    Case("exits_once", "exits, and plays on when it is started again", [_CRASHES[0]], starts=3),
    Case(
        "exits_for_good",
        "exits, and does not come up again",
        [_CRASHES[0], *_ABSENT],
        "exited with status 1",
        starts=2,
        matches=1,
    ),
    Case(
        "exits", "exits in each first turn", _CRASHES, "exited with status 3", starts=2, matches=1
    ),
    Case(
        "exits_well",
        "exits with status 0",
        _CRASHES,
        "exited with status 0",
        starts=2,
        matches=1,
    ),
    Case("segfaults", "ends by SIGSEGV", _CRASHES, "was killed by SIGSEGV", starts=2, matches=1),
    Case("kills_itself", "ends by SIGKILL", _CRASHES, "was killed by SIGKILL", starts=2, matches=1),
    Case(
        "kills_its_supervisor",
        "kills the supervisor of its process",
        _CRASHES,
        "its supervisor having been killed",
        starts=2,
        matches=1,
    ),
    Case(
        "raises",
        "raises in its SDK method",
        _CRASHES,
        "exited with status 1",
        log="RuntimeError: out of ideas",
        starts=2,
        matches=1,
    ),
    Case(
        "exits_at_the_last_turn",
        "exits in the last turn of the match",
        [_CRASHES[0]],
        "exited with status 1",
        starts=2,
    ),
    Case(
        "kills_itself_at_the_last_turn",
        "ends by SIGKILL in the last turn of the match",
        [_CRASHES[0]],
        "was killed by SIGKILL",
        starts=2,
    ),
    Case("exits_when_the_match_is_over", "exits when the match is over", matches=1),
    Case("will_not_go", "ignores SIGTERM", matches=1),
    Case("leaves_children", "leaves children behind, deaf and in a session of their own"),
    Case("has_many_threads", "has 200 threads"),
    Case("prints_a_flood", "prints 100 MiB", log="output cut here"),
    Case("prints_one_long_line", "prints 20 MiB without a line end", log="bytes]"),
    Case("prints_escape_sequences", "prints escape sequences", log=r"\x1b[2J"),
    Case("closes_its_output", "closes its output"),
]

CASES: Final = [
    Case("fair", "plays well"),
    *BEFORE_IT_SITS,
    *LATE,
    *REFUSED,
    *BESIDE,
    *TOO_MUCH,
    *STREAM,
    *PROCESS,
]
