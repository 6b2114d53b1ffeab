"""A bot's share of the work, where several bots play on one database: the shards that it holds.

A shard is held by a lock of the session by which its holder writes. Whoever loses that session loses both at once: he writes
nothing until he holds all of it again. What he sends to Discord he has to stop by himself: `is_sure` says how long.
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

from bot.store.errors import StoreInUse

from .advisory_locks import AdvisoryLocks, try_lock
from .notify import News
from .sqlalchemy_async import AsyncConnection, AsyncEngine

SHARD, COUNT, BUCKET, TELLING, SECRET = 7284, 7285, 7286, 7287, 7289
"""First halves of the keys of locks: of a shard, of their number, of who identifies, of a game that is being told, of the mark of
a secret."""

DUTIES = (7283, 4)
"""The lock of whoever does what is done once for all games."""

LEASE = 5.0
"""Seconds for which it is believed that the session still holds what it held."""

REST = 5.0
"""So long, in seconds, nothing new is taken after the session was lost: a server that begins anew gives all others the time to
take back what they had. Duties are left for so long to whoever had them."""

MOST_SHARDS = 4096

FORM = re.compile(r"(?:(?P<first>\d{1,4})(?:-(?P<last>\d{1,4}))?|auto(?::(?P<most>\d{1,4}))?)/(?P<count>\d{1,4})")

RECKON = """
UPDATE places SET shard_key = found.key
FROM (
  SELECT game, CASE WHEN guild ~ '^[0-9]{1,20}$' THEN floor(guild::numeric / 4194304)::bigint ELSE 0 END AS key FROM places
) AS found
WHERE found.game = places.game AND found.key IS DISTINCT FROM places.shard_key
"""
"""Places that were written by programs which know nothing of shards."""

LOCKS = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database()
  AND locktype = 'advisory' AND classid = {} AND objid {} {}
"""
"""How many locks there are whose key has this first half and such a second one."""

ANOTHER_NUMBER = StoreInUse("Bots with another number of shards run on this database.")
ANOTHER_SECRET = StoreInUse(
    "Bots with another mail.key run on this database; copy theirs into the data folder of this one."
)


@dataclass(frozen=True)
class ShardSpec:
    """Which of so many shards (`count`) a bot asks for: those with these `numbers`, or any that are free, at most so many."""

    count: int
    numbers: tuple[int, ...] = ()
    most: int = 0

    @classmethod
    def read(cls, words: str) -> ShardSpec:
        """`3/16`, `0-3/16`, `auto/16` (all that are free), `auto:4/16` (at most four).

        :raises ValueError: it is none of these, or there are no such shards.
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
    """What one bot holds. `steady` are seconds of a clock that nobody sets; `mark` (31 bits, None for none) is that of the secret
    which all bots that open the mailbox must have in common."""

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
        """Those whose games are told by this bot now."""
        self.has_duties = False
        self._proven = -LEASE
        self._rests_until: float | None = None
        self._others_duties = -REST
        """When another bot was last seen to have them."""

    def open(self, claims: AdvisoryLocks, others: AsyncEngine) -> None:
        """Use the session that writes; what may wait uses `others`."""
        self._claims = claims
        self.news = News(others)

    @property
    def session(self) -> int:
        """Which session it is that holds all of it: the first, the second, or a later one."""
        return self._claims.session

    @property
    def is_sure(self) -> bool:
        """Whether the session was there a moment ago, and with it all that it holds."""
        return self.steady() - self._proven < LEASE

    def hold(self, lock: Callable[[str, tuple[int, int], StoreInUse], None], cursor: Any) -> None:
        """A new session takes what is named or was held before it: all of it, or it is none. Nothing is sure before it was asked:
        what was begun with the one before may still be under way.

        :raises StoreInUse: another bot has some of it.
        """
        now = self.steady()
        self._doubt()
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
            lock("pg_advisory_lock", DUTIES, StoreInUse("Another bot has taken the duties of this one."))

    async def reckon_keys(self, connection: AsyncConnection) -> None:
        """See that every place has the key of its shard."""
        await connection.execute(text(RECKON))

    async def ask(self) -> None:
        """Ask the session whether it is there, or begin another one; it takes what is free.

        :raises StoreInUse: another bot has taken some of it.
        :raises StoreError: it is gone.
        """
        try:
            async with self._claims.asked() as connection:
                now = self.steady()
                await connection.execute(text("SELECT 1"))
                if now >= (self._rests_until or 0.0):
                    await self._take(connection, now)
            self._proven = now
        except BaseException:
            self._doubt()
            raise

    def _doubt(self) -> None:
        """Another bot may have all of it."""
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
        """The shard of a server, by what it is reckoned from."""
        return key % self.wanted.count

    def telling(self, game: int) -> AbstractAsyncContextManager[bool]:
        """Whether it is this bot that tells a game now: one that has just been moved to a server of another shard is still
        being told by the bot that had it."""
        return self._claims.claimed((TELLING, game % 2**31))

    def identifying(self, bucket: int) -> AbstractAsyncContextManager[bool]:
        """Whether it is this bot that begins a session of that bucket."""
        return self._claims.claimed((BUCKET, bucket))
