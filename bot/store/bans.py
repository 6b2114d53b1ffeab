"""People whom the operator keeps out of open tables, seasons and messages. Only digests of each person and their mailbox are kept, so
that an erasure names nobody and lifts no ban.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.addresses import mailbox_of
from bot.engine import GameId, PersonId

from .records import BanRecord
from .repository import Repository
from .rows import row_of
from .schema import bans, draws, entrants, follows, openings, people, volunteers, wishes


class BanRepository(Repository):
    async def add(self, person: PersonId, now: float) -> None:
        """Ban a person: they wish for no table, take over no seat, follow nothing, and have left every season."""
        row = row_of(BanRecord(digest_of_person(person), now, await self._mailbox(person)))
        async with self.database.write_transaction() as connection:
            await connection.execute(insert_or_not(bans).values(**row).on_conflict_do_nothing())
            for table in (wishes, volunteers, follows):
                await connection.execute(delete(table).where(table.c.person == person))
            is_in = (entrants.c.person == person) & entrants.c.left_at.is_(None)
            await connection.execute(update(entrants).where(is_in).values(left_at=now))

    async def lift(self, person: PersonId) -> bool:
        """Lift a ban; returns whether there was one."""
        return bool(await self.database.write(delete(bans).where(await self._is_of(person))))

    async def has(self, person: PersonId) -> bool:
        return await self.database.find_row(select(bans.c.digest).where(await self._is_of(person))) is not None

    async def among(self, known: Collection[PersonId]) -> set[PersonId]:
        """Those of these people who are banned."""
        is_any = await self.database.find_row(select(bans.c.digest).limit(1)) is not None
        return {one for one in known if await self.has(one)} if is_any else set()

    async def _is_of(self, person: PersonId) -> ColumnElement[bool]:
        mailbox, is_theirs = await self._mailbox(person), bans.c.digest == digest_of_person(person)
        return or_(is_theirs, bans.c.mailbox == mailbox) if mailbox else is_theirs

    async def _mailbox(self, person: PersonId) -> str:
        """The digest of the mailbox that a person has proven; empty if there is none."""
        address = await self.database.find_value(select(people.c.address).where(people.c.person == person))
        return sha256(mailbox_of(address).encode()).hexdigest() if address else ""

    async def list_all(self) -> list[BanRecord]:
        rows = await self.database.find_rows(select(bans).order_by(bans.c.since, bans.c.digest))
        return self.database.readable_records(rows, BanRecord)

    async def is_among_strangers(self, game_id: GameId) -> bool:
        """Whether a game began, or waits, as a table that is open beyond its server, or as a table of a season."""
        opened = exists().where(openings.c.game == game_id)
        drawn = exists().where(draws.c.game == game_id)
        return bool(await self.database.find_value(select(or_(opened, drawn))))


def digest_of_person(person: PersonId) -> str:
    return sha256(person.encode()).hexdigest()
