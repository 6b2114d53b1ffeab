"""Plans of players, and their sandboxes. Nobody but their owner is ever shown them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, PersonId, SeatNumber

from .backends.compiled_statements import CompiledStatement
from .notices import notice_statements
from .records import GivenOrder, LeftSeat, Notice, OrderRecord, SandboxRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import links, orders, sandboxes

MOST_STATES = 2000
"""Maximum number of states of plans that are read for a game, the latest: a rewind further back does not revive older plans."""


_OF_GAME = orders.c.game == bindparam("of_game")
STATES = select(orders).where(_OF_GAME).order_by(orders.c.id.desc()).limit(MOST_STATES)
DROP_ORDERS = delete(orders).where(_OF_GAME, orders.c.seat == bindparam("of_seat"))
WITHDRAW_LINKS = delete(links).where(
    links.c.game == bindparam("of_game"),
    links.c.person == bindparam("of_person"),
    links.c.kind == bindparam("of_kind"),
)
DROP_PLAN = delete(orders).where(_OF_GAME, orders.c.plan == bindparam("of_plan"))
ADD_STATE = insert(orders)
DROP_SANDBOX = delete(sandboxes).where(
    sandboxes.c.game == bindparam("of_game"), sandboxes.c.person == bindparam("of_person")
)
_SANDBOX = insert_or_not(sandboxes)
SET_SANDBOX = _SANDBOX.on_conflict_do_update(
    index_elements=["game", "person"], set_={"number": _SANDBOX.excluded.number, "texts": _SANDBOX.excluded.texts}
)


class OrderRepository(Repository):
    async def list_of(self, game_id: GameId) -> list[OrderRecord]:
        """The states of the game's plans, oldest first."""
        rows = await self.database.find_rows(STATES, {"of_game": game_id})
        return self.database.readable_records(rows, OrderRecord)[::-1]

    async def drop(self, game_id: GameId, seats: Iterable[SeatNumber], plan: int | None = None) -> int:
        """Delete the plans of these seats, or the plan of this number; returns how many there were."""
        chosen = (orders.c.game == game_id) & orders.c.seat.in_(list(seats))
        if plan is not None:
            chosen &= orders.c.plan == plan
        async with self.database.write_transaction() as connection:
            found = (await connection.execute(select(orders.c.plan).where(chosen).distinct())).all()
            await connection.execute(delete(orders).where(chosen))
        return len(found)

    async def end(self, states: Iterable[OrderRecord], told: Iterable[Notice], given: GivenOrder | None = None) -> None:
        """Save new states of plans, these notices, and a new plan; all or nothing."""
        added = given_order_statements(given) if given is not None else ()
        steps = [*added, *plan_state_statements(states), *notice_statements(told)]
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
        rows = [{"of_game": given.order.game, "of_plan": number} for number in given.replaced]
        yield CompiledStatement(DROP_PLAN, rows)
    yield from plan_state_statements([given.order])


def plan_state_statements(states: Iterable[OrderRecord]) -> Iterator[CompiledStatement]:
    rows = [row_of(state, "id") for state in states]
    if rows:
        yield CompiledStatement(ADD_STATE, rows)
