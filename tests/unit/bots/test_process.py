from __future__ import annotations

import errno
import signal

import pytest

from referee.bots.process import Exit, StartFailure, refusal
from referee.bots.supervisor import with_descendants
from referee.core.errors import HostFault


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        (Exit(status=0), "exited with status 0"),
        (Exit(signal=signal.SIGTERM), "was killed by SIGTERM"),
        (Exit(signal=99), "was killed by signal 99"),
        (
            Exit(signal=signal.SIGTERM, supervisor_lost=True),
            "was killed by SIGTERM, its supervisor having been killed",
        ),
    ],
)
def test_an_exit_reads_as_a_sentence(ended: Exit, text: str) -> None:
    assert str(ended) == text


def test_what_the_command_is_to_blame_for_is_told_and_the_rest_is_the_hosts_fault() -> None:
    failure = refusal(["a\x1b"], errno.ENOENT)
    assert failure == StartFailure(r"cannot run 'a\x1b': No such file or directory")
    for number in (errno.EMFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO):
        with pytest.raises(HostFault, match="cannot run 'python'"):
            refusal(["python"], number)


def test_descendants_are_found_through_all_generations() -> None:
    parents = {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 7}
    assert with_descendants([2], parents) == {2, 3, 4}
    assert with_descendants([], parents) == set()
