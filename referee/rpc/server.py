"""The Play service: who may sit down, and the streams of those who do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Final, Self

import grpc

import referee
from elfer.v1 import play_pb2
from referee.core.errors import HostFault
from referee.files.temporary import TemporaryFolder
from referee.match.clock import DEFAULT_HANDSHAKE_LIMIT_US
from referee.match.conduct import DEFAULT_GRACE_US, Infraction
from referee.rpc.conversation import StreamEndedError
from referee.rpc.endpoint import LOOPBACK, SOCKET, make_socket_folder, unix_sockets_serve
from referee.rpc.handshake import PROTOCOL_VERSION, RefusedError, read_hello, seat_for
from referee.rpc.inbox import MOST_MESSAGE_BYTES
from referee.rpc.session import Session
from referee.rpc.timers import LoopTimers, Timers

TOKEN_BYTES: Final = 16
NONCE_BYTES: Final = 16
MOST_READ_BYTES: Final = 8 * 2**20
"""Of one element. What is smaller and still too large is judged, what is larger ends the stream."""
MOST_CONNECTIONS: Final = 64
IDLE_CONNECTION_MS: Final = 10_000
"""How long a connection may stay without a stream."""
STOP_GRACE_S: Final = 0.5
"""For the statuses that follow the goodbyes; a stream without a seat is cut off then."""

_METHOD: Final = play_pb2.DESCRIPTOR.services_by_name["PlayService"].methods_by_name["Play"]

_Context = grpc.aio.ServicerContext[bytes, bytes]

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MOST_READ_BYTES),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_allowed_incoming_connections", MOST_CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", IDLE_CONNECTION_MS),
    ("grpc.max_connection_idle_ms", IDLE_CONNECTION_MS),
    # Else another process could bind the same port and be given our bots.
    ("grpc.so_reuseport", 0),
    # Elements are small: measuring the bandwidth would cost a ping for every few of them.
    ("grpc.http2.bdp_probe", 0),
    # A bot may ping as often as its own keepalive likes.
    ("grpc.http2.max_ping_strikes", 0),
)
_KEEPALIVE: Final = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)


class PlayServer:
    """Serves bots at an address of its own.

    A stream that was lost may be taken up again within ``grace_us``. ``tcp`` asks for
    loopback where Unix sockets would serve. Without ``keepalive`` nothing is
    asked of a silent bot, which may stand in a debugger.
    """

    def __init__(
        self,
        *,
        handshake_limit_us: int | None = DEFAULT_HANDSHAKE_LIMIT_US,
        grace_us: int = DEFAULT_GRACE_US,
        keepalive: bool = True,
        tcp: bool = False,
        timers: Timers | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._handshake_limit_us: Final = handshake_limit_us
        self._grace_us: Final = grace_us
        self._unix: Final = unix_sockets_serve() and not tcp
        self._options: Final = _OPTIONS + (_KEEPALIVE if keepalive else ())
        self._timers: Final = timers or LoopTimers()
        self._random_bytes: Final = random_bytes
        self._sessions: Final[list[Session]] = []
        self._server: grpc.aio.Server | None = None
        self._folder: TemporaryFolder | None = None
        self._address = ""

    @property
    def address(self) -> str:
        """Where bots come to, as gRPC names it, once the server has started."""
        return self._address

    async def start(self) -> None:
        """Raises ``HostFault`` where the host has no socket or port for it."""
        server = grpc.aio.server(options=self._options)
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        service = grpc.method_handlers_generic_handler(
            _METHOD.containing_service.full_name, {_METHOD.name: play}
        )
        server.add_generic_rpc_handlers((service,))
        if self._unix:
            self._folder = make_socket_folder()
        target = f"unix:{self._folder.path / SOCKET}" if self._folder else f"{LOOPBACK}:0"
        self._server = server
        try:
            port = server.add_insecure_port(target)
            await server.start()
        except BaseException as error:
            await self.stop()
            if isinstance(error, RuntimeError):
                raise HostFault(f"cannot listen at {target}: {error}") from error
            raise
        self._address = target if self._folder else f"{LOOPBACK}:{port}"

    async def stop(self) -> None:
        """Say goodbye to all bots, end all streams, remove the socket. May be called twice."""
        await asyncio.gather(*(session.close() for session in self._sessions))
        if self._server is not None:
            await self._server.stop(grace=STOP_GRACE_S)
        if self._folder is not None:
            self._folder.remove()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def add_seat(self, bot: str) -> Session:
        """A seat for one bot. It is taken by whoever first shows the session's token."""
        token = self._random_bytes(TOKEN_BYTES).hex()
        session = Session(bot, token, self._timers, self._grace_us)
        self._sessions.append(session)
        return session

    async def _play(self, _: AsyncIterator[bytes], context: _Context) -> None:
        stream = _GrpcStream(context)
        try:
            hello = await read_hello(stream, self._handshake_limit_us, self._timers)
            session = seat_for(hello, self._sessions)
            received = hello.received if hello.HasField("received") else None
            session.sit_down(self._welcome(), received)
        except RefusedError as refused:
            await context.abort(refused.status, refused.text)
        except Exception as error:
            # Which seat it was about is unknown, and no bot is to pay for it.
            for session in self._sessions:
                session.fail(error)
            raise
        if not await session.converse(stream):
            await context.abort(grpc.StatusCode.ABORTED, "the bot has taken its seat up anew")
        if session.loss is not None and session.loss.kind is Infraction.FLOOD:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, session.loss.detail)

    def _welcome(self) -> play_pb2.Welcome:
        return play_pb2.Welcome(
            protocol_version=PROTOCOL_VERSION,
            referee_version=referee.__version__,
            resume_nonce=self._random_bytes(NONCE_BYTES),
            max_matches=1,
            max_message_bytes=MOST_MESSAGE_BYTES,
        )


class _GrpcStream:
    """A gRPC stream of plain bytes: what cannot be parsed is for the session to judge."""

    def __init__(self, context: _Context) -> None:
        self._context: Final = context

    async def read(self) -> bytes | None:
        element: object = await self._context.read()
        return element if isinstance(element, bytes) else None

    async def write(self, element: bytes) -> None:
        try:
            await self._context.write(element)
        except grpc.aio.BaseError as error:
            raise StreamEndedError(str(error)) from error
