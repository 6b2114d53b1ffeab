"""Lobbies that are open beyond their server, and who wants to hear of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, exists, false, func, insert, or_, select
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, PersonId

from .follows import drop_followers
from .games import ILLEGIBLE
from .kinds import GameStatus, LobbyScope
from .notices import notice_statements
from .records import GameRecord, Notice, OpeningRecord, ServerPageRecord, WishRecord
from .repository import Repository
from .rows import decode_leniently, record_of, row_of
from .schema import blocks, games, openings, places, seats, server_pages, sharing, wishes

MOST_LISTED = 200


@dataclass(frozen=True)
class OpenLobby:
    """A lobby that somebody may join: `opening` is None where it is open to its own server only."""

    record: GameRecord
    guild: str
    opening: OpeningRecord | None


class OpeningRepository(Repository):
    async def find(self, game_id: GameId) -> OpeningRecord | None:
        row = await self.database.find_row(select(openings).where(openings.c.game == game_id))
        return record_of(row, OpeningRecord) if row else None

    async def save(
        self, record: OpeningRecord, fulfilled: Collection[WishRecord] = (), notices: Sequence[Notice] = ()
    ) -> None:
        """Save how far a lobby is open, with the notices to people whose wishes it fulfils; these are fulfilled then."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(openings).where(openings.c.game == record.game))
            await connection.execute(insert(openings).values(**row_of(record)))
            for wish in fulfilled:
                await connection.execute(
                    delete(wishes).where(wishes.c.person == wish.person, wishes.c.title == wish.title)
                )
            await self.database.backend.run(connection, notice_statements(notices))

    async def close(self, game_id: GameId) -> None:
        await self.database.write(delete(openings).where(openings.c.game == game_id))

    async def count_of(self, person: PersonId, since: float) -> int:
        """How many lobbies of a person are open beyond their servers."""
        query = (
            select(func.count())
            .select_from(openings.join(games, games.c.id == openings.c.game))
            .where(games.c.moderator == person, games.c.status == GameStatus.LOBBY, openings.c.opened_at > since)
        )
        return int(await self.database.find_value(query) or 0)

    async def count_lobbies_with(self, person: PersonId) -> int:
        """In how many lobbies of others a person has a seat."""
        query = select(func.count(games.c.id.distinct())).join(seats, seats.c.game == games.c.id)
        query = query.where(games.c.status == GameStatus.LOBBY, games.c.moderator != person, seats.c.person == person)
        return int(await self.database.find_value(query) or 0)

    async def admits(self, game_id: GameId, guild: str, since: float) -> bool:
        """Whether a lobby is open to people who ask from that server (empty: from none)."""
        query = (
            select(openings.c.game)
            .join(games, games.c.id == openings.c.game)
            .outerjoin(places, places.c.game == openings.c.game)
            .where(openings.c.game == game_id, games.c.status == GameStatus.LOBBY, _reaches(guild, since))
        )
        return await self.database.find_row(query) is not None

    async def list_for(self, guild: str, since: float) -> list[OpenLobby]:
        """The lobbies that people of a server (empty: of none) may join: its own, those of servers with which it shares, and those
        that are open to everybody; newest first.
        """
        is_own = places.c.guild == guild if guild else false()
        query = (
            select(games, openings, places.c.guild.label("home"))
            .select_from(
                games.outerjoin(places, places.c.game == games.c.id).outerjoin(openings, openings.c.game == games.c.id)
            )
            .where(games.c.status == GameStatus.LOBBY, or_(is_own, _reaches(guild, since)))
            .order_by(games.c.id.desc())
            .limit(MOST_LISTED)
        )
        return [
            OpenLobby(
                decode_leniently(
                    {name: row[games.c[name]] for name in GameRecord.__struct_fields__}, GameRecord, ILLEGIBLE
                ),
                row["home"] or "",
                None if row[openings.c.game] is None else record_of(row, OpeningRecord, openings),
            )
            for row in await self.database.find_rows(query)
        ]

    # -- servers that share -------------------------------------------------------------------------

    async def set_sharing(self, guild: str, since: float | None) -> None:
        """Note that a server shares its lobbies with all others that do, or that it does no longer."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(sharing).where(sharing.c.guild == guild))
            if since is not None:
                await connection.execute(insert(sharing).values(guild=guild, since=since))

    async def shares(self, guild: str) -> bool:
        return await self.database.find_row(select(sharing).where(sharing.c.guild == guild)) is not None

    async def set_page(self, guild: str, record: ServerPageRecord | None) -> None:
        """Give a server a page, or take it away."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(server_pages).where(server_pages.c.guild == guild))
            if record is not None:
                await connection.execute(insert(server_pages).values(**row_of(record)))

    async def list_pages(self) -> list[ServerPageRecord]:
        """The servers that have a page, by their names."""
        rows = await self.database.find_rows(select(server_pages).order_by(server_pages.c.name, server_pages.c.guild))
        return self.database.readable_records(rows, ServerPageRecord)

    # -- wishes and blocks --------------------------------------------------------------------------

    async def add_wish(self, record: WishRecord) -> None:
        row = row_of(record)
        statement = insert_or_not(wishes).values(**row)
        await self.database.write(statement.on_conflict_do_update(index_elements=["person", "title"], set_=row))

    async def drop_wishes(self, person: PersonId) -> int:
        return await self.database.write(delete(wishes).where(wishes.c.person == person))

    async def wishes_of(self, person: PersonId) -> list[WishRecord]:
        query = select(wishes).where(wishes.c.person == person).order_by(wishes.c.title)
        return self.database.readable_records(await self.database.find_rows(query), WishRecord)

    async def wishes_for(self, title: str) -> list[WishRecord]:
        """Who wants to hear of a table of this title, the oldest wish first."""
        query = select(wishes).where(wishes.c.title == title).order_by(wishes.c.made_at)
        return self.database.readable_records(await self.database.find_rows(query), WishRecord)

    async def set_block(self, person: PersonId, other: PersonId, is_blocked: bool) -> None:
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(blocks).where(blocks.c.person == person, blocks.c.other == other))
            if is_blocked:
                await connection.execute(insert(blocks).values(person=person, other=other))
                await drop_followers(connection, person, other)
                await drop_followers(connection, other, person)

    async def apart_from(self, person: PersonId) -> set[PersonId]:
        """Those whom a person does not want to meet, or who do not want to meet them."""
        one = select(blocks.c.other).where(blocks.c.person == person)
        other = select(blocks.c.person).where(blocks.c.other == person)
        return {PersonId(row["other"]) for row in await self.database.find_rows(one.union(other))}


def _reaches(guild: str, since: float) -> ColumnElement[bool]:
    """Whether a lobby that was opened after that moment reaches people of a server."""
    partners = select(sharing.c.guild)
    both_share = and_(
        openings.c.reach == LobbyScope.SHARED,
        places.c.guild.in_(partners),
        exists().where(sharing.c.guild == guild) if guild else false(),
    )
    return and_(openings.c.opened_at > since, or_(openings.c.reach == LobbyScope.EVERYBODY, both_share))
