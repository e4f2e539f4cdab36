"""Between a record's bytes and the ledger."""

from __future__ import annotations

import hashlib
import os
import socket
from datetime import datetime
from typing import Final

import psutil

from referee.core.text import sanitise
from referee.match.record import MatchRecord
from referee.rpc.codec.record_reader import decode_record
from referee.store.entries import AttemptEntry, OpenAttempt, StoredRecord
from referee.store.repository import Repository

_PROCESS: Final = "process "
_BIRTH_ERROR: Final = 5.0
"""Seconds; the system reckons a birth from a clock that is set now and then."""


def this_host() -> str:
    return sanitise(socket.gethostname())


def this_worker() -> str:
    return f"{_PROCESS}{os.getpid()}"


def runs_elsewhere(attempt: AttemptEntry) -> bool:
    """Whether another process of this host, alive now, is at a running attempt.

    Of other hosts nothing is known.
    """
    pid = _process_of(attempt)
    return pid is not None and pid != os.getpid() and _has_lived(pid, attempt.started_at)


def void_abandoned(repository: Repository) -> None:
    """Void attempts at single matches whose referee was killed on this host."""
    repository.void_running(
        attempt
        for attempt in repository.running_attempts(None)
        if (pid := _process_of(attempt)) is not None and not _has_lived(pid, attempt.started_at)
    )


def _process_of(attempt: AttemptEntry) -> int | None:
    """The process id of whoever plays it, where that is on this host."""
    if attempt.host != this_host() or not attempt.worker.startswith(_PROCESS):
        return None
    return int(attempt.worker.removeprefix(_PROCESS))


def _has_lived(pid: int, since: datetime) -> bool:
    try:
        born = psutil.Process(pid).create_time()
    except psutil.Error:
        return False
    # A process that is much younger only got the same number.
    return born <= since.timestamp() + _BIRTH_ERROR


def count(
    repository: Repository, attempt: OpenAttempt, record: bytes
) -> tuple[MatchRecord, StoredRecord]:
    """Let an attempt count, with its record's bytes as they are."""
    decoded = decode_record(record)
    stored = StoredRecord(record, hashlib.sha256(record).digest())
    repository.count(attempt, decoded, stored)
    return decoded, stored
