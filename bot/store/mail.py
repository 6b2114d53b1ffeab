"""Addresses, and the mails to them: saved in the same transaction as what they report, each thing once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import (
    ColumnElement,
    Insert,
    String,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import PersonId

from .backends.compiled_statements import CompiledStatement
from .backends.sqlalchemy_async import AsyncConnection
from .kinds import GameStatus, MailKind, NoticeKind
from .records import MailRecord, PersonRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import games, mails, outbox, people, seats

ASKED_FOR = (MailKind.ANSWER, MailKind.WELCOME)
"""Kinds of mails that somebody has requested: they are sent at any hour."""

NOTHING = "[]"
"""No lines, in a row."""

IS_BEGUN = mails.c.kind == MailKind.LETTER
"""A letter that is being obeyed, and has no answer yet."""

RETURNED = "returned "
"""Prefix of the reference of a mail that came back."""


class MailRepository(Repository):
    """Mail addresses, and mails that wait to be sent."""

    async def people_at(self, address: str) -> list[PersonRecord]:
        """Everybody who has that address, or is asked at it; unreadable rows are left out."""
        if not address:
            return []
        has_it = or_(people.c.address == address, people.c.asked == address)
        query = select(people).where(has_it).order_by(people.c.person)
        return self.database.readable_records(await self.database.find_rows(query), PersonRecord)

    async def people_with_alias(self, address: str) -> list[PersonRecord]:
        """Everybody who has accepted answers from that address too."""
        is_theirs = (people.c.address > "") & people.c.also.contains(address, autoescape=True)
        found = self.database.readable_records(
            await self.database.find_rows(select(people).where(is_theirs)), PersonRecord
        )
        return [one for one in found if address and address in one.also.split()]

    async def addresses_at(self, domain: str) -> list[str]:
        """The addresses at that domain that people have, or are asked at."""
        columns = (people.c.address, people.c.asked)
        there = [(one > "") & one.endswith(f"@{domain}", autoescape=True) for one in columns]
        query = select(*columns).where(or_(*there))
        async with self.database.single_statement() as connection:
            return [address or asked for address, asked in (await connection.execute(query)).all()]

    async def readers(self) -> list[PersonRecord]:
        query = select(people).where(or_(people.c.address > "", people.c.asked > ""))
        return self.database.readable_records(await self.database.find_rows(query), PersonRecord)

    async def receivers(self) -> list[PersonRecord]:
        """Everybody for whom a mail waits to be sent."""
        waiting = select(mails.c.person).where(mails.c.sent_at.is_(None), mails.c.kind != MailKind.LETTER)
        query = select(people).where(people.c.person.in_(waiting))
        return self.database.readable_records(await self.database.find_rows(query), PersonRecord)

    async def drop_strangers(self, before: float) -> int:
        """Delete addresses that were asked before then and have not answered, with the mails to them; returns how many
        there were.
        """
        old = people.c.asked_at < before
        async with self.database.write_transaction() as connection:
            return await forget_asked(connection, old)

    async def begin_letter(self, record: MailRecord) -> MailRecord:
        """Note that a letter is about to be obeyed; returns what was first noted of it, which is this record if that
        was now (it has no `id` then).
        """
        async with self.database.write_transaction() as connection:
            is_this = mails.c.key == record.key
            row = (await connection.execute(select(mails).where(is_this))).mappings().one_or_none()
            if row is None:
                await connection.execute(insert(mails).values(**row_of(record, "id")))
                return record
            # Begun again, it is answered by what is true now.
            await connection.execute(update(mails).where(is_this, IS_BEGUN).values(lines=NOTHING))
        return record_of(row, MailRecord)

    async def save_letter(self, record: MailRecord) -> None:
        """Save the answer to a letter: it waits to be sent, unless it is marked as sent. It may name somebody who was erased
        since the letter was begun: then what the erasure has put in its place stays.
        """
        values = row_of(record, "id", "key", "attempts")
        is_replaced = IS_BEGUN & (mails.c.lines != NOTHING)
        values["lines"] = case((is_replaced, mails.c.lines), else_=values["lines"])
        values["attached"] = case((is_replaced, NOTHING), else_=values["attached"])
        await self.database.write(update(mails).where(mails.c.key == record.key).values(**values))

    async def add(self, record: MailRecord) -> None:
        """Queue a mail, unless there was one with that key before."""
        await self.database.write(insert_or_not(mails).on_conflict_do_nothing(), [row_of(record, "id")])

    async def forget_letter(self, key: str) -> None:
        await self.database.write(delete(mails).where(mails.c.key == key))

    async def list_waiting(
        self, limit: int, without: Collection[int] = (), held: Collection[str] = ()
    ) -> list[MailRecord]:
        """The mails still to be sent, oldest first, except the mails `without`, and those to people who are `held`
        unless they have asked for something.
        """
        asked = mails.alias()
        asking = select(asked.c.person).where(asked.c.sent_at.is_(None), asked.c.kind.in_(ASKED_FOR))
        query = (
            select(mails)
            .where(mails.c.sent_at.is_(None), mails.c.kind != MailKind.LETTER)
            .where(mails.c.id.not_in(without), or_(mails.c.person.not_in(held), mails.c.person.in_(asking)))
            .order_by(mails.c.id)
            .limit(limit)
        )
        return self.database.readable_records(await self.database.find_rows(query), MailRecord)

    async def begin_sending(self, numbers: Sequence[int]) -> None:
        await self.database.write(update(mails).where(mails.c.id.in_(numbers)).values(attempts=mails.c.attempts + 1))

    async def mark_sent(self, numbers: Sequence[int], now: float, reference: str) -> None:
        """Save the outcome of these mails. The text of an answer is deleted: the log has it."""
        await self.database.write(
            update(mails)
            .where(mails.c.id.in_(numbers))
            .values(sent_at=now, reference=reference, lines="[]", attached="[]")
        )

    async def find_sent_as(self, reference: str) -> MailRecord | None:
        """The first mail with this Message-ID."""
        query = select(mails).where(mails.c.reference == reference).order_by(mails.c.id).limit(1)
        row = await self.database.find_row(query)
        return record_of(row, MailRecord) if row else None

    async def mark_returned(self, reference: str) -> None:
        await self.database.write(
            update(mails).where(mails.c.reference == reference).values(reference=f"{RETURNED}{reference}")
        )

    async def returns(self, person: PersonId) -> dict[str, float]:
        """The sending times of mails that came back since the person last wrote, by reference."""
        query = select(mails.c.reference, mails.c.sent_at).where(
            mails.c.person == person, mails.c.reference.startswith(RETURNED), mails.c.sent_at.is_not(None)
        )
        async with self.database.single_statement() as connection:
            return {str(reference): float(sent_at) for reference, sent_at in (await connection.execute(query)).all()}

    async def forget_returns(self, person: PersonId) -> None:
        """The person has written: mails that came back before count no more."""
        own = (mails.c.person == person) & mails.c.reference.startswith(RETURNED)
        await self.database.write(update(mails).where(own).values(reference="came back"))

    async def drop_old(self, before: float) -> None:
        await self.database.write(delete(mails).where(mails.c.sent_at < before))


async def forget_asked(connection: AsyncConnection, which: ColumnElement[bool]) -> int:
    """Delete addresses from which nobody has answered, with mails waiting for them; people of whom nothing else is
    known are deleted. Returns how many there were.
    """
    is_nobody = which & people.c.person.startswith("mail:") & (people.c.address == "")
    await connection.execute(delete(mails).where(mails.c.person.in_(select(people.c.person).where(is_nobody))))
    asked = select(people.c.person).where(which)
    await connection.execute(delete(mails).where(mails.c.kind == MailKind.WELCOME, mails.c.person.in_(asked)))
    gone = await connection.execute(delete(people).where(is_nobody))
    kept = await connection.execute(update(people).where(which).values(asked="", asked_at=None))
    return gone.rowcount + kept.rowcount


def mails_of_newest(notices: int) -> CompiledStatement:
    """A mail for each of the newest `notices` to everybody concerned who has an address: questions to a seat to its
    holder, messages and questions to the whole table to everybody who sits at it, of records the first and the last.
    """
    return CompiledStatement(MAILS_OF_NOTICES, [{"newest": notices}])


def _mails_of_notices() -> Insert:
    is_over = exists().where(games.c.id == outbox.c.game, games.c.status == GameStatus.FINISHED)
    for_all = or_(
        outbox.c.kind.in_((NoticeKind.TOLD, NoticeKind.QUESTION)),
        (outbox.c.kind == NoticeKind.BOARD) & or_(is_over, outbox.c.number == 0),
    )
    for_one = outbox.c.kind.in_((NoticeKind.TURN, NoticeKind.REMINDER, NoticeKind.PRIVATE)) & (
        outbox.c.seat == seats.c.number
    )
    newest = select(outbox.c.id).order_by(outbox.c.id.desc()).limit(bindparam("newest"))
    found = (
        select(
            literal("notice-") + cast(outbox.c.id, String) + "-" + people.c.person,
            people.c.person,
            outbox.c.game,
            func.min(seats.c.number),
            outbox.c.number,
            outbox.c.kind,
            outbox.c.id,
            literal("[]"),
            outbox.c.created_at,
        )
        .select_from(outbox)
        .join(seats, seats.c.game == outbox.c.game)
        .join(people, people.c.person == seats.c.person)
        .where(outbox.c.id.in_(newest), people.c.address != "", people.c.mail.not_in(("", "nothing")))
        .where(people.c.returned_at.is_(None))
        .where(or_(for_all, for_one))
        .group_by(outbox.c.id, people.c.person)
    )
    columns = ["key", "person", "game", "seat", "number", "kind", "notice", "lines", "made_at"]
    return insert_or_not(mails).from_select(columns, found).on_conflict_do_nothing()


MAILS_OF_NOTICES = _mails_of_notices()
