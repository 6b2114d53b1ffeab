"""Games, their seats, and the places where they are played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, bindparam, delete, exists, func, insert, select, union, update
from sqlalchemy.engine import RowMapping

from bot.engine import GameId, PersonId

from .backends.backend import Backend
from .backends.compiled_statements import CompiledStatement
from .backends.sqlalchemy_async import AsyncConnection
from .errors import PlaceTaken, StoreDamaged
from .kinds import GameStatus
from .notices import notice_statements
from .records import NO_THREAD_YET, GameRecord, Notice, Place, SeatRecord
from .repository import Repository
from .rows import decode_leniently, record_of, row_of
from .schema import games, moves, orders, places, posts, seats

ILLEGIBLE = {
    "title": "?",
    "options": {},
    "seed": 0,
    "status": "damaged",
    "moderator": "",
    "pace_hours": 0.0,
    "version": 0,
    "created_at": 0.0,
    "updated_at": 0.0,
}
"""Values in lists for columns of a game that cannot be read."""

UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)
"""The statuses of games in play."""

MOST_AT_ONE_SPOT = 50
"""Maximum number of games of a channel that are looked at."""

GAME_AND_SEATS = (
    select(
        games,
        seats,
        select(func.max(moves.c.number)).where(moves.c.game == games.c.id).scalar_subquery().label("last"),
        exists().where(orders.c.game == games.c.id).label("has_orders"),
    )
    .select_from(games.outerjoin(seats, seats.c.game == games.c.id))
    .where(games.c.id == bindparam("of_game"))
    .order_by(seats.c.number)
)
"""Like every statement that each move runs, it is built once: building costs more than the answer."""

GAMES_AND_SEATS = (
    select(games, seats)
    .select_from(games.outerjoin(seats, seats.c.game == games.c.id))
    .where(games.c.id.in_(bindparam("of_games", expanding=True)))
    .order_by(games.c.id, seats.c.number)
)

PLACE_WITHOUT_GAME = (
    select(places)
    .join(games, games.c.id == places.c.game)
    .where(places.c.game == bindparam("of_game"), games.c.status.not_in(UNDER_WAY))
)

DROP_SEATS, ADD_SEATS = delete(seats).where(seats.c.game == bindparam("of_game")), insert(seats)


class GameRepository(Repository):
    async def add(
        self,
        record: GameRecord,
        first_seats: Iterable[SeatRecord] = (),
        place: Place | None = None,
        first_notices: Iterable[Notice] = (),
    ) -> GameId:
        """Save a new game with its place and its first notices, in which its number is filled in; returns the number."""
        async with self.database.write_transaction() as connection:
            game = await insert_game(self.database.backend, connection, record, first_seats)
            if place is not None:
                await save_place(connection, msgspec.structs.replace(place, game=game))
            told = [msgspec.structs.replace(notice, game=game) for notice in first_notices]
            await self.database.backend.run(connection, notice_statements(told))
        return game

    async def find(self, game_id: GameId) -> GameRecord | None:
        found = await self.find_with_seats(game_id)
        return found[0] if found else None

    async def find_with_seats(self, game_id: GameId) -> tuple[GameRecord, list[SeatRecord], bool] | None:
        """The game of that number with its seats, and whether anybody has ever given standing orders there, all at the
        same moment.

        :raises StoreDamaged: a row of them cannot be read, or the log ends elsewhere than the game's row says.
        """
        rows = await self.database.find_rows(GAME_AND_SEATS, {"of_game": game_id})
        if not rows:
            return None
        record, sitting = _game_with_seats(rows)
        if rows[0]["last"] != (None if record.status == GameStatus.LOBBY else record.version):
            raise StoreDamaged("The log of game {game} does not end where it should; run: signalbox doctor.", game_id)
        return record, sitting, bool(rows[0]["has_orders"])

    async def list_with_seats(self, game_ids: Collection[GameId]) -> dict[GameId, tuple[GameRecord, list[SeatRecord]]]:
        """These games with their seats, all at one moment; games with an unreadable row are left out."""
        rows = await self.database.find_rows(GAMES_AND_SEATS, {"of_games": game_ids})
        grouped = [list(group) for _, group in groupby(rows, lambda row: row[games.c.id])]
        return {record.id: (record, sitting) for record, sitting in self.database.read_each(grouped, _game_with_seats)}

    async def list_all(self, status: GameStatus | None = None) -> list[GameRecord]:
        """All games, or those of one status, newest first; of an unreadable row, what can be read of it."""
        query = select(games).order_by(games.c.id.desc())
        if status:
            query = query.where(games.c.status == status)
        return [decode_leniently(row, GameRecord, ILLEGIBLE) for row in await self.database.find_rows(query)]

    async def list_of(self, person: PersonId) -> list[GameRecord]:
        """The games in which a person sits or which they moderate, newest first; rows as in `games`."""
        his = union(
            select(seats.c.game).where(seats.c.person == person),
            select(seats.c.game).where(seats.c.sitter == person),
            select(games.c.id).where(games.c.moderator == person),
        )
        query = select(games).where(games.c.id.in_(his)).order_by(games.c.id.desc())
        return [decode_leniently(row, GameRecord, ILLEGIBLE) for row in await self.database.find_rows(query)]

    async def count_in(self, guild: str) -> int:
        query = (
            select(func.count())
            .select_from(places.join(games, games.c.id == places.c.game))
            .where((places.c.guild == guild) & (games.c.status != GameStatus.FINISHED))
        )
        return int(await self.database.find_value(query) or 0)

    async def seats(self, game_id: GameId) -> list[SeatRecord]:
        """The game's seats in order.

        :raises StoreDamaged: one cannot be read.
        """
        query = select(seats).where(seats.c.game == game_id).order_by(seats.c.number)
        return [record_of(row, SeatRecord) for row in await self.database.find_rows(query)]

    async def set_seats(self, game_id: GameId, records: Sequence[SeatRecord], notices: Sequence[Notice] = ()) -> None:
        """Save who sits there, with the notices about it."""
        async with self.database.write_transaction() as connection:
            await self.database.backend.run(connection, seat_statements(game_id, records))
            await self.database.backend.run(connection, notice_statements(notices))

    async def change(self, game_id: GameId, **values: Any) -> None:
        await self.database.write(update(games).where(games.c.id == game_id).values(**values))

    async def set_place(self, place: Place, notices: Sequence[Notice] = ()) -> None:
        """Save where a game is played, with the notices about it.

        :raises PlaceTaken: another game is played there.
        """
        async with self.database.write_transaction() as connection:
            await save_place(connection, place)
            await self.database.backend.run(connection, notice_statements(notices))

    async def place(self, game_id: GameId) -> Place | None:
        row = await self.database.find_row(select(places).where(places.c.game == game_id))
        return record_of(row, Place) if row else None

    async def places_under_way(self) -> list[Place]:
        """Ordered by the games' numbers; games that are over are left out."""
        query = (
            select(places)
            .join(games, games.c.id == places.c.game)
            .where(games.c.status.in_(UNDER_WAY))
            .order_by(places.c.game)
        )
        return self.database.readable_records(await self.database.find_rows(query), Place)

    async def places_in(self, guild: str) -> list[Place]:
        """The places of games in a server that are not over, lobbies too."""
        query = select(places).join(games, games.c.id == places.c.game).order_by(places.c.game)
        query = query.where(places.c.guild == guild, games.c.status != GameStatus.FINISHED)
        return self.database.readable_records(await self.database.find_rows(query), Place)

    async def change_door(self, place: Place, trouble: str | None, notices: Sequence[Notice]) -> None:
        """Note whether a game can be posted at its place, with notices about it: its messages stand elsewhere from now on."""
        own = places.c.game == place.game, places.c.guild == place.guild
        async with self.database.write_transaction() as connection:
            await connection.execute(update(places).where(*own).values(trouble=trouble))
            await connection.execute(delete(posts).where(posts.c.game == place.game))
            await self.database.backend.run(connection, notice_statements(notices))

    async def list_at(self, channel: str) -> list[GameRecord]:
        """The games that are played in this very thread or channel or have their lobby there, newest first, finished
        games last.
        """
        query = (
            select(games)
            .join(places, places.c.game == games.c.id)
            .where(_is_at(channel))
            .order_by((games.c.status == GameStatus.FINISHED), games.c.id.desc())
            .limit(MOST_AT_ONE_SPOT)
        )
        return [decode_leniently(row, GameRecord, ILLEGIBLE) for row in await self.database.find_rows(query)]

    async def places_below(self, channel: str) -> list[Place]:
        """The places of games played in threads of this channel."""
        query = (
            select(places)
            .join(games, games.c.id == places.c.game)
            .where(places.c.channel == channel, places.c.thread.is_not(None), games.c.status.in_(UNDER_WAY))
            .order_by(places.c.game)
            .limit(MOST_AT_ONE_SPOT)
        )
        return self.database.readable_records(await self.database.find_rows(query), Place)


