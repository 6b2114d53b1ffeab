"""The gateway: HELLO, IDENTIFY, READY, events with their numbers, heartbeats, RESUME with replay, invalid sessions."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.discord_double.boot import IDENTIFY_SECONDS
from tests.discord_double.model import DM, Json, PostedMessage, World
from tests.discord_double.payloads import Payloads

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT = 0, 1, 2, 3, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 8, 9, 10, 11
ACK_DELAY = 0.02
"""Seconds before a heartbeat is acknowledged: discord.py misreads an acknowledgement that comes at once."""

LARGEST_COMMAND = 4096
FIRST_CLOSE_CODE, SILENT = 1000, 0
"""What a gateway may refuse with: a status of HTTP, a code with which a socket is closed, or never a word."""

GUILDS, GUILD_MESSAGES, DM_MESSAGES = 1 << 0, 1 << 9, 1 << 12
MESSAGE_CONTENT = 1 << 15
PRIVILEGED = 1 << 1 | 1 << 8 | MESSAGE_CONTENT


@dataclass
class Session:
    """A session of the bot; it outlives its socket, and keeps what it sent for a RESUME."""

    id: str
    intents: int
    shard: tuple[int, int] = (0, 1)
    sequence: int = 0
    sent: list[Json] = field(default_factory=list)
    socket: Socket | None = None

    def hears_of(self, event: str, data: Json) -> bool:
        """Whether it is told of what happens there: of the servers of its shard; of direct messages, shard 0."""
        guild = data.get("guild_id") or (data["id"] if event.startswith("GUILD_") and "id" in data else 0)
        return self.has(int(guild))

    def has(self, guild: int) -> bool:
        """Whether a server is of its shard."""
        return (guild >> 22) % self.shard[1] == self.shard[0]


@dataclass
class Connection:
    """A socket that was opened, for the tests: where, and how it began."""

    path: str
    began: str = "nothing"
    replayed: int = 0


class Socket:
    """One open WebSocket: packs frames in the form asked for, and writes them in order."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self.request = request
        self.is_frozen = False
        self._frames: asyncio.Queue[bytes | str] = asyncio.Queue()
        self._pack = _packer(request.query.get("compress", ""))
        self._writer = asyncio.create_task(self._write())

    def send(self, op: int, data: Any = None, sequence: int | None = None, event: str | None = None) -> None:
        """Queue one frame, unless the line is dead and neither side has noticed."""
        if self.is_frozen:
            return
        self._frames.put_nowait(self._pack(json.dumps({"op": op, "d": data, "s": sequence, "t": event})))

    def abort(self) -> None:
        """Cut the line without a word, as a failing network does."""
        self._writer.cancel()
        if self.request.transport is not None:
            self.request.transport.abort()

    def stop(self) -> None:
        """Write no more."""
        self._writer.cancel()

    async def _write(self) -> None:
        while True:
            frame = await self._frames.get()
            try:
                await (self.ws.send_bytes(frame) if isinstance(frame, bytes) else self.ws.send_str(frame))
            except (ConnectionError, RuntimeError):
                return


def _packer(compression: str) -> Callable[[str], bytes | str]:
    """How text becomes a frame: plain, zlib-stream or zstd-stream."""
    if compression == "zlib-stream":
        stream = zlib.compressobj()
        return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
    if compression == "zstd-stream":
        return _zstd_packer()
    return lambda text: text


def _zstd_packer() -> Callable[[str], bytes]:
    try:
        from compression.zstd import ZstdCompressor
    except ImportError:
        import zstandard

        other = zstandard.ZstdCompressor().compressobj()
        return lambda text: other.compress(text.encode()) + other.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    stream = ZstdCompressor()
    return lambda text: stream.compress(text.encode(), ZstdCompressor.FLUSH_BLOCK)


