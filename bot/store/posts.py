"""Messages that stand for something: which slot of a game is kept where, and what it showed last."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Delete, delete, select
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId

from .backends.compiled_statements import CompiledStatement
from .backends.sqlalchemy_async import AsyncConnection
from .records import PostRecord
from .repository import Repository
from .rows import row_of
from .schema import posts

REPLACED = "gone:"
"""Prefix of the slot of a message that is being replaced; it is deleted when its replacement is posted."""

_ADDED = insert_or_not(posts)
SET_POST = _ADDED.on_conflict_do_update(
    index_elements=["game", "slot"],
    set_={column.name: _ADDED.excluded[column.name] for column in posts.c if column.name not in ("game", "slot")},
)


class PostRepository(Repository):
    async def list_of(self, game_id: GameId) -> list[PostRecord]:
        """In the order in which they were begun; unreadable rows are left out."""
        query = select(posts).where(posts.c.game == game_id).order_by(posts.c.made_at, posts.c.slot)
        return self.database.readable_records(await self.database.find_rows(query), PostRecord)

    async def games_with_remains(self, made_before: float) -> list[GameId]:
        """Games with messages that are to be deleted, and have been since before that moment."""
        query = select(posts.c.game).where(posts.c.slot.like(f"{REPLACED}%"), posts.c.made_at < made_before).distinct()
        return [
            GameId(game) for game in await self.database.find_values(self.database.for_own_shards(query, posts.c.game))
        ]

    async def begin(self, record: PostRecord, old: PostRecord | None = None) -> None:
        """Note that a slot's message is about to be sent. The previous message (`old`, with its new slot) is tracked
        until it is deleted.
        """
        async with self.database.write_transaction() as connection:
            if old is not None:
                await _set_post(connection, old)
            await _set_post(connection, record)

    async def save(self, record: PostRecord) -> None:
        """Save a slot's row."""
        async with self.database.write_transaction() as connection:
            await _set_post(connection, record)

    async def move(self, slot: str, record: PostRecord) -> None:
        """Save a slot's row, and forget the slot in which its message was before, both or neither."""
        async with self.database.write_transaction() as connection:
            await connection.execute(_deletion_of(record.game, slot))
            await _set_post(connection, record)

    async def drop(self, game_id: GameId, slot: str) -> None:
        await self.database.write(_deletion_of(game_id, slot))


def _deletion_of(game_id: GameId, slot: str) -> Delete:
    return delete(posts).where(posts.c.game == game_id, posts.c.slot == slot)


def post_statements(record: PostRecord) -> Iterator[CompiledStatement]:
    yield CompiledStatement(SET_POST, [row_of(record)])


async def _set_post(connection: AsyncConnection, record: PostRecord) -> None:
    row = row_of(record)
    values = {name: value for name, value in row.items() if name not in ("game", "slot")}
    await connection.execute(
        insert_or_not(posts).values(**row).on_conflict_do_update(index_elements=["game", "slot"], set_=values)
    )
