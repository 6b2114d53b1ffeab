"""Games, their seats, and the places where they are played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from .database import Database
from .records import GameRecord, Place, SeatRecord
from .rows import record_of, row_of
from .schema import games, places, seats


class Games(Database):
    """What is known of a game beside its moves."""

    async def game(self, game: int) -> GameRecord | None:
        """The game of that number."""
        found = await self.game_and_seats(game)
        return found[0] if found else None

    async def game_and_seats(self, game: int) -> tuple[GameRecord, list[SeatRecord]] | None:
        """The game of that number with its seats, as they are at the same moment."""
        query = (
            select(games, seats)
            .select_from(games.outerjoin(seats, seats.c.game == games.c.id))
            .where(games.c.id == game)
            .order_by(seats.c.number)
        )
        async with self.glance() as connection:
            rows = (await connection.execute(query)).mappings().all()
        if not rows:
            return None
        sitting = [record_of(row, SeatRecord, seats) for row in rows if row[seats.c.number] is not None]
        return record_of(rows[0], GameRecord, games), sitting

    async def games(self, status: str | None = None) -> list[GameRecord]:
        """All games, or those of one status, newest first."""
        query = select(games).order_by(games.c.id.desc())
        if status:
            query = query.where(games.c.status == status)
        async with self.glance() as connection:
            return [record_of(row, GameRecord) for row in (await connection.execute(query)).mappings()]

    async def games_of(self, person: str) -> list[GameRecord]:
        """The games in which a person sits or which he moderates, newest first."""
        is_his = (seats.c.person == person) | (seats.c.sitter == person)
        sits = games.c.id.in_(select(seats.c.game).where(is_his))
        query = select(games).where(sits | (games.c.moderator == person)).order_by(games.c.id.desc())
        async with self.glance() as connection:
            return [record_of(row, GameRecord) for row in (await connection.execute(query)).mappings()]

    async def games_in(self, guild: str) -> int:
        """How many games that are not over are played in a server."""
        query = (
            select(func.count())
            .select_from(places.join(games, games.c.id == places.c.game))
            .where((places.c.guild == guild) & (games.c.status != "finished"))
        )
        async with self.glance() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def seats(self, game: int) -> list[SeatRecord]:
        """The game's seats in order."""
        query = select(seats).where(seats.c.game == game).order_by(seats.c.number)
        async with self.glance() as connection:
            return [record_of(row, SeatRecord) for row in (await connection.execute(query)).mappings()]

    async def set_seats(self, game: int, records: Sequence[SeatRecord]) -> None:
        """Replace all seats of a game."""
        async with self.writing() as connection:
            await save_seats(connection, game, records)

    async def set_game(self, game: int, **values: Any) -> None:
        """Change columns of a game (status, pace_hours, moderator)."""
        async with self.writing() as connection:
            await connection.execute(update(games).where(games.c.id == game).values(**values))

    async def set_place(self, place: Place) -> None:
        """Remember where a game is played."""
        async with self.writing() as connection:
            await connection.execute(delete(places).where(places.c.game == place.game))
            await connection.execute(insert(places).values(**row_of(place)))

    async def place(self, game: int) -> Place | None:
        """Where a game is played."""
        async with self.glance() as connection:
            row = (await connection.execute(select(places).where(places.c.game == game))).mappings().one_or_none()
        return record_of(row, Place) if row else None

    async def game_in(self, channel: str) -> int | None:
        """The newest game whose thread or channel this is."""
        query = (
            select(places.c.game)
            .where((places.c.thread == channel) | (places.c.channel == channel))
            .order_by((places.c.thread == channel).desc(), places.c.game.desc())
            .limit(1)
        )
        async with self.glance() as connection:
            found = (await connection.execute(query)).scalar_one_or_none()
        return int(found) if found is not None else None


async def insert_game(connection: AsyncConnection, record: GameRecord, first_seats: Iterable[SeatRecord]) -> int:
    """Write a new game with its seats; returns its number."""
    done = await connection.execute(insert(games).values(**row_of(record, "id")).returning(games.c.id))
    game = int(done.scalar_one())
    await save_seats(connection, game, list(first_seats))
    return game


async def save_seats(connection: AsyncConnection, game: int, records: Sequence[SeatRecord]) -> None:
    """Write a game's seats in place of those it has."""
    await connection.execute(delete(seats).where(seats.c.game == game))
    if records:
        await connection.execute(insert(seats), [{**row_of(record), "game": game} for record in records])
