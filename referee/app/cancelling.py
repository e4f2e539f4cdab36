"""What must not be left half done when a run is stopped, or something in it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Await ``work`` whole: whoever cancels it meanwhile has to wait, and is then obeyed."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def together(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Await all, until the last of them has ended. Raises the first that one of them raised."""
    for outcome in await asyncio.gather(*works, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
