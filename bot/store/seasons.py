"""Seasons, the people in them, and who meets whom in which game."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import Update, false, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, PersonId

from .backends.sqlalchemy_async import AsyncConnection
from .games import insert_game, save_place
from .kinds import GameStatus, SeasonStatus
from .notices import notice_statements
from .records import DrawRecord, EntrantRecord, GameRecord, Notice, Place, SeasonRecord, SeatRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import draws, entrants, games, seasons

SITS_OUT = 0
"""The table number of those who sit a round out."""


class SeasonRepository(Repository):
    async def add(self, record: SeasonRecord) -> int:
        """Save a new season; returns its number."""
        statement = insert(seasons).values(**row_of(record, "id")).returning(seasons.c.id)
        async with self.database.write_transaction() as connection:
            return int((await connection.execute(statement)).scalar_one())

    async def find(self, season_id: int) -> SeasonRecord | None:
        row = await self.database.find_row(select(seasons).where(seasons.c.id == season_id))
        return record_of(row, SeasonRecord) if row else None

    async def list_of(self, guild: str, person: PersonId, most: int) -> list[SeasonRecord]:
        """The seasons of a server and those in which a person plays, the newest first."""
        own = select(entrants.c.season).where(entrants.c.person == person)
        is_of_guild = seasons.c.guild == guild if guild else false()
        query = select(seasons).where(or_(is_of_guild, seasons.c.id.in_(own))).order_by(seasons.c.id.desc()).limit(most)
        return self.database.readable_records(await self.database.find_rows(query), SeasonRecord)

    async def count_open(self, guild: str) -> int:
        """How many seasons of a server are not over."""
        is_open = seasons.c.status.in_((SeasonStatus.SIGN_UP, SeasonStatus.RUNNING))
        query = select(func.count()).select_from(seasons).where(seasons.c.guild == guild, is_open)
        return await self.database.find_value(query) or 0

    async def list_due(self, now: float) -> list[SeasonRecord]:
        """Seasons whose sign-up is over, and those under way."""
        is_due = (seasons.c.status == SeasonStatus.SIGN_UP) & (seasons.c.draws_at <= now)
        query = select(seasons).where(or_(is_due, seasons.c.status == SeasonStatus.RUNNING)).order_by(seasons.c.id)
        return self.database.readable_records(await self.database.find_rows(query), SeasonRecord)

    async def set_status(self, season: SeasonRecord, status: SeasonStatus, notices: Sequence[Notice] = ()) -> bool:
        """Give a season another status, with these notices, unless it has changed since it was read; returns whether it has not."""
        async with self.database.write_transaction() as connection:
            done = await connection.execute(_guarded_update(season).values(status=status))
            if done.rowcount:
                await self.database.backend.run(connection, notice_statements(notices))
        return bool(done.rowcount)

    # -- people -------------------------------------------------------------------------------------

    async def enter(self, record: EntrantRecord) -> None:
        row = row_of(record)
        statement = insert_or_not(entrants).values(**row)
        await self.database.write(statement.on_conflict_do_update(index_elements=["season", "person"], set_=row))

    async def leave(self, season_id: int, person: PersonId, now: float) -> None:
        own = (entrants.c.season == season_id) & (entrants.c.person == person)
        await self.database.write(update(entrants).where(own).values(left_at=now))

    async def entrants_of(self, season_id: int) -> list[EntrantRecord]:
        """Everybody in a season in the order in which they entered, with those who have left."""
        query = (
            select(entrants).where(entrants.c.season == season_id).order_by(entrants.c.entered_at, entrants.c.person)
        )
        return self.database.readable_records(await self.database.find_rows(query), EntrantRecord)

    # -- rounds -------------------------------------------------------------------------------------

    async def draws_of(self, season_id: int) -> list[DrawRecord]:
        """The draws of all rounds, table by table.

        :raises StoreDamaged: one cannot be read.
        """
        query = select(draws).where(draws.c.season == season_id).order_by(draws.c.round, draws.c.number, draws.c.person)
        return [record_of(row, DrawRecord) for row in await self.database.find_rows(query)]

    async def draws_to_begin(self, season: SeasonRecord) -> list[DrawRecord]:
        """The draws of this round whose tables have no game yet, or a game that has not begun, table by table."""
        has_not_begun = or_(draws.c.game.is_(None), games.c.status == GameStatus.LOBBY)
        here = (draws.c.season == season.id, draws.c.round == season.round, draws.c.number != SITS_OUT)
        query = select(draws).outerjoin(games, games.c.id == draws.c.game).where(*here, has_not_begun)
        rows = await self.database.find_rows(query.order_by(draws.c.number, draws.c.person))
        return [record_of(row, DrawRecord) for row in rows]

    async def begin_round(self, season: SeasonRecord, drawn: Sequence[DrawRecord], notices: Sequence[Notice]) -> bool:
        """Save the next round of a season with its tables, and what the tables of the last round hear, unless it has changed since it
        was read, or somebody has been erased; returns whether neither has happened.
        """
        begun = _guarded_update(season).values(status=SeasonStatus.RUNNING, round=season.round + 1)
        async with self.database.write_transaction() as connection:
            if not await _are_entered(connection, season.id, [one.person for one in drawn]):
                return False
            done = await connection.execute(begun)
            if done.rowcount:
                await connection.execute(insert(draws), [row_of(one) for one in drawn])
                await self.database.backend.run(connection, notice_statements(notices))
        return bool(done.rowcount)

    async def sit_out(self, season_id: int, round_number: int, number: int) -> None:
        """Let the people of a table sit its round out."""
        at_table = (draws.c.season == season_id, draws.c.round == round_number, draws.c.number == number)
        await self.database.write(update(draws).where(*at_table).values(number=SITS_OUT))

    async def add_game(
        self,
        season_id: int,
        table: tuple[int, int],
        record: GameRecord,
        sitting: Sequence[SeatRecord],
        place: Place,
        notice: Notice,
    ) -> GameId | None:
        """Save the lobby of a table (round, number) with its place and a first notice; returns the game's number, or None if one of
        its players has been erased since they were read.
        """
        round_number, number = table
        players = [seat.person for seat in sitting if seat.person]
        async with self.database.write_transaction() as connection:
            if not await _are_entered(connection, season_id, players):
                return None
            game_id = await insert_game(self.database.backend, connection, record, sitting)
            await save_place(connection, msgspec.structs.replace(place, game=game_id))
            at_table = (draws.c.season == season_id, draws.c.round == round_number, draws.c.number == number)
            await connection.execute(update(draws).where(*at_table).values(game=game_id))
            told = [msgspec.structs.replace(notice, game=game_id)]
            await self.database.backend.run(connection, notice_statements(told))
        return game_id


async def _are_entered(connection: AsyncConnection, season_id: int, players: Collection[PersonId]) -> bool:
    """Whether all of them are known to the season; nobody erases them before the transaction has ended."""
    here = (entrants.c.season == season_id, entrants.c.person.in_(players))
    found = await connection.execute(select(entrants.c.person).where(*here).with_for_update())
    return {*found.scalars()} == {*players}


def _guarded_update(season: SeasonRecord) -> Update:
    """The change of a season that still has the status and the round that were read."""
    same = (seasons.c.status == season.status, seasons.c.round == season.round)
    return update(seasons).where(seasons.c.id == season.id, *same)
