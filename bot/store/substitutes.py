"""People who take over seats, and the seats that are offered to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, or_, select

from bot.engine import GameId, PersonId

from .games import UNDER_WAY
from .kinds import GameStatus
from .notices import notice_statements
from .records import Notice, OfferRecord, VolunteerRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import clocks, games, offers, seats, volunteers


@dataclass(frozen=True)
class OfferedGame:
    """An offered seat and the title of its game."""

    offer: OfferRecord
    title: str


class SubstituteRepository(Repository):
    async def set_titles(self, person: PersonId, titles: Sequence[str], since: float) -> None:
        """Note for which titles a person takes over seats, in place of others."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(volunteers).where(volunteers.c.person == person))
            if titles:
                rows = [row_of(VolunteerRecord(person, title, since)) for title in titles]
                await connection.execute(insert(volunteers), rows)

    async def titles_of(self, person: PersonId) -> list[str]:
        query = select(volunteers.c.title).where(volunteers.c.person == person).order_by(volunteers.c.title)
        return list(await self.database.find_values(query))

    async def list_for(self, title: str) -> list[VolunteerRecord]:
        """Who takes over a seat of this title, the first to say so first."""
        query = select(volunteers).where(volunteers.c.title == title).order_by(volunteers.c.since)
        return self.database.readable_records(await self.database.find_rows(query), VolunteerRecord)

    async def candidates(self, asked_before: float) -> list[GameId]:
        """Running games with a free seat, with a seat that has been asked since before then, or with a seat that is offered."""
        late = select(clocks.c.game).where(clocks.c.since < asked_before)
        free = select(seats.c.game).where(or_(seats.c.person == "", seats.c.sitter.startswith("computer:")))
        query = select(games.c.id).where(
            or_(
                (games.c.status == GameStatus.RUNNING) & or_(games.c.id.in_(late), games.c.id.in_(free)),
                games.c.id.in_(select(offers.c.game)),
            )
        )
        query = self.database.for_own_shards(query.order_by(games.c.id), games.c.id)
        return [GameId(found) for found in await self.database.find_values(query)]

    async def offers_of(self, game_id: GameId) -> list[OfferRecord]:
        query = select(offers).where(offers.c.game == game_id).order_by(offers.c.seat)
        return self.database.readable_records(await self.database.find_rows(query), OfferRecord)

    async def list_offered(self, titles: Sequence[str], most: int) -> list[OfferedGame]:
        """The offered seats of games of these titles (of all if there are none), the oldest offers first."""
        query = (
            select(offers, games.c.title)
            .join(games, games.c.id == offers.c.game)
            .where(games.c.status.in_(UNDER_WAY))
            .order_by(offers.c.offered_at)
            .limit(most)
        )
        if titles:
            query = query.where(games.c.title.in_(titles))
        rows = await self.database.find_rows(query)
        return [OfferedGame(record_of(row, OfferRecord, offers), row["title"]) for row in rows]

    async def set_offers(self, game_id: GameId, offered: Sequence[OfferRecord], notices: Sequence[Notice] = ()) -> None:
        """Save which seats of a game are offered, with the notices about that."""
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(offers).where(offers.c.game == game_id))
            if offered:
                await connection.execute(insert(offers), [row_of(one) for one in offered])
            await self.database.backend.run(connection, notice_statements(notices))
