"""A place in a sitting, and a bot's: its process, its stream and its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from referee.app.bots import Bot
from referee.app.cancelling import to_the_end
from referee.app.seated import SeatedBot
from referee.bots.launcher import launch
from referee.bots.meter import meter_of
from referee.bots.output import BotLog
from referee.bots.process import BotProcess, StartFailure
from referee.core.errors import HostFault
from referee.match.player import Message, Player
from referee.match.record import SeatRecord
from referee.rpc.server import PlayServer
from referee.rpc.session import Session

ADDRESS_VARIABLE: Final = "ELFER_ADDRESS"
TOKEN_VARIABLE: Final = "ELFER_TOKEN"

_GOODBYE: Final = "The referee ends this bot's stream."
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
    """Keeps one bot at the table, one process after another where it has to be."""

    def __init__(
        self,
        bot: Bot,
        server: PlayServer,
        log: Path,
        *,
        start_limit_us: int | None = None,
        spare: int = 0,
        announce: Callable[[str, str], None] | None = None,
    ) -> None:
        """A bot may set itself less than ``start_limit_us``, the league's.

        ``spare`` latenesses void a match where they are as likely the host's as the bot's.
        With ``announce`` it is not started: it is told where to come and waited for.
        """
        self.bot: Final = bot
        self.absence = ""
        """Why the bot did not come."""
        limits = (bot.manifest.start_limit, start_limit_us)
        self._start_limit_us: Final = min(limit for limit in limits if limit is not None)
        self.spare = spare
        self._server: Final = server
        self._announce: Final = announce
        self._log: Final = _open_log(log)
        self._process: BotProcess | None = None
        self._session: Session | None = None
        self._change: asyncio.Task[None] | None = None
        """What is done meanwhile, the match going on."""

    async def sit(self, match_key: str) -> None:
        """Have the bot at the table, unless it is there. A bot that does not come is absent."""
        with suppress(HostFault):  # which would have been the last match's
            session = await self.present()
            if session is not None and await session.there():
                return
        await self.leave()
        self._log.mark(match_key)
        await self._come()

    def at_seat(self, seat: int) -> SeatRecord:
        """Which files a bot runs that we did not start, nobody knows."""
        record = self.bot.at_seat(seat)
        return record if self._announce is None else replace(record, bundle_sha256=b"")

    def player(self, match_key: str) -> Player:
        return SeatedBot(self, self._session, self._log, match_key)

    def tell(self, message: Message) -> None:
        if self._session is not None:
            self._session.tell(message)

    async def present(self) -> Session | None:
        """The bot's session, once it is there; ``None`` where it is absent.

        Raises ``HostFault`` where it could not be started again.
        """
        if self._change is not None:
            await asyncio.shield(self._change)
        return self._session

    def restart(self) -> None:
        """Begin to end the bot and to start it again."""
        self._begin(self._restart)

    def dismiss(self) -> None:
        """Begin to end the bot."""
        self._begin(self._end)

    async def leave(self) -> None:
        """End the bot's stream and process, and all that the process started."""
        await to_the_end(self._leave())

    async def close(self) -> None:
        await self.leave()
        self._log.close()

    async def _leave(self) -> None:
        if self._change is not None:
            self._change.cancel()
            await asyncio.gather(self._change, return_exceptions=True)
            self._change = None
        await self._end()
        self._log.mark(None)

    def _begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do it meanwhile, after what was begun before: two at once would lose a process."""
        self._change = asyncio.create_task(_after(self._change, work))

    async def _restart(self) -> None:
        await self._end()
        await self._come()

    async def _come(self) -> None:
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
            self._log.note(started.reason)
            await self._be_absent(started.reason)
            return
        self._process = started
        session.spare = self.spare
        if (meter := meter_of(started)) is not None:
            session.meter = meter
        session.watch(started.exited)
        if not await session.connected(self._start_limit_us):
            if not started.exited.done():  # else the log has it
                self._log.note(session.absence)
            await self._be_absent(session.absence)

    async def _be_absent(self, reason: str) -> None:
        await self._end()
        self.absence = reason

    async def _end(self) -> None:
        session, self._session = self._session, None
        process, self._process = self._process, None
        await to_the_end(_end(session, process))


async def _after(
    former: asyncio.Task[None] | None, work: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    if former is not None:
        await asyncio.gather(former, return_exceptions=True)
    await work()


async def _end(session: Session | None, process: BotProcess | None) -> None:
    if session is not None:
        seated = session.alive
        await session.close(_GOODBYE)
        if seated and process is not None:
            await asyncio.wait([process.exited], timeout=_GOODBYE_SECONDS)
    if process is not None:
        await process.stop()


def _open_log(path: Path) -> BotLog:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HostFault(f"{path.parent}: cannot keep logs there: {error.strerror}") from error
    return BotLog(path)
