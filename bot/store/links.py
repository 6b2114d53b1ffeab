"""Links to the board page, and what players note there. Of a link's token only the digest is kept."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, PersonId

from .kinds import LinkKind
from .records import LinkRecord, NoteRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import links, notes

MOST_ALIKE = 8
"""Maximum number of links of one kind that a person has to one game."""


class LinkRepository(Repository):
    async def put(self, record: LinkRecord) -> None:
        """Save a link beside the person's earlier links of that kind to this game: each of their devices has its own.
        Of more than `MOST_ALIKE` the oldest end.
        """
        alike = (links.c.game == record.game, links.c.person == record.person, links.c.kind == record.kind)
        oldest = select(links.c.digest).where(*alike).order_by(links.c.made_at.desc()).offset(MOST_ALIKE - 1)
        async with self.database.write_transaction() as connection:
            gone = (await connection.execute(oldest)).scalars().all()
            if gone:
                await connection.execute(delete(links).where(links.c.digest.in_(gone)))
            await connection.execute(insert(links).values(**row_of(record)))

    async def find(self, digest: str) -> LinkRecord | None:
        row = await self.database.find_row(select(links).where(links.c.digest == digest))
        return record_of(row, LinkRecord) if row else None

    async def list_by(self, digests: Collection[str]) -> list[LinkRecord]:
        query = select(links).where(links.c.digest.in_(digests))
        return self.database.readable_records(await self.database.find_rows(query), LinkRecord)

    async def list_to(self, *games: int) -> list[LinkRecord]:
        """By person."""
        query = select(links).where(links.c.game.in_(games)).order_by(links.c.person, links.c.kind, links.c.made_at)
        return self.database.readable_records(await self.database.find_rows(query), LinkRecord)

    async def list_of_person(self, person: PersonId, kind: LinkKind) -> list[LinkRecord]:
        """The oldest first."""
        query = select(links).where(links.c.person == person, links.c.kind == kind)
        found = await self.database.find_rows(query.order_by(links.c.made_at, links.c.digest))
        return self.database.readable_records(found, LinkRecord)

    async def use(self, digest: str, now: float) -> None:
        await self.database.write(update(links).where(links.c.digest == digest).values(used_at=now))

    async def withdraw(self, game_id: GameId, person: PersonId | None = None, *kinds: str) -> int:
        """Delete the links to a game, or only those of a person or of some kinds; returns how many there were."""
        chosen = links.c.game == game_id
        if person is not None:
            chosen &= links.c.person == person
        if kinds:
            chosen &= links.c.kind.in_(kinds)
        return await self.database.write(delete(links).where(chosen))

    async def withdraw_digest(self, digest: str) -> None:
        await self.database.write(delete(links).where(links.c.digest == digest))

    async def drop_old(self, now: float) -> None:
        await self.database.write(delete(links).where(links.c.until < now))

    async def notes(self, game_id: GameId, person: PersonId) -> str:
        query = select(notes).where(notes.c.game == game_id, notes.c.person == person)
        row = await self.database.find_row(query)
        return record_of(row, NoteRecord).text if row else ""

    async def set_notes(self, record: NoteRecord) -> None:
        """Replace the notes; empty notes are deleted."""
        here = (notes.c.game == record.game) & (notes.c.person == record.person)
        async with self.database.write_transaction() as connection:
            if not record.text:
                await connection.execute(delete(notes).where(here))
                return
            statement = insert_or_not(notes).values(**row_of(record))
            await connection.execute(
                statement.on_conflict_do_update(index_elements=["game", "person"], set_={"text": record.text})
            )