def _game_with_seats(rows: Sequence[RowMapping]) -> tuple[GameRecord, list[SeatRecord]]:
    """The game and its seats, from rows with one seat each.

    :raises StoreDamaged: one cannot be read.
    """
    sitting = [record_of(row, SeatRecord, seats) for row in rows if row[seats.c.number] is not None]
    return record_of(rows[0], GameRecord, games), sitting


def _is_at(spot: str) -> ColumnElement[bool]:
    return (places.c.thread == spot) | (places.c.thread.is_(None) & (places.c.channel == spot))


async def insert_game(
    backend: Backend, connection: AsyncConnection, record: GameRecord, first_seats: Iterable[SeatRecord]
) -> GameId:
    """Write the rows of a new game and its seats; returns its number."""
    done = await connection.execute(insert(games).values(**row_of(record, "id")).returning(games.c.id))
    game = GameId(int(done.scalar_one()))
    await backend.run(connection, seat_statements(game, list(first_seats)))
    return game


async def save_place(connection: AsyncConnection, place: Place) -> None:
    """Write where a game is played.

    :raises PlaceTaken: another game is under way there.
    """
    status = (await connection.execute(select(games.c.status).where(games.c.id == place.game))).scalar_one()
    if status in UNDER_WAY:
        await check_spot(connection, place)
    await connection.execute(delete(places).where(places.c.game == place.game))
    await connection.execute(insert(places).values(**row_of(place), shard_key=place.shard_key))


