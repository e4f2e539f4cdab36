"""The right to run a league: held by one process, which gives signs of life while it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from referee.app.ledger import is_gone, this_host, this_worker
from referee.core.errors import StoreError
from referee.store.entries import HeldLease, Lease
from referee.store.repository import Repository

BEAT_SECONDS: Final = 2.0
"""Between two signs of life, and looks at what an operator has decided."""

LEASE_SECONDS: Final = 120.0
"""Who was not heard of for so long is taken over. A lock on the database may last that long."""


@contextmanager
def leased(repository: Repository, league: str, redraw_above: int | None = None) -> Iterator[Lease]:
    """Hold the lease of a league. Raises ``InputError`` when it cannot be had.

    With ``redraw_above`` deals are replaced that were being played when a referee was killed.
    """
    lease = repository.take_lease(
        league, may_take, host=this_host(), worker=this_worker(), redraw_above=redraw_above
    )
    try:
        yield lease
    finally:
        # Where nothing can be written now, it goes with this process.
        with suppress(StoreError):
            repository.release_lease(lease)


def may_take(held: HeldLease) -> bool:
    """Whether whoever has a lease is not at it any more, as far as can be told from here.

    Of a process of this host it is known; it is not this one, which asks. Of others only their
    silence is.
    """
    lease = held.lease
    return (
        held.silent_seconds > LEASE_SECONDS
        or (lease.host, lease.worker) == (this_host(), this_worker())
        or is_gone(lease.host, lease.worker, lease.since)
    )
