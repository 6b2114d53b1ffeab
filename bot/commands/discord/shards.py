"""The bot as one of several that share the work: each serves the shards that it holds, and the games of their servers.

discord.py has a client for many shards. It is not used: it takes no shard later on, begins every lost connection anew instead of
resuming it, and waits for one shard at a time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord.gateway import DiscordWebSocket
from discord.state import AutoShardedConnectionState

from bot import metrics
from bot.engine import NO_GAME, GameId
from bot.ops.settings import Settings
from bot.ops.side_services import SideServices
from bot.ops.supervisor import keep_going
from bot.service.game_service import GameService
from bot.store import Notice, StoreError, StoreInUse, shard_key_of

from .bot import POSTER, Signalbox
from .gateway import GatewayConnection
from .message_slots import RetryLater
from .outbox_worker import OutboxWorker
from .request_pacer import RequestPacer

if TYPE_CHECKING:
    from bot.store.backends.shard_lease import ShardLease

log = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two checks of which shards are still held, and which are free."""

POLL = 5.0
"""Seconds between two looks into the outbox, where another bot may have saved something and its notification was
lost.
"""

GRACE = 6.0
"""Seconds after taking a shard during which nothing is posted: by then its former holder has noticed the loss.
Longer than the lease by the time of a request.
"""

IDENTIFY = 5.5
"""Discord lets a bucket of shards begin one session in five seconds. This is waited before each session while nobody
else may begin: a killed bot leaves nothing for others to remember.
"""

AGAIN = 0.25
"""Seconds until a bucket is requested again."""

SHARD = "shard "
"""Prefix of the names of the tasks that keep a shard connected."""


class LeaseUncertain(ConnectionError):
    """It is not certain that this bot still holds its shards; another bot may be posting their games."""


class SharedOutboxWorker(OutboxWorker):
    def __init__(self, client: ShardedSignalbox, share: ShardLease) -> None:
        super().__init__(client)
        self.share = share

    async def _tell_game(self, game_id: GameId, waiting: Sequence[Notice]) -> None:
        """As for one bot; waits for a game that has just come from another shard."""
        outbox = self.client.tables.outbox
        async with self.share.post_lock(game_id) as is_ours:
            if not is_ours:
                raise RetryLater("another bot is posting it now")
            if left := await outbox.unposted_notices(waiting):
                await super()._tell_game(game_id, left)
        await self.client.tables.computers.listen(game_id)


