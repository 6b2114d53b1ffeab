"""Plans of players: standing orders and sandboxes. Nobody but their owner is ever shown them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, PersonId, SeatNumber

from .backends.compiled_statements import CompiledStatement
from .notices import notice_statements
from .records import GivenOrder, LeftSeat, Notice, OrderRecord, SandboxRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import links, orders, sandboxes

ENDED_KEPT = 50
"""Maximum number of ended orders looked at: a rewind further back does not revive older orders."""


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
DROP_ORDER = delete(orders).where(_OF_GAME, orders.c.id == bindparam("of_order"))
ADD_ORDER = insert(orders)
DROP_SANDBOX = delete(sandboxes).where(
    sandboxes.c.game == bindparam("of_game"), sandboxes.c.person == bindparam("of_person")
)
_SANDBOX = insert_or_not(sandboxes)
SET_SANDBOX = _SANDBOX.on_conflict_do_update(
    index_elements=["game", "person"], set_={"number": _SANDBOX.excluded.number, "texts": _SANDBOX.excluded.texts}
)
END_ORDER = update(orders).where(orders.c.id == bindparam("of_order"))


class OrderRepository(Repository):
    async def list_of(self, game_id: GameId) -> list[OrderRecord]:
        """Oldest first: orders that stand, and the latest that have ended."""
        return self.database.readable_records(await self.database.find_rows(ORDERS, {"of_game": game_id}), OrderRecord)

    async def drop(self, game_id: GameId, seats: Iterable[SeatNumber], order: int | None = None) -> int:
        """Delete orders of these seats, or one of them; returns how many there were."""
        chosen = (orders.c.game == game_id) & orders.c.seat.in_(list(seats))
        if order is not None:
            chosen &= orders.c.id == order
        return await self.database.write(delete(orders).where(chosen))

    async def end(self, ended: Iterable[OrderRecord], told: Iterable[Notice], given: GivenOrder | None = None) -> None:
        """Save that orders have ended, these notices, and a new order; all or nothing."""
        added = given_order_statements(given) if given is not None else ()
        steps = [*order_end_statements(ended), *added, *notice_statements(told)]
        async with self.database.write_transaction() as connection:
            await self.database.backend.run(connection, steps)

    async def sandbox(self, game_id: GameId, person: PersonId) -> SandboxRecord | None:
        query = select(sandboxes).where(sandboxes.c.game == game_id, sandboxes.c.person == person)
        row = await self.database.find_row(query)
        return record_of(row, SandboxRecord) if row else None

    async def set_sandbox(self, record: SandboxRecord) -> None:
        """Replace a sandbox; a sandbox without moves is deleted."""
        async with self.database.write_transaction() as connection:
            await self.database.backend.run(connection, [sandbox_statement(record)])


def sandbox_statement(record: SandboxRecord) -> CompiledStatement:
    if record.texts:
        return CompiledStatement(SET_SANDBOX, [row_of(record)])
    return CompiledStatement(DROP_SANDBOX, [{"of_game": record.game, "of_person": record.person}])


def left_seat_statements(game_id: GameId, left: Collection[LeftSeat]) -> Iterator[CompiledStatement]:
    """Delete the orders and links of people who leave their seats."""
    rows = [{"of_game": game_id, "of_seat": one.seat} for one in left]
    if rows:
        yield CompiledStatement(DROP_ORDERS, rows)
    withdrawn = [{"of_game": game_id, "of_person": one.person, "of_kind": kind} for one in left for kind in one.links]
    if withdrawn:
        yield CompiledStatement(WITHDRAW_LINKS, withdrawn)


def given_order_statements(given: GivenOrder) -> Iterator[CompiledStatement]:
    if given.replaced:
        rows = [{"of_game": given.order.game, "of_order": number} for number in given.replaced]
        yield CompiledStatement(DROP_ORDER, rows)
    yield CompiledStatement(ADD_ORDER, [row_of(given.order, "id")])


def order_end_statements(ended: Iterable[OrderRecord]) -> Iterator[CompiledStatement]:
    """The record at which orders ended, and why; `ended` None makes an order stand again."""
    rows = [
        {"of_order": order.id, "ended": order.ended, "reason": msgspec.json.encode(order.reason).decode()}
        for order in ended
    ]
    if rows:
        yield CompiledStatement(END_ORDER, rows)
