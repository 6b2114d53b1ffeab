"""Games, persons and seasons that people follow."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import PersonId

from .backends.sqlalchemy_async import AsyncConnection
from .games import ILLEGIBLE
from .kinds import FollowKind, GameStatus
from .notices import notice_statements
from .records import FollowRecord, GameRecord, MailRecord, Notice
from .repository import Repository
from .rows import decode_leniently, row_of
from .schema import follows, games, mails

MOST_FOLLOWED = 30
"""Maximum number of games, people and seasons that somebody follows."""


class FollowRepository(Repository):
    async def add(self, record: FollowRecord) -> None:
        """Save what somebody follows; of what they follow already only how often they hear of it changes."""
        row, key = row_of(record), ["person", "kind", "target"]
        changed = {name: row[name] for name in ("interval", "due_at")}
        await self.database.write(
            insert_or_not(follows).values(**row).on_conflict_do_update(index_elements=key, set_=changed)
        )

    async def list_of(self, person: PersonId) -> list[FollowRecord]:
        query = select(follows).where(follows.c.person == person).order_by(follows.c.since, follows.c.kind)
        return self.database.readable_records(
            await self.database.find_rows(query.order_by(follows.c.target)), FollowRecord
        )

    async def drop(self, record: FollowRecord) -> None:
        own = (follows.c.person == record.person, follows.c.kind == record.kind, follows.c.target == record.target)
        await self.database.write(delete(follows).where(*own))

    async def drop_followers(self, person: PersonId) -> None:
        """End that anybody follows a person."""
        async with self.database.write_transaction() as connection:
            await drop_followers(connection, person)

    async def count_followers(self, person: PersonId) -> int:
        own = (follows.c.kind == FollowKind.PERSON, follows.c.target == person)
        return int(await self.database.find_value(select(func.count()).select_from(follows).where(*own)) or 0)

    async def people_due(self, now: float, most: int) -> list[PersonId]:
        """The people for whom news are due, the longest due first."""
        query = select(follows.c.person).where(follows.c.due_at <= now).order_by(follows.c.due_at, follows.c.person)
        found = await self.database.find_values(query.limit(most * MOST_FOLLOWED))
        return list(dict.fromkeys(found))[:most]

    async def postpone(self, person: PersonId, due_at: float) -> None:
        await self.database.write(update(follows).where(follows.c.person == person).values(due_at=due_at))

    async def save_told(
        self,
        person: PersonId,
        told: Collection[FollowRecord],
        notices: Sequence[Notice] = (),
        mail: MailRecord | None = None,
    ) -> None:
        """Save the news that a person gets, how they reach them, and when the next are due. Nothing is saved if meanwhile
        one of these is not followed any more: its news may name somebody who has been erased.
        """
        async with self.database.write_transaction() as connection:
            known = await connection.execute(select(follows.c.kind, follows.c.target).where(follows.c.person == person))
            if not {(one.kind, one.target) for one in told} <= {(kind, target) for kind, target in known.all()}:
                return
            for one in told:
                own = (follows.c.person == person, follows.c.kind == one.kind, follows.c.target == one.target)
                await connection.execute(update(follows).where(*own).values(seen=one.seen, due_at=one.due_at))
            if mail is not None:
                await connection.execute(insert_or_not(mails).on_conflict_do_nothing(), [row_of(mail, "id")])
            await self.database.backend.run(connection, notice_statements(notices))

    async def list_watchable(self, most: int) -> list[GameRecord]:
        """Running games that anybody may follow, the latest moved first."""
        query = (
            select(games)
            .where(games.c.status == GameStatus.RUNNING, games.c.watchable == 1)
            .order_by(games.c.updated_at.desc(), games.c.id)
            .limit(most)
        )
        return [decode_leniently(row, GameRecord, ILLEGIBLE) for row in await self.database.find_rows(query)]


async def drop_followers(connection: AsyncConnection, person: PersonId, by: PersonId | None = None) -> None:
    """End that others, or only this person, follow a person."""
    query = delete(follows).where(follows.c.kind == FollowKind.PERSON, follows.c.target == person)
    await connection.execute(query if by is None else query.where(follows.c.person == by))
