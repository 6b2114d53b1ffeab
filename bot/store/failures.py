"""Rows of queues that could not be handled: how often each was tried, and which are set aside."""

from __future__ import annotations

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId

from .records import FailureRecord
from .repository import Repository
from .rows import record_of
from .schema import failures

LONGEST_ERROR = 300


class FailureRepository(Repository):
    """Failed rows of every queue: mails, notices, reminders, jobs. A row that is not here has never failed."""

    async def note(self, queue: str, key: str, error: str, at: float, game_id: GameId | None = None) -> FailureRecord:
        new = {"tries": 1, "error": error[:LONGEST_ERROR], "first_at": at, "last_at": at}
        again = {"tries": failures.c.tries + 1, "error": error[:LONGEST_ERROR], "last_at": at}
        async with self.database.write_transaction() as connection:
            await connection.execute(
                insert_or_not(failures)
                .values(queue=queue, key=key, game=game_id, **new)
                .on_conflict_do_update(index_elements=["queue", "key"], set_=again)
            )
            query = select(failures).where(failures.c.queue == queue, failures.c.key == key)
            row = (await connection.execute(query)).mappings().one()
        return record_of(row, FailureRecord)

    async def set_aside(self, queue: str, key: str, at: float) -> None:
        """A row set aside is not tried any more."""
        await self._change_failure(queue, key, set_aside_at=at)

    async def mark_reported(self, queue: str, key: str, at: float) -> None:
        await self._change_failure(queue, key, reported_at=at)

    async def _change_failure(self, queue: str, key: str, **values: float) -> None:
        await self.database.write(
            update(failures).where(failures.c.queue == queue, failures.c.key == key).values(**values)
        )

    async def forget(self, queue: str, key: str) -> None:
        await self.database.write(delete(failures).where(failures.c.queue == queue, failures.c.key == key))

    async def forget_old(self, before: float) -> None:
        """Forget every row that has not failed since then."""
        await self.database.write(delete(failures).where(failures.c.last_at < before))

    async def list_all(self, queue: str | None = None) -> list[FailureRecord]:
        """All failed rows, or those of one queue, oldest first; unreadable rows are left out."""
        query = select(failures).order_by(failures.c.first_at, failures.c.queue, failures.c.key)
        if queue is not None:
            query = query.where(failures.c.queue == queue)
        return self.database.readable_records(await self.database.find_rows(query), FailureRecord)

    async def count_set_aside(self) -> dict[str, int]:
        """By queue."""
        query = select(failures.c.queue, func.count()).where(failures.c.set_aside_at.is_not(None))
        async with self.database.single_statement() as connection:
            rows = (await connection.execute(query.group_by(failures.c.queue))).all()
        return {str(queue): int(count) for queue, count in rows}
