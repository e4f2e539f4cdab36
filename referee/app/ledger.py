"""Between a record's bytes and the ledger."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import socket

from referee.core.text import sanitise
from referee.match.record import MatchRecord
from referee.rpc.codec.record_reader import decode_record
from referee.store.entries import OpenAttempt, StoredRecord
from referee.store.repository import Repository


def this_host() -> str:
    return sanitise(socket.gethostname())


def this_worker() -> str:
    return f"{multiprocessing.current_process().name} {os.getpid()}"


def count(
    repository: Repository, attempt: OpenAttempt, record: bytes
) -> tuple[MatchRecord, StoredRecord]:
    """Let an attempt count, with its record's bytes as they are."""
    decoded = decode_record(record)
    stored = StoredRecord(record, hashlib.sha256(record).digest())
    repository.count(attempt, decoded, stored)
    return decoded, stored
