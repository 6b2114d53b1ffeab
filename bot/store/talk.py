"""Messages that people at a table write to each other."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select

from bot.engine import GameId, PersonId

from .notices import notice_statements
from .records import Notice, TalkRecord
from .repository import Repository
from .rows import row_of
from .schema import mails, outbox, talk


class TalkRepository(Repository):
    async def add(self, record: TalkRecord, notice: Notice) -> None:
        """Save what somebody has said, with its notice to all others."""
        newest = select(func.max(outbox.c.id)).scalar_subquery()
        async with self.database.write_transaction() as connection:
            await connection.execute(insert(talk).values(**row_of(record, "id")))
            await self.database.backend.run(connection, notice_statements([notice]))
            await connection.execute(delete(mails).where(mails.c.notice == newest, mails.c.person == record.person))

    async def list_of(self, game_id: GameId, most: int) -> list[TalkRecord]:
        """The latest messages at a table, oldest first."""
        query = select(talk).where(talk.c.game == game_id).order_by(talk.c.id.desc()).limit(most)
        return self.database.readable_records(await self.database.find_rows(query), TalkRecord)[::-1]

    async def count_since(self, person: PersonId, since: float) -> int:
        """How many messages somebody has written since then."""
        query = select(func.count().label("count")).select_from(talk)
        row = await self.database.find_row(query.where(talk.c.person == person, talk.c.made_at > since))
        return int(row["count"]) if row else 0
