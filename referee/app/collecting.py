"""When Python may collect garbage: it stops everything, and a bot's clock would count it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quick_collections() -> Iterator[None]:
    """Leave out of every collection what is there already, which is mostly code."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def no_collections() -> Iterator[None]:
    """Collect nothing inside, and once afterwards."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