async def check_spot(connection: AsyncConnection, place: Place) -> None:
    """Refuse a second game under way at one spot. Lobbies share a channel, and a game whose thread is still to be opened
    occupies no place.

    :raises PlaceTaken: another game is under way there.
    """
    if place.trouble == NO_THREAD_YET:
        return
    others = (
        select(games.c.id)
        .join(places, places.c.game == games.c.id)
        .where(
            _is_at(place.spot),
            games.c.id != place.game,
            games.c.status.in_(UNDER_WAY),
            places.c.trouble.is_distinct_from(NO_THREAD_YET),
        )
    )
    other = (await connection.execute(others.limit(1))).scalar_one_or_none()
    if other is not None:
        raise PlaceTaken(GameId(int(other)))


async def check_return(connection: AsyncConnection, game_id: GameId) -> None:
    """Refuse a game that begins, or was over and goes on, where another is played by now.

    :raises PlaceTaken: by that game.
    """
    row = (await connection.execute(PLACE_WITHOUT_GAME, {"of_game": game_id})).mappings().one_or_none()
    if row is not None:
        await check_spot(connection, record_of(row, Place, places))


def seat_statements(game_id: GameId, records: Sequence[SeatRecord]) -> Iterator[CompiledStatement]:
    yield CompiledStatement(DROP_SEATS, [{"of_game": game_id}])
    if records:
        yield CompiledStatement(ADD_SEATS, [{**row_of(record), "game": game_id} for record in records])
