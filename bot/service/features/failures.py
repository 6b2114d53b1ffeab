"""Rows that cannot be handled do not hold up those behind them: they are tried a few times, then set aside and reported once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.engine import GameId
from bot.metrics import SET_ASIDE
from bot.service.sessions import SessionManager, log
from bot.store import FailureRecord, StoreError

TRIES = 5
"""Attempts at a row before it is set aside."""

QUEUES = ("mail", "letter", "outbox", "reminder", "job")
"""Every queue whose rows may fail: mails out, mails in, notices for Discord, reminders, jobs."""


class FailedRows:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def note(
        self, queue: str, key: object, error: str, game_id: GameId | None = None, tries: int = TRIES
    ) -> FailureRecord:
        """Count one more failed attempt at a row, and set the row aside after `tries` failures.

        `error` is for operators: no name, no address, nothing that a stranger wrote. A row that is not set aside (its
        `set_aside_at` is None) is to be tried again later.
        """
        now = self.desk.now()
        failure = await self.desk.store.failures.note(queue, str(key), error, now, game_id)
        if failure.tries >= tries and failure.set_aside_at is None:
            await self.desk.store.failures.set_aside(queue, str(key), now)
            failure.set_aside_at = now
            log.error(
                "%s %s is set aside after %d tries: %s", queue, key, failure.tries, error, extra={"game": game_id}
            )
        return failure

    async def set_back(
        self, queue: str, key: object, error: str, game_id: GameId | None, tell: Callable[[GameId], Awaitable[None]]
    ) -> FailureRecord:
        """Count one more failed attempt at a row. Once it is set aside, `tell` tells its game's table, once for each game."""
        failure = await self.note(queue, key, error, game_id)
        if failure.set_aside_at is not None and failure.reported_at is None:
            if game_id is not None and not await self.is_reported(queue, game_id):
                await tell(game_id)
            await self.mark_reported(failure)
        return failure

    async def forget(self, queue: str, key: object) -> None:
        await self.desk.store.failures.forget(queue, str(key))

    async def games(self, queue: str) -> set[GameId]:
        return {failure.game for failure in await self.desk.store.failures.list_all(queue) if failure.game is not None}

    async def is_reported(self, queue: str, game_id: GameId) -> bool:
        """Whether a person who can do something has heard of a row of that game."""
        return any(
            one.game == game_id and one.reported_at is not None
            for one in await self.desk.store.failures.list_all(queue)
        )

    async def mark_reported(self, failure: FailureRecord) -> None:
        await self.desk.store.failures.mark_reported(failure.queue, failure.key, self.desk.now())

    async def list_set_aside(self) -> list[FailureRecord]:
        """Oldest first."""
        return [failure for failure in await self.desk.store.failures.list_all() if failure.set_aside_at is not None]

    async def count(self) -> dict[str, int]:
        """The number of rows that are set aside now; also sets the gauges. 0 where the database does not answer."""
        try:
            found = await self.desk.store.failures.count_set_aside()
        except StoreError as error:
            log.warning("rows that are set aside cannot be counted: %s", error)
            return {}
        counts = {queue: found.get(queue, 0) for queue in QUEUES}
        for queue, count in counts.items():
            SET_ASIDE.labels(queue).set(count)
        return counts
