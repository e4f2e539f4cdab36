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
from referee.store.entries import OpenAttempt, StoredRecord
from referee.store.repository import Repository

_PROCESS: Final = "process "
_BIRTH_ERROR: Final = 5.0
"""Seconds; the system reckons a birth from a clock that is set now and then."""


def this_host() -> str:
    return sanitise(socket.gethostname())


def this_worker() -> str:
    return f"{_PROCESS}{os.getpid()}"


def is_gone(host: str, worker: str, since: datetime) -> bool:
    """Whether whoever has been at something since then is known to have ended.

    Of other hosts nothing is known.
    """
    if host != this_host() or not worker.startswith(_PROCESS):
        return False
    try:
        process = psutil.Process(int(worker.removeprefix(_PROCESS)))
        born, status = process.create_time(), process.status()
    except psutil.Error:
        return True
    # A process that is much younger only got the same number.
    return status == psutil.STATUS_ZOMBIE or born > since.timestamp() + _BIRTH_ERROR


def void_abandoned(repository: Repository) -> None:
    """Void attempts at single matches whose referee was killed on this host."""
    repository.void_running(
        attempt
        for attempt in repository.running_singles()
        if is_gone(attempt.host, attempt.worker, attempt.started_at)
    )


def count(
    repository: Repository, attempt: OpenAttempt, record: bytes
) -> tuple[MatchRecord, StoredRecord]:
    """Let an attempt count, with its record's bytes as they are."""
    decoded = decode_record(record)
    stored = StoredRecord(record, hashlib.sha256(record).digest())
    repository.count(attempt, decoded, stored)
    return decoded, stored
