"""Calls to the addresses of people's programs: saved in the same transaction as what they tell, each thing once."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Insert, bindparam, delete, exists, func, literal, or_, select, union, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from .backends.compiled_statements import CompiledStatement
from .kinds import GameStatus, LinkKind, NoticeKind
from .records import CallRecord
from .repository import Repository
from .rows import row_of
from .schema import calls, clocks, games, keys, links, outbox, seats

ASKING = (NoticeKind.TURN, NoticeKind.REMINDER)


class CallRepository(Repository):
    async def list_due(self, now: float, limit: int) -> list[CallRecord]:
        """Calls that are due, of all games: one program makes them. The oldest of each person come first, then the next of each: nobody
        waits behind many calls of another person. A question whose seat has answered since is left out.
        """
        still_asked = exists().where(
            clocks.c.game == calls.c.game, clocks.c.seat == calls.c.seat, clocks.c.number <= calls.c.number
        )
        query = select(calls).where(calls.c.due_at <= now, or_(calls.c.kind.not_in(ASKING), still_asked))
        place = func.row_number().over(partition_by=links.c.person, order_by=(calls.c.due_at, calls.c.id))
        query = query.outerjoin(links, links.c.digest == calls.c.link)
        query = query.order_by(place, calls.c.due_at, calls.c.id).limit(limit)
        return self.database.readable_records(await self.database.find_rows(query), CallRecord)

    async def begin(self, number: int, due_at: float) -> bool:
        """Note that a call is about to be tried, and when it is due again if nothing is heard of it. False if it has been
        withdrawn meanwhile.
        """
        is_wanted = exists().where(links.c.digest == calls.c.link)
        wanted = update(calls).where(calls.c.id == number, is_wanted)
        return await self.database.write(wanted.values(due_at=due_at, attempts=calls.c.attempts + 1)) == 1

    async def postpone(self, link: str, until: float) -> None:
        """Let everything for an address wait until then."""
        await self.database.write(
            update(calls).where(calls.c.link == link, calls.c.due_at < until).values(due_at=until)
        )

    async def key(self, name: str, make: Callable[[], str]) -> str:
        """The key of that name, which is made once and is the same for all programs that share the database."""
        row = await self.database.find_row(select(keys).where(keys.c.name == name))
        if row is None:
            await self.database.write(insert_or_not(keys).values(name=name, value=make()).on_conflict_do_nothing())
            row = await self.database.find_row(select(keys).where(keys.c.name == name))
        return str(row["value"]) if row is not None else ""

    async def add(self, record: CallRecord) -> None:
        """Save a call of its own, once however often it is asked for."""
        await self.database.write(insert_or_not(calls).values(**row_of(record, "id")).on_conflict_do_nothing())

    async def end(self, number: int) -> None:
        await self.database.write(delete(calls).where(calls.c.id == number))

    async def drop_old(self, before: float) -> int:
        """Delete calls that were made before then, and those whose addresses have been withdrawn; returns how many."""
        is_gone = ~exists().where(links.c.digest == calls.c.link)
        return await self.database.write(delete(calls).where(or_(calls.c.made_at < before, is_gone)))


def calls_of_newest(notices: int) -> CompiledStatement:
    """A call of each address of a game for each of the newest `notices` about it: moves, questions, reminders; and of each
    browser of those whom a question or the end concerns, and each of their services.
    """
    return CompiledStatement(CALLS_OF_NOTICES, [{"newest": notices}])


def _calls_of_notices() -> Insert:
    newest = select(outbox.c.id).order_by(outbox.c.id.desc()).limit(bindparam("newest"))
    is_hook, is_push = links.c.kind == LinkKind.HOOK, links.c.kind == LinkKind.PUSH
    is_their_seat = or_(seats.c.person == links.c.person, seats.c.sitter == links.c.person)
    is_asked = outbox.c.kind.in_(ASKING) & exists().where(
        seats.c.game == outbox.c.game, seats.c.number == outbox.c.seat, is_their_seat
    )
    is_over = (outbox.c.kind == NoticeKind.BOARD) & exists().where(
        games.c.id == outbox.c.game, games.c.status == GameStatus.FINISHED
    )
    told = (
        *(links.c.digest, outbox.c.id, outbox.c.game, outbox.c.kind, outbox.c.number, outbox.c.seat),
        *(outbox.c.created_at, outbox.c.created_at, literal(0)),
    )
    of_game = (
        select(*told)
        .select_from(outbox)
        .join(links, links.c.game == outbox.c.game)
        .where(outbox.c.id.in_(newest), links.c.until > outbox.c.created_at)
        .where(or_(is_hook & outbox.c.kind.in_((NoticeKind.BOARD, *ASKING)), is_push & (is_asked | is_over)))
    )
    is_asked_seat = outbox.c.kind.in_(ASKING) & (seats.c.number == outbox.c.seat)
    of_persons = (
        select(*told)
        .select_from(outbox)
        .join(seats, (seats.c.game == outbox.c.game) & (is_asked_seat | is_over))
        .join(links, links.c.person.in_((seats.c.person, seats.c.sitter)) & (links.c.kind == LinkKind.NOTIFY))
        .where(outbox.c.id.in_(newest), links.c.until > outbox.c.created_at)
    )
    columns = ["link", "notice", "game", "kind", "number", "seat", "made_at", "due_at", "attempts"]
    return insert_or_not(calls).from_select(columns, union(of_game, of_persons)).on_conflict_do_nothing()


CALLS_OF_NOTICES = _calls_of_notices()
