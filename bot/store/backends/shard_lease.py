"""A bot's share of the work, where several bots play on one database: the shards that it holds.

A shard is held by a lock of the session by which its holder writes. A holder that loses that session loses both at
once: it writes nothing until it holds all of it again. It has to stop sending to Discord too: `is_sure` says how long.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from copy import copy
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from bot.engine import GameId
from bot.store.errors import StoreInUse

from .advisory_locks import AdvisoryLocks, try_lock
from .notify import News
from .sqlalchemy_async import AsyncConnection, AsyncEngine

SHARD, COUNT, BUCKET, TELLING, SECRET = 7284, 7285, 7286, 7287, 7289
"""First halves of the keys of locks: of a shard, of the number of shards, of the bot that identifies, of the
game being posted about, of the mark of a secret.
"""

DUTIES = (7283, 4)
"""The lock of the bot that does the work done once for all games."""

LEASE = 5.0
"""Seconds for which the session is assumed to hold what it held."""

REST = 5.0
"""Seconds without taking anything new after the session was lost: a restarted server gives all others the time
to take back what they had. Duties are left as long to the bot that had them.
"""

MOST_SHARDS = 4096

FORM = re.compile(r"(?:(?P<first>\d{1,4})(?:-(?P<last>\d{1,4}))?|auto(?::(?P<most>\d{1,4}))?)/(?P<count>\d{1,4})")

SET_SHARD_KEYS = """
UPDATE places SET shard_key = found.key
FROM (
  SELECT game, CASE WHEN guild ~ '^[0-9]{1,20}$' THEN floor(guild::numeric / 4194304)::bigint ELSE 0 END AS key FROM places
) AS found
WHERE found.game = places.game AND found.key IS DISTINCT FROM places.shard_key
"""
"""For places written by programs that know nothing of shards."""

LOCKS = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database()
  AND locktype = 'advisory' AND classid = {} AND objid {} {}
"""
"""Number of locks whose key has this first half and such a second half."""

ANOTHER_NUMBER = StoreInUse("Bots with another number of shards run on this database.")
ANOTHER_SECRET = StoreInUse(
    "Bots with another mail.key run on this database; copy theirs into the data folder of this bot."
)


@dataclass(frozen=True)
class ShardSpec:
    """The shards of `count` that a bot wants: those with these `numbers`, or any that are free, up to a maximum."""

    count: int
    numbers: tuple[int, ...] = ()
    most: int = 0

    @classmethod
    def parse(cls, words: str) -> ShardSpec:
        """`3/16`, `0-3/16`, `auto/16` (all that are free), `auto:4/16` (at most four).

        :raises ValueError: the text is not valid, or there are no such shards.
        """
        found = FORM.fullmatch(words.strip())
        if found is None or not 1 <= int(found["count"]) <= MOST_SHARDS:
            raise ValueError("no shards")
        count = int(found["count"])
        if found["first"] is None:
            most = min(int(found["most"] or count), count)
            numbers = range(0)
        else:
            first = int(found["first"])
            numbers = range(first, int(found["last"] or first) + 1)
            most = len(numbers)
        if not most or numbers.stop > count:
            raise ValueError("no such shards")
        return cls(count, tuple(numbers), most)


class ShardLease:
    """The share of one bot. `steady` are seconds of a clock that nobody sets; `mark` (31 bits, None for none)
    identifies the secret that all bots that open the mailbox must have in common.
    """

    def __init__(
        self, wanted: ShardSpec, steady: Callable[[], float] = time.monotonic, mark: int | None = None
    ) -> None:
        self.wanted, self.steady = wanted, steady
        self._alike = [(COUNT, wanted.count, ANOTHER_NUMBER)]
        if mark is not None:
            self._alike.append((SECRET, mark, ANOTHER_SECRET))
        self.taken: dict[int, float] = {}
        """The shards that are held, and since when."""
        self.served: set[int] = set()
        """Shards whose games this bot serves now."""
        self.has_duties = False
        self._proven = -LEASE
        self._rests_until: float | None = None
        self._others_duties = -REST
        """When another bot was last seen to have the duties."""

    def open(self, claims: AdvisoryLocks, others: AsyncEngine) -> None:
        """Use the session that writes; statements that may wait use `others`."""
        self._claims = claims
        self.news = News(others)

    @property
    def session(self) -> int:
        """The number of the session that holds all of it: the first, the second, or a later session."""
        return self._claims.session

    @property
    def is_sure(self) -> bool:
        """Whether the session was there a moment ago, with everything that it holds."""
        return self.steady() - self._proven < LEASE

    def acquire(self, lock: Callable[[str, tuple[int, int], StoreInUse], None], cursor: Any) -> None:
        """Let a new session take what is named or was held before it: all of it, or the session fails. Nothing is sure
        before the session was asked: work begun with the previous session may still be under way.

        :raises StoreInUse: another bot has some of it.
        """
        now = self.steady()
        self._invalidate()
        self._rests_until = 0.0 if self._rests_until is None else now + REST
        for kind, number, refusal in self._alike:
            lock("pg_advisory_lock_shared", (kind, number), refusal)
            cursor.execute(LOCKS.format(kind, "<>", number))
            if cursor.fetchone()[0]:
                raise copy(refusal)
        for shard in sorted({*self.taken, *self.wanted.numbers}):
            lock("pg_advisory_lock", (SHARD, shard), StoreInUse("Another bot has shard {shard}.", shard))
            self.taken[shard] = now
        if self.has_duties:
            lock("pg_advisory_lock", DUTIES, StoreInUse("Another bot has taken over the duties of this bot."))

    async def set_shard_keys(self, connection: AsyncConnection) -> None:
        await connection.execute(text(SET_SHARD_KEYS))

    async def refresh(self) -> None:
        """Check that the session is there, or begin a new session; it takes what is free.

        :raises StoreInUse: another bot has taken some of it.
        :raises StoreError: it is gone.
        """
        try:
            async with self._claims.session_connection() as connection:
                now = self.steady()
                await connection.execute(text("SELECT 1"))
                if now >= (self._rests_until or 0.0):
                    await self._take(connection, now)
            self._proven = now
        except BaseException:
            self._invalidate()
            raise

    def _invalidate(self) -> None:
        """Assume that another bot may have all of it."""
        self.served.clear()
        self._proven = -LEASE

    async def _take(self, connection: AsyncConnection, now: float) -> None:
        for shard in range(self.wanted.count):
            if len(self.taken) >= self.wanted.most:
                break
            if shard not in self.taken and await try_lock(connection, (SHARD, shard)):
                self.taken[shard] = now
        if self.has_duties:
            return
        if (await connection.execute(text(LOCKS.format(DUTIES[0], "=", f"{DUTIES[1]} AND granted")))).scalar_one():
            self._others_duties = now
        elif now - self._others_duties >= REST:
            self.has_duties = await try_lock(connection, DUTIES)

    def shard_of(self, key: int) -> int:
        return key % self.wanted.count

    def post_lock(self, game_id: GameId) -> AbstractAsyncContextManager[bool]:
        """Whether this bot posts about a game now: a game just moved to a server of another shard is still served by
        the bot that had it.
        """
        return self._claims.lock_or_skip((TELLING, game_id % 2**31))

    def identify_lock(self, bucket: int) -> AbstractAsyncContextManager[bool]:
        """Whether this bot begins a session of that bucket."""
        return self._claims.lock_or_skip((BUCKET, bucket))
