"""How those who wait are told how far it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

Counting = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Shows how many of so many matches are done: what it gives is called after each."""