class ShardedSignalbox(Signalbox):
    """Serves shards; `is_lost` says at the end that another bot has taken them."""

    def __init__(self, tables: GameService, settings: Settings, beside: SideServices) -> None:
        super().__init__(tables, settings, beside)
        if tables.desk.share is None:
            raise ValueError("nothing is shared")
        self.share = tables.desk.share
        self.shard_count = self._connection.shard_count = self.share.wanted.count
        self.poster = SharedOutboxWorker(self, self.share)
        self.sockets: dict[int, DiscordWebSocket] = {}
        self._pace = RequestPacer()
        self._ready_shards: set[int] = set()
        self._serving: set[int] = set()
        self._buckets: dict[int, asyncio.Lock] = {}
        self._has_begun_duties = False
        self._concurrency = 1
        self._send, self.http.request = self.http.request, self._request  # type: ignore[method-assign]

    # -- holding --------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """As for one bot; takes duties that no bot has."""
        _, _, limits = await self.http.get_bot_gateway()
        self._concurrency = max(1, limits["max_concurrency"])
        self._end: asyncio.Future[None] = self.loop.create_future()
        await super().setup_hook()
        self._tasks.append(asyncio.create_task(keep_going(self._listen, "the ear for other bots"), name="news"))
        self._tasks.append(asyncio.create_task(keep_going(self._lease_loop, "holding shards"), name="holding"))

    async def take_duties(self) -> None:
        if self.share.has_duties and not self._has_begun_duties:
            await super().take_duties()
            self._has_begun_duties = True
            log.info("this bot does what is done once for all")

    async def sync_if_changed(self) -> None:
        """One bot registers the commands for all."""
        if self.share.has_duties:
            await super().sync_if_changed()

    async def _lease_loop(self) -> None:
        """Until cancelled, check that all shards served are held. Nothing is posted while that is not certain."""
        polled, is_held, session = 0.0, True, self.share.session
        while True:
            try:
                await self.share.refresh()
            except StoreInUse as error:
                log.warning("%s This bot begins anew.", error)
                self.is_lost = True
                self._pause_posting()
                await self._release_shards()
                if not self._end.done():
                    self._end.set_result(None)
                return
            except StoreError as error:
                if is_held:
                    log.warning("nothing is posted until the shards are held again: %s", error)
                is_held = False
                self._pause_posting()
            else:
                if self.share.session != session:
                    # The writer met with the end of the previous session.
                    is_held, session = False, self.share.session
                    self._pause_posting()
                if not is_held:
                    log.info("the shards are held again")
                is_held = True
                await self._sync_shards()
            if (now := self.loop.time()) - polled >= POLL:
                polled = now
                await self.poster.wake(NO_GAME)
            await asyncio.sleep(BEAT)

    async def _release_shards(self) -> None:
        """Stop receiving events of these shards: another bot does."""
        for task in [task for task in self._tasks if task.get_name().startswith(SHARD)]:
            task.cancel()
        for socket in self.sockets.values():
            if socket.open:
                await socket.close(code=1000)

    def _pause_posting(self) -> None:
        for task in [task for task in self._tasks if task.get_name() == POSTER]:
            task.cancel()
            self._tasks.remove(task)

    async def _sync_shards(self) -> None:
        share = self.share
        self._pace.part = len(share.taken) / share.wanted.count
        self._pace.place = min(share.taken, default=0) / share.wanted.count
        self._known.shard_ids = sorted(share.taken)
        for shard in sorted(share.taken.keys() - self._serving):
            log.info("shard %d is this bot's", shard)
            self._serving.add(shard)
            self._tasks.append(asyncio.create_task(self._serve_shard(shard), name=f"{SHARD}{shard}"))
        due = {shard for shard, since in share.taken.items() if share.steady() - since >= GRACE} & self._ready_shards
        fresh = due - share.served
        share.served |= fresh
        if fresh:
            self._tasks.append(asyncio.create_task(self.serve(), name="serve"))
        try:
            await self.take_duties()
        except OSError as error:
            log.warning("the pages cannot be served yet: %s", error)

    async def _listen(self) -> None:
        while True:
            try:
                async for game in self.share.news.changed_games():
                    await self.tables.desk.on_remote_change(game)
            except StoreError:
                await asyncio.sleep(BEAT)

    def is_elsewhere(self, guild: str) -> bool:
        return self.share.shard_of(shard_key_of(guild)) not in self._ready_shards

    async def _request(self, route: discord.http.Route, **more: Any) -> Any:
        """Limit requests to this bot's part of the allowance; and let no bot that may have lost its shards send or
        change a message.

        :raises LeaseUncertain: that is so.
        """
        await self._pace.wait()
        if route.method != "GET" and route.path.startswith("/channels/") and not self.share.is_sure:
            raise LeaseUncertain("another bot may hold the shards")
        return await self._send(route, **more)

    # -- the gateway ----------------------------------------------------------------------------------

    def _get_state(self, **options: Any) -> AutoShardedConnectionState[Any]:
        self._known = AutoShardedConnectionState[Any](
            dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options
        )
        return self._known

    def _get_websocket(self, guild_id: int | None = None, *, shard_id: int | None = None) -> DiscordWebSocket:
        return self.sockets[self.share.shard_of((guild_id or 0) >> 22) if shard_id is None else shard_id]

    @property
    def latency(self) -> float:
        """The slowest shard's, in seconds."""
        return max((socket.latency for socket in self.sockets.values()), default=float("nan"))

    @property
    def is_connected(self) -> bool:
        """Whether every held shard is served; False where none is held."""
        held = self.share.taken.keys()
        return bool(held) and all(shard in self._ready_shards and self.sockets[shard].open for shard in held)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """The connection has waited for its turn before it was made."""

    async def on_ready(self) -> None:
        """Each shard reports it separately."""

    async def on_shard_ready(self, shard: int) -> None:
        """Its servers are known from now on; `_hold` does the rest."""
        log.info("ready as %s in %d servers, with shard %d", self.user, len(self.guilds), shard)
        metrics.GATEWAY_SESSIONS.labels("new").inc()
        self._ready_shards.add(shard)
        self._ready.set()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Serve what is held until the end.

        :raises discord.ConnectionClosed: Discord does not want this bot.
        """
        await self._end

    async def _serve_shard(self, shard: int) -> None:
        turn = partial(self._turn, shard % self._concurrency)
        line = GatewayConnection(self, partial(self.sockets.__setitem__, shard), shard, turn)
        try:
            await line.keep()
        except discord.ConnectionClosed as error:
            if not self._end.done():
                self._end.set_exception(error)

    @asynccontextmanager
    async def _turn(self, bucket: int) -> AsyncIterator[None]:
        """Hold the right to begin a session, exclusive over all bots."""
        async with self._buckets.setdefault(bucket, asyncio.Lock()):
            while True:
                async with self.share.identify_lock(bucket) as is_ours:
                    if is_ours:
                        await asyncio.sleep(IDENTIFY)
                        yield
                        return
                await asyncio.sleep(AGAIN)

    async def disconnect(self) -> None:
        await self._release_shards()
        await super().disconnect()
