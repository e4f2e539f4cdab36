"""Between a record's bytes and the ledger."""

from __future__ import annotations

import hashlib
import os
import socket
from typing import Final

import psutil

from referee.core.text import sanitise
from referee.match.record import MatchRecord
from referee.rpc.codec.record_reader import decode_record
from referee.store.entries import AttemptEntry, OpenAttempt, StoredRecord
from referee.store.repository import Repository

_PROCESS: Final = "process "


def this_host() -> str:
    return sanitise(socket.gethostname())


def this_worker() -> str:
    return f"{_PROCESS}{os.getpid()}"


def runs_elsewhere(attempt: AttemptEntry) -> bool:
    """Whether another process of this host, alive now, is at a running attempt.

    Of other hosts nothing is known.
    """
    if attempt.host != this_host() or not attempt.worker.startswith(_PROCESS):
        return False
    pid = int(attempt.worker.removeprefix(_PROCESS))
    if pid == os.getpid():
        return False
    try:
        born = psutil.Process(pid).create_time()
    except psutil.Error:
        return False
    # A process that is younger than the attempt only got the same number.
    return born <= attempt.started_at.timestamp()


def count(
    repository: Repository, attempt: OpenAttempt, record: bytes
) -> tuple[MatchRecord, StoredRecord]:
    """Let an attempt count, with its record's bytes as they are."""
    decoded = decode_record(record)
    stored = StoredRecord(record, hashlib.sha256(record).digest())
    repository.count(attempt, decoded, stored)
    return decoded, stored
