"""Rates of voids and late answers, and the warnings of hosts that look bad."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import count

from referee.app.rates import BotRates, HostRates, Tally
from referee.league.results import SeatResult
from referee.league.timing import AnswerTimes
from referee.match.conduct import Infraction
from referee.store.entries import (
    AttemptEntry,
    AttemptStatus,
    CountedAttempt,
    MatchEntry,
    VoidCause,
)
from tests.support.records import START, make_record

RESULT = make_record().result


class Ledger:
    """Attempts at matches of a league, each of one question to every bot."""

    def __init__(self) -> None:
        self.attempts: list[AttemptEntry] = []
        self.matches: list[MatchEntry] = []
        self._deals = count(1)

    def void(
        self,
        cause: VoidCause,
        times: int = 1,
        *,
        host: str = "here",
        bot: str | None = None,
        standing: dict[str, int] | None = None,
    ) -> None:
        for _ in range(times):
            self._add(AttemptStatus.VOID, host, cause=cause, bot=bot, standing=standing)

    def counted(
        self,
        times: int = 1,
        *,
        host: str = "here",
        bots: Sequence[str] = ("ann", "bob"),
        late: dict[str, int] | None = None,
    ) -> None:
        for _ in range(times):
            key = self._add(AttemptStatus.COUNTED, host, bots=bots)
            seats = tuple(
                SeatResult(bot, {Infraction.LATE: (late or {}).get(bot, 0)}, AnswerTimes.of([9]))
                for bot in bots
            )
            counted = CountedAttempt(1, START, START, 1, RESULT, seats, b"", b"")
            self.matches.append(MatchEntry(key, key, "demo", None, False, 1, False, counted))

    def running(self) -> None:
        self._add(AttemptStatus.RUNNING, "here")

    def _add(
        self,
        status: AttemptStatus,
        host: str,
        *,
        bots: Sequence[str] = ("ann", "bob"),
        cause: VoidCause | None = None,
        bot: str | None = None,
        standing: dict[str, int] | None = None,
    ) -> str:
        key = f"demo/{'+'.join(bots)}/{next(self._deals)}/0"
        self.attempts.append(
            AttemptEntry(
                match_key=key,
                number=1,
                status=status,
                cause=cause,
                detail="",
                bot=bot,
                standing=standing,
                started_at=START,
                ended_at=START + timedelta(seconds=1),
                host=host,
                worker="1",
            )
        )
        return key

    def tally(self) -> Tally:
        return Tally(self.attempts, self.matches)

    def warnings(self, host: str = "here") -> list[str]:
        return list(self.tally().warnings(host))


def test_rates_by_host_and_bot() -> None:
    ledger = Ledger()
    ledger.counted(2, late={"ann": 3})
    ledger.counted(bots=("ann", "cleo"))
    ledger.counted(4, host="there", late={"bob": 1})
    ledger.void(VoidCause.HOST, bot="ann", standing={"ann": 30, "bob": 10})
    ledger.void(VoidCause.HOST, bot="ann", standing={"ann": 10, "bob": 30})
    ledger.void(VoidCause.HOST)
    ledger.void(VoidCause.REFEREE, bot="ann", standing={"ann": 30, "bob": 10})
    ledger.void(VoidCause.INTERRUPTED, 5)
    ledger.running()
    tally = ledger.tally()
    assert tally.hosts == ["here", "there"]
    assert tally.of_host("here") == HostRates(
        host="here",
        attempts=7,
        interrupted=5,
        void_by_referee=1,
        void_by_host=3,
        void_by_host_expected=0.0,
        asks=6,
        late=6,
        seats=6,
        late_seats=2,
        late_seats_expected=2.0,
    )
    assert tally.of_host("there").void_by_host_expected == 4 * 3 / 7
    assert tally.bots == ["ann", "bob", "cleo"]
    assert tally.of_bot("ann") == BotRates(
        bot="ann", attempts=11, void_by_host=3, asked=2, asked_and_last=1, asks=7, late=6
    )
    assert tally.of_bot("cleo") == BotRates(
        bot="cleo", attempts=1, void_by_host=0, asked=0, asked_and_last=0, asks=1, late=0
    )


def test_a_host_alone_has_nothing_to_be_compared_with() -> None:
    ledger = Ledger()
    ledger.counted(3, late={"ann": 1})
    rates = ledger.tally().of_host("here")
    assert (rates.void_by_host_expected, rates.late_seats_expected) == (None, None)
    assert ledger.warnings() == []


def test_who_led_and_who_trailed_is_told_where_somebody_did() -> None:
    ledger = Ledger()
    for standing in ({"ann": 5, "bob": 9, "cleo": 5}, {"ann": 5, "bob": 5}, {}, None):
        ledger.void(VoidCause.HOST, standing=standing)
    assert [(entry.led, entry.trailed) for entry in ledger.attempts] == [
        (("ann", "cleo"), ("bob",)),
        ((), ()),
        ((), ()),
        ((), ()),
    ]


def test_a_tenth_of_void_attempts_is_warned_of() -> None:
    ledger = Ledger()
    ledger.counted(27)
    ledger.void(VoidCause.HOST, 2)
    assert ledger.warnings() == []
    ledger.void(VoidCause.HOST)
    [warning] = ledger.warnings()
    assert warning.startswith("host here: 3 of 30 attempts were void by the host; from 10% on,")
    ledger.counted()
    assert ledger.warnings() == []


def test_the_referees_own_faults_and_stops_are_not_laid_to_the_host() -> None:
    ledger = Ledger()
    ledger.counted(2)
    ledger.void(VoidCause.REFEREE, 10)
    ledger.void(VoidCause.INTERRUPTED, 10)
    assert ledger.warnings() == []


def test_a_host_is_held_against_the_others() -> None:
    ledger = Ledger()
    ledger.counted(285)
    ledger.void(VoidCause.HOST, 15)
    ledger.counted(300, host="there")
    [warning] = ledger.warnings()
    assert warning == (
        "host here: 15 of 300 attempts were void by the host; "
        "by the other hosts 0.0 were to be expected"
    )
    assert ledger.warnings("there") == []
    ledger.void(VoidCause.HOST, 10, host="there")
    assert ledger.warnings() == []


def test_a_host_on_which_bots_are_late_that_are_not_elsewhere_is_warned_of() -> None:
    ledger = Ledger()
    ledger.counted(20, late={"ann": 2, "bob": 1})
    ledger.counted(100)
    ledger.counted(3, host="there", late={"bob": 7})
    ledger.counted(117, host="there")
    [warning] = ledger.warnings()
    assert warning == (
        "host here: bots were late in 40 of 240 seats at matches; "
        "by the same bots at other hosts 3.0 were to be expected"
    )
    assert ledger.warnings("there") == []


def test_no_host_is_blamed_for_a_bot_that_is_late_everywhere() -> None:
    ledger = Ledger()
    ledger.counted(50, bots=("bob", "slow"), late={"slow": 9})
    ledger.counted(5, host="there", bots=("bob", "slow"), late={"slow": 9})
    ledger.counted(200, host="there")
    assert ledger.warnings() == []
    assert ledger.tally().of_host("here").late_seats_expected == 50


def test_one_match_in_which_a_bot_is_late_all_the_time_is_no_evidence() -> None:
    ledger = Ledger()
    ledger.counted(late={"ann": 500})
    ledger.counted(49)
    ledger.counted(50, host="there")
    assert ledger.warnings() == []
