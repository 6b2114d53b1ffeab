"""Rows that cannot be handled do not hold up those behind them: they are tried a few times, then set aside and reported once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.metrics import SET_ASIDE
from bot.service.sessions.session_manager import SessionManager, log
from bot.store import FailureRecord, StoreError

TRIES = 5
"""Attempts at a row before it is set aside."""

QUEUES = ("mail", "letter", "outbox", "reminder", "job")
"""Every queue whose rows may fail: mails out, mails in, notices for Discord, reminders, jobs."""


class FailedRows:
    """Failed rows of all queues."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def note(
        self, queue: str, key: object, error: str, game: int | None = None, tries: int = TRIES
    ) -> FailureRecord:
        """Count one more failed attempt at a row, and set the row aside after so many `tries`.

        `error` is for operators: no name, no address, nothing that a stranger wrote. A row that is not set aside (its
        `set_aside_at` is None) is to be tried again later.
        """
        now = self.desk.now()
        failure = await self.desk.store.note_failure(queue, str(key), error, now, game)
        if failure.tries >= tries and failure.set_aside_at is None:
            await self.desk.store.set_aside(queue, str(key), now)
            failure.set_aside_at = now
            log.error("%s %s is set aside after %d tries: %s", queue, key, failure.tries, error, extra={"game": game})
        return failure

    async def set_back(
        self, queue: str, key: object, error: str, game: int | None, tell: Callable[[int], Awaitable[None]]
    ) -> FailureRecord:
        """Count one more failed attempt at a row. Once it is set aside, `tell` tells its game's table, once for each game."""
        failure = await self.note(queue, key, error, game)
        if failure.set_aside_at is not None and failure.reported_at is None:
            if game is not None and not await self.is_reported(queue, game):
                await tell(game)
            await self.mark_reported(failure)
        return failure

    async def forget(self, queue: str, key: object) -> None:
        """Forget that a row failed: it was handled, or does not exist any more."""
        await self.desk.store.forget_failure(queue, str(key))

    async def games(self, queue: str) -> set[int]:
        """The games with failed rows in a queue."""
        return {failure.game for failure in await self.desk.store.failures(queue) if failure.game is not None}

    async def unreported(self, queue: str) -> list[FailureRecord]:
        """Rows of a queue that are set aside and of which nobody has heard yet."""
        return [
            failure
            for failure in await self.desk.store.failures(queue)
            if failure.set_aside_at is not None and failure.reported_at is None
        ]

    async def is_reported(self, queue: str, game: int) -> bool:
        """Whether a person who can do something has heard of a row of that game."""
        return any(one.game == game and one.reported_at is not None for one in await self.desk.store.failures(queue))

    async def mark_reported(self, failure: FailureRecord) -> None:
        """Note that a person who can do something about it has heard of it."""
        await self.desk.store.mark_reported(failure.queue, failure.key, self.desk.now())

    async def set_aside(self) -> list[FailureRecord]:
        """All rows that are set aside, the oldest first."""
        return [failure for failure in await self.desk.store.failures() if failure.set_aside_at is not None]

    async def count(self) -> dict[str, int]:
        """The numbers of rows that are set aside now, by queue; the gauges are set on the way. Empty where the database does not
        answer."""
        try:
            found = await self.desk.store.count_set_aside()
        except StoreError as error:
            log.warning("rows that are set aside cannot be counted: %s", error)
            return {}
        counts = {queue: found.get(queue, 0) for queue in QUEUES}
        for queue, count in counts.items():
            SET_ASIDE.labels(queue).set(count)
        return counts
