"""A place in a sitting, and a bot's: its process, its stream and its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from referee.app.bots import Bot
from referee.app.cancelling import to_the_end
from referee.bots.launcher import launch
from referee.bots.output import BotLog
from referee.bots.process import BotProcess, StartFailure
from referee.core.errors import HostFault
from referee.match.clock import Evidence
from referee.match.conduct import Infraction
from referee.match.player import Ask, Fault, Message, Player, Reply, Stray
from referee.match.record import SeatRecord
from referee.rpc.server import PlayServer
from referee.rpc.session import Session

ADDRESS_VARIABLE: Final = "ELFER_ADDRESS"
TOKEN_VARIABLE: Final = "ELFER_TOKEN"

_GOODBYE: Final = "The sitting is over."
_GOODBYE_SECONDS: Final = 1.0
"""How long a bot has to end by itself after the goodbye."""


class Chair(Protocol):
    """Keeps somebody at the table for the matches of a sitting."""

    async def sit(self, match_key: str) -> None:
        """Have them at the table for a match, unless they are there."""
        ...

    def at_seat(self, seat: int) -> SeatRecord:
        """Who sat there."""
        ...

    def player(self, match_key: str) -> Player:
        """Who plays for them in a match."""
        ...

    def tell(self, message: Message) -> None: ...

    async def leave(self) -> None:
        """Have them gone; ``sit`` brings them back."""
        ...

    async def close(self) -> None:
        """End everything that is theirs."""
        ...


class BotChair:
    """Keeps one bot at the table: starts it, and starts it afresh after it forfeited a match."""

    def __init__(
        self,
        bot: Bot,
        server: PlayServer,
        log: Path,
        *,
        announce: Callable[[str, str], None] | None = None,
    ) -> None:
        """With ``announce`` the bot is not started: it is told where to come and waited for."""
        self.bot: Final = bot
        self._server: Final = server
        self._announce: Final = announce
        self._log: Final = _open_log(log)
        self._process: BotProcess | None = None
        self._session: Session | None = None
        self._absence = ""

    async def sit(self, match_key: str) -> None:
        """Have the bot at the table, unless it is there. A bot that does not come is absent."""
        if self._session is not None and self._session.alive:
            return
        await self.leave()
        self._log.mark(match_key)
        self._session = session = self._server.add_seat(self.bot.name)
        if self._announce is not None:
            self._announce(self._server.address, session.token)
            await session.connected(None)
            return
        started = await launch(
            self.bot.manifest,
            self.bot.folder,
            self._log,
            {ADDRESS_VARIABLE: self._server.address, TOKEN_VARIABLE: session.token},
        )
        if isinstance(started, StartFailure):
            await self._absent(started.reason)
            return
        self._process = started
        session.watch(started.exited)
        if not await session.connected(self.bot.manifest.start_limit):
            await self._absent(session.absence)

    def at_seat(self, seat: int) -> SeatRecord:
        """Which files a bot runs that we did not start, nobody knows."""
        record = self.bot.at_seat(seat)
        return record if self._announce is None else replace(record, bundle_sha256=b"")

    def player(self, match_key: str) -> Player:
        if self._session is None:
            return _Absent(self._absence)
        return _Logged(self._session, self._log, match_key)

    def tell(self, message: Message) -> None:
        if self._session is not None:
            self._session.tell(message)

    async def leave(self) -> None:
        """End the bot's stream and process, and all that the process started."""
        session, self._session = self._session, None
        process, self._process = self._process, None
        await to_the_end(self._end(session, process))

    async def _end(self, session: Session | None, process: BotProcess | None) -> None:
        if session is not None:
            seated = session.alive
            await session.close(_GOODBYE)
            if seated and process is not None:
                await asyncio.wait([process.exited], timeout=_GOODBYE_SECONDS)
        if process is not None:
            await process.stop()
        self._log.mark(None)

    async def close(self) -> None:
        await self.leave()
        self._log.close()

    async def _absent(self, reason: str) -> None:
        self._log.note(reason)
        await self.leave()
        self._absence = reason


class _Absent:
    """Nobody came: every question tells so."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def ask(self, ask: Ask) -> Reply | Fault:  # noqa: ARG002 - the port's signature
        return Fault(Infraction.START_FAILURE, Evidence(elapsed_us=0), self._reason)

    def tell(self, message: Message) -> None:
        """Nobody listens."""

    def strays(self) -> tuple[Stray, ...]:
        return ()


class _Logged:
    """A bot's session that marks the bot's log with where the match stands."""

    def __init__(self, session: Session, log: BotLog, match_key: str) -> None:
        self._session = session
        self._log = log
        self._match_key = match_key
        self.tell = session.tell
        self.strays = session.strays

    async def ask(self, ask: Ask) -> Reply | Fault:
        self._log.mark(self._match_key, ask.game, ask.turn)
        return await self._session.ask(ask)


def _open_log(path: Path) -> BotLog:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HostFault(f"{path.parent}: cannot keep logs there: {error.strerror}") from error
    return BotLog(path)
