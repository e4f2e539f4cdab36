"""A pool without worker processes: sittings are played here and now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Self

from referee.app.sitting import Played, SittingOrder, Voided, play_sitting
from referee.app.worker import Over


class InlinePool:
    """Stands in for ``referee.app.pool.Pool`` where a test wants to look into the sittings."""

    def __init__(self, jobs: int) -> None:
        self._order: SittingOrder | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There are no workers to end."""

    @property
    def free(self) -> int:
        return int(self.idle)

    @property
    def idle(self) -> bool:
        return self._order is None

    def submit(self, order: SittingOrder) -> None:
        self._order = order

    def stop(self) -> None:
        self._order = None

    def break_off(self, bot: str) -> None:
        if self._order is not None and bot in {one.name for one in self._order.bots}:
            self._order = None

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        order, self._order = self._order, None
        assert order is not None
        reports: list[Played | Voided] = []
        lost = None
        try:
            asyncio.run(play_sitting(order, reports.append))
        except Exception as error:  # noqa: BLE001 - as a worker's
            lost = f"{type(error).__name__}: {error}"
        yield from ((order, report) for report in reports)
        yield order, Over(lost)
