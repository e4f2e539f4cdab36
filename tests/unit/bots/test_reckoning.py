"""Which waits delay an answer, and by whose doing they were."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bots.reckoning import Crowd, Look, Reckoning
from referee.match.excuse import BotWaits, Waits

MS = 1_000_000
CPUS = 2
QUIET = Crowd(0, 0, 0, 0, 0)


class Question:
    """Looks at a question that was asked at 100 ms, each so long after the last."""

    def __init__(self) -> None:
        self.now = 100 * MS
        self.reckoning = Reckoning(self.now, CPUS)

    def look(
        self,
        passed: int = 4,
        *,
        late: int = 0,
        loop_ran: int = 0,
        loop_waited: int = 0,
        runnable: int = 8,
        crowd: Crowd | None = QUIET,
    ) -> None:
        """All times in milliseconds."""
        self.now += passed * MS
        if crowd is not None:
            crowd = crowd._replace(
                referee_waited=crowd.referee_waited * MS,
                bot_waited=crowd.bot_waited * MS,
                bot_hidden=crowd.bot_hidden * MS,
            )
        self.reckoning.add(
            Look(self.now, late * MS, loop_ran * MS, loop_waited * MS, runnable, crowd)
        )

    @property
    def waits(self) -> Waits:
        return self.reckoning.waits(cpu_ns=7_000, busiest_ns=5_000, watched_ns=3_000)

    @property
    def bot(self) -> BotWaits:
        assert self.waits.bot is not None
        return self.waits.bot


@pytest.fixture
def question() -> Question:
    return Question()


def busy(*, referee: int = 0, bot: int = 0, wanting: int = 0, hidden: int = 0) -> Crowd:
    """The referee's threads and the bot's waited so many milliseconds; none is free."""
    return Crowd(referee, 1, bot, wanting, hidden)


def test_nothing_seen_is_nothing_waited(question: Question) -> None:
    assert question.waits == Waits(0, 0, BotWaits(0, 0, 7, 5, 3, 1.0))


def test_a_referee_that_is_never_free_is_kept_waiting_throughout(question: Question) -> None:
    question.look(10, loop_waited=2, crowd=busy(referee=1))
    question.look(10, loop_waited=3, crowd=busy())
    assert question.waits.referee_us == 6_000


def test_between_two_free_moments_waits_of_the_referee_delay_nothing(question: Question) -> None:
    question.look(10, loop_waited=1)
    question.look(10, loop_waited=5, crowd=busy(referee=2))
    question.look(10, loop_waited=2)
    question.look(10, loop_waited=3, crowd=busy(referee=1))
    assert question.waits.referee_us == (1 + 3 + 1) * 1000


def test_a_moment_is_free_only_when_the_loop_sleeps_after_it(question: Question) -> None:
    question.look(10, loop_waited=4)
    question.look(10, loop_ran=4, loop_waited=6)
    assert question.waits.referee_us == 10_000


def test_a_moment_at_which_another_thread_of_the_referee_is_runnable_is_not_free(
    question: Question,
) -> None:
    question.look(10, loop_waited=4, crowd=busy())
    question.look(10, loop_waited=3, crowd=busy())
    assert question.waits.referee_us == 7_000


def test_threads_wait_together_no_longer_than_time_passes(question: Question) -> None:
    question.look(10, crowd=busy(referee=30, bot=70))
    assert question.waits.referee_us == 10_000
    assert (question.bot.waited_us, question.bot.most_us) == (10_000, 70_000)


def test_a_loop_that_was_busy_is_the_referees_doing(question: Question) -> None:
    question.look(20, late=16, loop_ran=16, runnable=0, crowd=None)
    assert question.waits.referee_us == 16_000
    assert question.waits.stalled_us == 0


def test_a_loop_that_stood_still_is_nobody_knows_whose(question: Question) -> None:
    question.look(500, late=496, loop_ran=1, loop_waited=5)
    assert question.waits.referee_us == 6_000
    assert question.waits.stalled_us == 490_000
    question.look(4)
    question.look(4)
    assert question.waits.stalled_us == 490_000
    question.look(500, late=496)
    question.look(4)
    question.look(4)
    assert question.waits.stalled_us == 490_000, "nothing was in hand"


def test_waits_of_the_bot_between_two_sleeps_are_left_out_but_not_forgotten(
    question: Question,
) -> None:
    question.look(crowd=Crowd(0, 0, 2, 0, 0))
    question.look(crowd=Crowd(0, 0, 0, 1, 0))
    question.look(40, crowd=Crowd(0, 0, 13, 0, 0))
    question.look(crowd=Crowd(0, 0, 1, 1, 0))
    assert (question.bot.waited_us, question.bot.most_us) == (3_000, 16_000)


def test_a_bot_that_never_sleeps_has_all_its_waits(question: Question) -> None:
    for _ in range(5):
        question.look(crowd=Crowd(0, 0, 3, 1, 0))
    assert question.bot.waited_us == 15_000


def test_that_a_bot_sleeps_says_nothing_while_the_referee_has_the_question(
    question: Question,
) -> None:
    question.look(crowd=Crowd(0, 1, 3, 0, 0))
    question.look(crowd=Crowd(0, 0, 3, 1, 0))
    question.look(crowd=Crowd(0, 0, 3, 1, 0))
    assert question.bot.waited_us == 9_000


def test_what_waits_now_may_have_waited_all_the_time(question: Question) -> None:
    question.look(crowd=Crowd(0, 0, 3, 1, 9))
    assert (question.bot.waited_us, question.bot.most_us) == (3_000, 12_000)
    question.look(crowd=Crowd(0, 0, 8, 1, 0))
    assert question.bot.most_us == 11_000


@pytest.mark.parametrize(
    ("runnable", "wanting", "referee_us", "bot_us"),
    [
        (8, 0, 10_000, 10_000),
        (8, 1, 8_750, 10_000),
        (6, 6, 0, 0),
        (1, 1, 0, 10_000),
        (14, 6, 5_714, 6_153),
        (0, 0, 10_000, 10_000),
    ],
    ids=[
        "others alone",
        "one thread of the bot",
        "the bot alone",
        "one thread alone",
        "both",
        "nobody is left",
    ],
)
def test_a_wait_is_the_doing_of_those_that_run(
    question: Question, runnable: int, wanting: int, referee_us: int, bot_us: int
) -> None:
    question.look(
        40, loop_waited=10, runnable=runnable, crowd=busy(bot=10, wanting=wanting, hidden=10)
    )
    assert question.waits.referee_us == referee_us
    assert question.bot.waited_us == bot_us
    assert abs(question.bot.most_us - 2 * bot_us) <= 1


def test_who_shares_a_cpu_is_the_mean_of_what_others_wanted(question: Question) -> None:
    question.look(runnable=0, crowd=None)
    question.look(runnable=7, crowd=busy(wanting=1))
    question.look(runnable=12, crowd=busy(wanting=2))
    assert question.bot.sharers == 1 + (6 + 10) / 2 / CPUS


TIMES = st.integers(0, 50)
LOOKS = st.fixed_dictionaries(
    {
        "passed": st.integers(1, 50),
        "late": TIMES,
        "loop_ran": TIMES,
        "loop_waited": TIMES,
        "runnable": st.integers(0, 20),
        "crowd": st.none()
        | st.builds(Crowd, TIMES, st.integers(0, 3), TIMES, st.integers(0, 8), TIMES),
    }
)


@given(st.lists(LOOKS, max_size=20))
def test_whatever_is_seen_nobody_waits_longer_than_the_question_was_open(
    looks: list[dict[str, Any]],
) -> None:
    question = Question()
    for look in looks:
        question.look(**look)
    elapsed_us = (question.now - 100 * MS) // 1000
    waits = question.waits
    assert 0 <= waits.referee_us <= elapsed_us
    assert 0 <= waits.stalled_us <= elapsed_us
    assert 0 <= question.bot.waited_us <= min(elapsed_us, question.bot.most_us)
    assert question.bot.sharers >= 1