class Gateway:
    """All sessions of the bot. `grants_content` False refuses the privileged intent of message content."""

    def __init__(self, world: World, payloads: Payloads, token: str, url: str, report: Callable[[str], None]) -> None:
        self.world = world
        self.payloads = payloads
        self.token = token
        self.resume_url = f"{url}/resume"
        self.refused_with: int | None = None
        self.resumes_with: int | None = None
        """What a RESUME is answered with in place of going on: a code with which the socket is closed, or `SILENT`."""
        self.report = report
        self.grants_content = True
        self.unavailable: set[int] = set()
        """Servers of which a new session is told nothing but that they are not available."""
        self.heartbeat_ms = 41_250
        self.sessions: dict[str, Session] = {}
        self.max_concurrency = 1
        self.identified: dict[int, float] = {}
        """When each bucket of shards began a session last; of bots with one shard nobody asks."""
        self.began: list[tuple[int, float]] = []
        """Which shards have begun a session, and when."""
        self.connections: list[Connection] = []
        self.on_change: Callable[[], None] = lambda: None

    @property
    def shards(self) -> set[int]:
        """The shards with an open socket."""
        return {session.shard[0] for session in self.sessions.values() if session.socket is not None}

    @property
    def live(self) -> Session | None:
        """The session with an open socket."""
        return next((session for session in self.sessions.values() if session.socket is not None), None)

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection, from HELLO to its end."""
        ws = web.WebSocketResponse(compress=False, max_msg_size=0)
        await ws.prepare(request)
        socket = Socket(ws, request)
        connection = Connection(request.path)
        self.connections.append(connection)
        if self.refused_with is None:
            socket.send(HELLO, {"heartbeat_interval": self.heartbeat_ms})
        elif self.refused_with >= FIRST_CLOSE_CODE:
            await ws.close(code=self.refused_with)
        is_open = self.refused_with is None
        try:
            async for frame in ws:
                if frame.type is WSMsgType.TEXT and is_open and not socket.is_frozen:
                    await self._command(socket, connection, frame.data)
        finally:
            socket.stop()
            self._leave(socket, ws.close_code)
        return ws

    def _leave(self, socket: Socket, code: int | None) -> None:
        for session in list(self.sessions.values()):
            if session.socket is socket:
                session.socket = None
                if code in (1000, 1001):
                    del self.sessions[session.id]
        self.on_change()

    async def _command(self, socket: Socket, connection: Connection, text: str) -> None:
        if len(text) > LARGEST_COMMAND:
            self.report(f"gateway: a command of {len(text)} bytes")
            await socket.ws.close(code=4002)
            return
        command = json.loads(text)
        op, data = command.get("op"), command.get("d")
        if op == HEARTBEAT:
            asyncio.get_running_loop().call_later(ACK_DELAY, socket.send, HEARTBEAT_ACK)
        elif op == IDENTIFY:
            await self._identify(socket, connection, data)
        elif op == RESUME and self.resumes_with is not None:
            connection.began = "resume in vain"
            if self.resumes_with >= FIRST_CLOSE_CODE:
                await socket.ws.close(code=self.resumes_with)
        elif op == RESUME:
            self._resume(socket, connection, data)
        elif op == REQUEST_MEMBERS:
            self._members(data)
        elif op != PRESENCE:
            self.report(f"gateway: unknown opcode {op}")
            await socket.ws.close(code=4001)

    async def _identify(self, socket: Socket, connection: Connection, data: Json) -> None:
        intents = int(data.get("intents", 0))
        if data.get("token") != self.token:
            await socket.ws.close(code=4004)
            return
        if intents & PRIVILEGED and not self.grants_content:
            await socket.ws.close(code=4014)
            return
        shard, count = data.get("shard") or (0, 1)
        if count > 1 and not self._may_identify(shard % self.max_concurrency):
            socket.send(INVALID_SESSION, False)
            return
        connection.began = "identify"
        self.began.append((shard, asyncio.get_running_loop().time()))
        session = Session(secrets.token_hex(8), intents, (shard, count), socket=socket)
        for other in [other for other in self.sessions.values() if other.shard == session.shard]:
            if count > 1 and other.socket is not None:
                self.report(f"gateway: shard {shard} of {count} has two sessions")
            other.socket = None
        self.sessions[session.id] = session
        guilds = [
            guild
            for guild in self.world.guilds.values()
            if self.world.bot.id in guild.members and session.has(guild.id)
        ]
        self._send(
            session,
            "READY",
            {
                "v": 10,
                "user": self.payloads.own_user(),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "private_channels": [],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": self.resume_url,
                "application": {"id": str(self.world.application_id), "flags": 1 << 19},
                "shard": list(session.shard),
            },
        )
        if intents & GUILDS:
            for guild in guilds:
                if guild.id not in self.unavailable:
                    self._send(session, "GUILD_CREATE", self.payloads.guild(guild))
        self.on_change()

    def _may_identify(self, bucket: int) -> bool:
        """Whether a bucket of shards has waited for long enough."""
        now = asyncio.get_running_loop().time()
        since = now - self.identified.get(bucket, -IDENTIFY_SECONDS)
        self.identified[bucket] = now
        if since < IDENTIFY_SECONDS:
            self.report(f"gateway: bucket {bucket} began two sessions within {since:.2f} s")
        return since >= IDENTIFY_SECONDS

    def _resume(self, socket: Socket, connection: Connection, data: Json) -> None:
        session = self.sessions.get(data.get("session_id") or "")
        if session is None or data.get("token") != self.token:
            socket.send(INVALID_SESSION, False)
            connection.began = "refused resume"
            return
        connection.began = "resume"
        session.socket = socket
        missed = [frame for frame in session.sent if frame["s"] > int(data.get("seq") or 0)]
        connection.replayed = len(missed)
        for frame in missed:
            socket.send(DISPATCH, frame["d"], frame["s"], frame["t"])
        self._send(session, "RESUMED", {})
        self.on_change()

    def _members(self, data: Json) -> None:
        guild = self.world.guilds.get(int(data.get("guild_id") or 0))
        session = next((one for one in self.sessions.values() if one.socket and guild and one.has(guild.id)), None)
        if session is None or guild is None:
            return
        asked = data.get("user_ids")
        wanted = {int(number) for number in ([asked] if isinstance(asked, str | int) else asked or guild.members)}
        users = [self.world.users[number] for number in guild.members if number in wanted]
        if query := data.get("query"):
            users = [user for user in users if user.name.lower().startswith(str(query).lower())]
        chunk = {
            "guild_id": str(guild.id),
            "members": [self.payloads.member(guild, user) for user in users],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
        }
        self._send(session, "GUILD_MEMBERS_CHUNK", chunk | ({"nonce": data["nonce"]} if data.get("nonce") else {}))

    def _send(self, session: Session, event: str, data: Json) -> None:
        session.sequence += 1
        frame = {"s": session.sequence, "t": event, "d": data}
        session.sent.append(frame)
        if session.socket is not None:
            session.socket.send(DISPATCH, data, session.sequence, event)

    def dispatch(self, event: str, data: Json, intent: int = 0) -> None:
        """Tell every session that asked for it, also those whose line is cut: they may resume."""
        for session in self.sessions.values():
            if (not intent or session.intents & intent) and session.hears_of(event, data):
                self._send(session, event, data)

    def dispatch_message(self, event: str, message: PostedMessage) -> None:
        """Tell of a message; its content is left out where Discord leaves it out."""
        is_direct = message.channel.type == DM
        form = self.payloads.message_event(message)
        bare = form | {"content": "", "embeds": [], "components": [], "attachments": []}
        for session in self.sessions.values():
            wanted = DM_MESSAGES if is_direct else GUILD_MESSAGES
            if session.intents & wanted and session.hears_of(event, form):
                is_open = is_direct or message.author is self.world.bot or message.mentions_user(self.world.bot)
                reads = is_open or (session.intents & MESSAGE_CONTENT and self.grants_content)
                self._send(session, event, form if reads else bare)

    # -- faults ---------------------------------------------------------------------------------------

    def refuse(self, code: int = 503) -> None:
        """Let nobody in from now on, while HTTP may work: a status of HTTP, a close code, or `SILENT`."""
        self.refused_with = code

    def accept(self) -> None:
        """Let everybody in again."""
        self.refused_with = None

    def freeze(self) -> None:
        """Let the open lines die without a word, as a router does that forgets them: heartbeats are not acknowledged."""
        for session in self.sessions.values():
            if session.socket is not None:
                session.socket.is_frozen = True

    def garble(self, event: str = "MESSAGE_CREATE") -> None:
        """Send an event without anything in it, which no library can read."""
        self.dispatch(event, {})

    def drop(self) -> None:
        """Cut the bot's socket; the session can be resumed."""
        for session in self.sessions.values():
            if session.socket is not None:
                session.socket.abort()
                session.socket = None

    def invalidate(self) -> None:
        """Declare the session lost: the bot has to identify anew, and what happened meanwhile is not replayed."""
        for session in list(self.sessions.values()):
            if session.socket is not None:
                session.socket.send(INVALID_SESSION, False)
            del self.sessions[session.id]

    def ask_reconnect(self) -> None:
        """Ask the bot to reconnect, as Discord does before a host goes down."""
        for session in self.sessions.values():
            if session.socket is not None:
                session.socket.send(RECONNECT)
