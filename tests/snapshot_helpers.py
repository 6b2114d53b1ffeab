"""Which positions of a game a database keeps."""

from __future__ import annotations

from sqlalchemy import text

from bot.store import Store


async def kept_numbers(store: Store, game_id: int) -> list[int]:
    """After which records."""
    query = text("SELECT number FROM snapshots WHERE game = :game ORDER BY number")
    async with store.single_statement() as connection:
        return list((await connection.execute(query, {"game": game_id})).scalars())
