"""A void match is played again while the rest of its sitting goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.app.sitting import Played, SittingOrder, Voided
from referee.app.worker import Over
from tests.support.crash_points import QuickLeague
from tests.support.inline_pool import InlinePool


class OneByOne(InlinePool):
    """Two sittings at once, of which what happens is told one by one."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._heard: list[tuple[SittingOrder, Played | Voided | Over]] = []

    @property
    def free(self) -> int:
        return 2 - sum(isinstance(what, Over) for _, what in self._heard)

    @property
    def idle(self) -> bool:
        return not self._heard

    def submit(self, order: SittingOrder) -> None:
        super().submit(order)
        self._heard += super().events(0)

    def events(self, timeout: float) -> Iterator[tuple[SittingOrder, Played | Voided | Over]]:
        yield self._heard.pop(0)


def test_the_end_of_a_sitting_ends_no_attempt_of_another(tmp_path: Path) -> None:
    league = QuickLeague(tmp_path, f"sqlite:///{tmp_path / 'cup.db'}")
    code, said = league.run(OneByOne)
    assert code == 0, said
    [void] = league.outcome().voids
    assert (void.number, void.detail) == (1, "stand-in")
