"""What players have prepared: standing orders and sandboxes. Nobody but their owner is ever shown them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from .backends.compiled_statements import CompiledStatement
from .database import Database
from .notices import notices_added
from .records import LeftSeat, Notice, OrderRecord, SandboxRecord
from .rows import record_of, row_of
from .schema import links, orders, sandboxes

ENDED_KEPT = 50
"""So many orders that are over are looked at: a rewind further back does not bring the older ones to life."""


_OF_GAME = orders.c.game == bindparam("of_game")
_LATEST = (
    select(orders.c.id).where(_OF_GAME, orders.c.ended.is_not(None)).order_by(orders.c.id.desc()).limit(ENDED_KEPT)
)
ORDERS = select(orders).where(_OF_GAME, orders.c.ended.is_(None) | orders.c.id.in_(_LATEST)).order_by(orders.c.id)
DROP_ORDERS = delete(orders).where(_OF_GAME, orders.c.seat == bindparam("of_seat"))
WITHDRAW_LINKS = delete(links).where(
    links.c.game == bindparam("of_game"),
    links.c.person == bindparam("of_person"),
    links.c.kind == bindparam("of_kind"),
)
END_ORDER = update(orders).where(orders.c.id == bindparam("of_order"))


class Orders(Database):
    """Standing orders and sandboxes."""

    async def orders(self, game: int) -> list[OrderRecord]:
        """The standing orders of a game, oldest first: those that stand, and the latest of those that have ended."""
        async with self.glance() as connection:
            return self.readable((await connection.execute(ORDERS, {"of_game": game})).mappings(), OrderRecord)

    async def add_order(self, order: OrderRecord, replaced: Collection[int] = ()) -> int:
        """Keep an order in place of others of these numbers; returns its own."""
        async with self.writing() as connection:
            if replaced:
                await connection.execute(delete(orders).where(orders.c.game == order.game, orders.c.id.in_(replaced)))
            done = await connection.execute(insert(orders).values(**row_of(order, "id")).returning(orders.c.id))
            return int(done.scalar_one())

    async def drop_orders(self, game: int, seats: Iterable[int], order: int | None = None) -> int:
        """Forget orders of these seats, or one of them; returns how many there were."""
        chosen = (orders.c.game == game) & orders.c.seat.in_(list(seats))
        if order is not None:
            chosen &= orders.c.id == order
        async with self.writing() as connection:
            return (await connection.execute(delete(orders).where(chosen))).rowcount

    async def end_orders(self, ended: Iterable[OrderRecord], told: Iterable[Notice]) -> None:
        """End orders without a move, and tell their owners."""
        async with self.writing() as connection:
            await self.opened.run(connection, [*orders_ended(ended), *notices_added(told)])

    async def sandbox(self, game: int, person: str) -> SandboxRecord | None:
        """A person's sandbox in a game."""
        query = select(sandboxes).where(sandboxes.c.game == game, sandboxes.c.person == person)
        async with self.glance() as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
        return record_of(row, SandboxRecord) if row else None

    async def set_sandbox(self, record: SandboxRecord) -> None:
        """Keep a sandbox in place of the one there was; one without moves is forgotten."""
        row = row_of(record)
        async with self.writing() as connection:
            if not record.texts:
                chosen = (sandboxes.c.game == record.game) & (sandboxes.c.person == record.person)
                await connection.execute(delete(sandboxes).where(chosen))
                return
            statement = insert_or_not(sandboxes).values(**row)
            await connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["game", "person"], set_={"number": row["number"], "texts": row["texts"]}
                )
            )


def seats_left(game: int, left: Collection[LeftSeat]) -> Iterator[CompiledStatement]:
    """What goes with those who leave their seats: their orders there, and links of theirs."""
    rows = [{"of_game": game, "of_seat": one.seat} for one in left]
    if rows:
        yield CompiledStatement(DROP_ORDERS, rows)
    withdrawn = [{"of_game": game, "of_person": one.person, "of_kind": kind} for one in left for kind in one.links]
    if withdrawn:
        yield CompiledStatement(WITHDRAW_LINKS, withdrawn)


def orders_ended(ended: Iterable[OrderRecord]) -> Iterator[CompiledStatement]:
    """At which record orders ended, and why; `ended` None makes an order stand again."""
    rows = [
        {"of_order": order.id, "ended": order.ended, "reason": msgspec.json.encode(order.reason).decode()}
        for order in ended
    ]
    if rows:
        yield CompiledStatement(END_ORDER, rows)
