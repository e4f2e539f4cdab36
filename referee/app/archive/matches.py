"""The matches of an archive, checked against their league and played again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.app.archive import form
from referee.app.archive.read import ArchiveReader
from referee.app.archive.redrawn import Redrawn
from referee.app.envelopes import check_signature
from referee.core.errors import VerificationError
from referee.core.text import sanitise
from referee.league.format import LeagueFormat
from referee.league.results import MatchResult, match_result
from referee.league.schedule import Place, places, size, table_of
from referee.league.terms import Terms
from referee.match.record import MatchRecord, SeatRecord
from referee.match.recorded import DiffersError, same
from referee.match.verify import verify
from referee.rpc.codec import decode_record
from referee.store.entries import AttemptStatus, LeagueState


def results(
    archive: ArchiveReader, league: LeagueFormat, one_more: Callable[[], None]
) -> Iterator[MatchResult]:
    """What each match gives the standings, once it holds.

    Raises ``VerificationError`` at the first thing that does not. ``one_more`` is called after
    each match that counts.
    """
    head = archive.head
    redraws = Redrawn(head, league)
    place_of = places(league, redraws.all)
    records = _Records(head, league)
    last: Place | None = None
    count = stayed = 0
    for line in archive.matches():
        key = line.match_key
        place = place_of(key)
        if place is None:
            raise DiffersError(form.MATCHES, "a match of the league", sanitise(key))
        if last is not None and place <= last:
            before = "/".join(map(str, (league.name, *last)))
            raise DiffersError(form.MATCHES, f"a match that comes after {before}", key)
        last = place
        envelope = archive.envelope(line)
        try:
            counted = _counted(line)
            redraws.check_cause(line)
            if envelope is None or counted is None:
                continue
            if difference := check_signature(envelope):
                raise DiffersError(*difference)
            record = decode_record(envelope.record)
            records.check(record, key, counted)
        except VerificationError as error:
            raise VerificationError(f"{key}: {error}") from error
        if redraws.all.replaced_by(place.table, place.deal) is not None:
            continue
        bots = table_of(key)
        count += 1
        stayed += head.gone.isdisjoint(bots)
        if head.disqualified.isdisjoint(bots):
            yield match_result(record)
        one_more()
    redraws.check_all_caused()
    same("number of matches that count", archive.manifest.matches, count)
    if head.state is LeagueState.FINISHED:
        # Those who left may have played before.
        same("matches between those who stayed", size(league, head.gone).matches, stayed)


def _counted(line: form.Match) -> form.Attempt | None:
    """The attempt that counts, where one does."""
    if not line.attempts:
        raise DiffersError("numbers of its attempts", "1, 2, 3 and so on", "none")
    for number, attempt in enumerate(line.attempts, 1):
        if attempt.number != number:
            raise DiffersError(
                "numbers of its attempts",
                "1, 2, 3 and so on",
                f"{attempt.number} in the place of {number}",
            )
    for attempt in line.attempts:
        if attempt.status is AttemptStatus.RUNNING:
            raise DiffersError(f"attempt {attempt.number}", "one that has ended", "a running one")
        if (attempt.status is AttemptStatus.VOID) != (attempt.cause is not None):
            raise DiffersError(
                f"attempt {attempt.number}", "a cause where it is void", attempt.cause
            )
    counted = [one for one in line.attempts if one.status is AttemptStatus.COUNTED]
    same("attempts that count", 0 if line.record is None else 1, len(counted))
    return counted[0] if counted else None


class _Records:
    """Checks records against their league, and by playing them again."""

    def __init__(self, head: form.LeagueHead, league: LeagueFormat) -> None:
        self._head = head
        self._name = league.name
        self._terms = Terms.of(league)
        self._entrants = {entrant.name: entrant for entrant in head.entrants}

    def check(self, record: MatchRecord, match_key: str, attempt: form.Attempt) -> None:
        """Raises ``DiffersError``."""
        same("league", self._name, record.league)
        same("match_key", match_key, record.match_key)
        same("attempt", attempt.number, record.attempt)
        same("end_time", attempt.ended_at, record.end_time)
        same("seed_commitment", self._head.seed_commitment.hex(), record.seed_commitment.hex())
        if difference := self._terms.difference(record):
            raise DiffersError(*difference)
        for seat in record.seats:
            self._check_seat(seat)
        if difference := verify(record, self._head.seed):
            raise DiffersError(*difference)

    def _check_seat(self, seat: SeatRecord) -> None:
        entrant = self._entrants.get(seat.bot)
        where = f"seats[{seat.seat}]"
        if entrant is None:
            raise DiffersError(f"{where}.bot", "an entrant", sanitise(seat.bot))
        same(f"{where}.bundle_sha256", entrant.bundle_sha256.hex(), seat.bundle_sha256.hex())
        for name in ("version", "author", "language"):
            same(f"{where}.{name}", getattr(entrant, name), sanitise(getattr(seat, name)))
