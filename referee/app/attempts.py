"""Every attempt at the matches of a league: what broke off, where, and whom it hurt."""

from __future__ import annotations

from dataclasses import dataclass

from referee.app.rates import BotRates, HostRates, Tally, table_of
from referee.core.errors import NotFoundError
from referee.store.entries import AttemptEntry
from referee.store.repository import Repository


@dataclass(frozen=True, slots=True)
class AttemptsReport:
    league: str
    attempts: tuple[AttemptEntry, ...]
    """Those that were asked for, by table, deal and rotation."""
    hosts: tuple[HostRates, ...]
    """Of the whole league, by name, as the bots."""
    bots: tuple[BotRates, ...]
    warnings: tuple[str, ...]
    """Of hosts that look bad, with the figures."""


def attempts(
    repository: Repository,
    name: str,
    *,
    status: str | None = None,
    cause: str | None = None,
    bot: str | None = None,
    host: str | None = None,
) -> AttemptsReport:
    """The attempts at a league's matches that fit all that is given, and the league's rates.

    ``bot`` is one that sits in the match. Raises ``NotFoundError`` where there is no such league,
    or no such bot in it.
    """
    league = repository.get_league(name)
    if bot is not None and bot not in {entrant.name for entrant in league.entrants}:
        raise NotFoundError(f"there is no bot {bot!r} in league {name!r}")
    found = tuple(repository.attempts(name))
    # Read later, so what counts there counts here.
    tally = Tally(found, repository.list_matches(name))
    return AttemptsReport(
        league=name,
        attempts=tuple(
            entry
            for entry in found
            if status in (None, entry.status)
            and cause in (None, entry.cause)
            and host in (None, entry.host)
            and (bot is None or bot in table_of(entry))
        ),
        hosts=tuple(map(tally.of_host, tally.hosts)),
        bots=tuple(map(tally.of_bot, tally.bots)),
        warnings=tuple(text for host in tally.hosts for text in tally.warnings(host)),
    )
