"""What a user is told: one line, and an exit code.

::

    RefereeError            1   anything below
    ├── InputError          2   a file, option or name the user gave is wrong
    ├── NotFoundError       3   no such league, match or bot in the database
    ├── VerificationError   4   a record does not hold
    ├── StoreError          5   the database cannot be used
    └── HostFault           6   this machine failed us; never a bot's fault

A bot's faults are data, never exceptions; any other exception is our bug.
"""

from __future__ import annotations

from typing import ClassVar


class RefereeError(Exception):
    """An error that its message explains to the user in one line."""

    exit_code: ClassVar[int] = 1


class InputError(RefereeError):
    """A file, option or name that the user gave is wrong."""

    exit_code = 2


class NotFoundError(RefereeError):
    """There is no such league, match or bot."""

    exit_code = 3


class VerificationError(RefereeError):
    """A record or transcript does not hold."""

    exit_code = 4


class StoreError(RefereeError):
    """The database cannot be used."""

    exit_code = 5


class HostFault(RefereeError):  # noqa: N818 - the word of the design
    """The host failed (no memory, no processes, a full disk): voids, never scored."""

    exit_code = 6
