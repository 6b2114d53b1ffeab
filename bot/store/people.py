"""People's preferences for every game."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import PersonId

from .kinds import Audience
from .records import PersonRecord
from .repository import Repository
from .rows import decode_leniently, row_of
from .schema import people


class PersonRepository(Repository):
    async def find(self, person: PersonId) -> PersonRecord:
        """A person's preferences; the defaults if nothing is known or readable."""
        row = await self.database.find_row(select(people).where(people.c.person == person))
        return decode_leniently(row, PersonRecord, {}) if row else PersonRecord(person)

    async def list_public(self) -> list[PersonId]:
        """Everybody whose record anybody may see, in the order of their ids."""
        query = select(people.c.person).where(people.c.record == Audience.PUBLIC).order_by(people.c.person)
        return list(await self.database.find_values(query))

    async def save(self, record: PersonRecord) -> None:
        row = row_of(record)
        await self.database.write(
            insert_or_not(people).values(**row).on_conflict_do_update(index_elements=["person"], set_=row)
        )
