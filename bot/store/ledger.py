"""The ledgers of time of games with a clock, and when a program last ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import Float, Integer, String, bindparam, case, cast, literal, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId, SeatNumber

from .backends.compiled_statements import CompiledStatement
from .kinds import EntryKind, GameStatus
from .notices import notice_statements
from .records import LedgerRecord, Notice
from .repository import Repository
from .rows import row_of
from .schema import clocks, games, ledger, pulses

NO_CLOCK = "null"
"""The column `clock` of a game that has none."""

ENTRIES = select(ledger).where(ledger.c.game == bindparam("of_game")).order_by(ledger.c.id)
ADD_ENTRIES = insert_or_not(ledger).on_conflict_do_nothing()

_NOW, _LONGEST = bindparam("of_now", type_=Float), bindparam("longest", type_=Float)
ADD_WAIT = (
    insert_or_not(ledger)
    .from_select(
        ["game", "seat", "kind", "topic", "number", "since", "until", "seconds", "zone", "quiet_from", "quiet_to"],
        select(
            clocks.c.game,
            clocks.c.seat,
            literal(str(EntryKind.WAIT), String),
            literal(f"{EntryKind.WAIT} ", String) + cast(clocks.c.number, String),
            clocks.c.number,
            clocks.c.since,
            case(
                (clocks.c.since > _NOW, clocks.c.since),
                (clocks.c.since + _LONGEST < _NOW, clocks.c.since + _LONGEST),
                else_=_NOW,
            ),
            literal(0.0, Float),
            clocks.c.zone,
            clocks.c.quiet_from,
            clocks.c.quiet_to,
        ).where(
            clocks.c.game == bindparam("of_game", type_=Integer), clocks.c.seat == bindparam("of_seat", type_=Integer)
        ),
    )
    .on_conflict_do_nothing()
)


class LedgerRepository(Repository):
    async def list_of(self, game_id: GameId) -> list[LedgerRecord]:
        """In the order in which they were made."""
        rows = await self.database.find_rows(ENTRIES, {"of_game": game_id})
        return self.database.readable_records(rows, LedgerRecord)

    async def add(self, entries: Sequence[LedgerRecord], told: Iterable[Notice] = ()) -> None:
        """Save entries that are not there yet, and these notices; all or nothing."""
        async with self.database.write_transaction() as connection:
            await self.database.backend.run(connection, [*entry_statements(entries), *notice_statements(told)])

    async def end_holidays(self, game_id: GameId, seats: Iterable[SeatNumber], now: float) -> None:
        """Let the holidays of these seats end now."""
        mine = (ledger.c.game == game_id) & ledger.c.seat.in_(list(seats)) & (ledger.c.kind == EntryKind.HOLIDAY)
        ended = case((ledger.c.since > now, ledger.c.since), else_=now)
        await self.database.write(update(ledger).where(mine, ledger.c.until > now).values(until=ended))

    async def games_under_way(self) -> dict[GameId, int]:
        """The games with a clock in which somebody is waited for, with the numbers of their last records."""
        query = select(games.c.id, games.c.version).where(
            games.c.status == GameStatus.RUNNING, games.c.clock != NO_CLOCK
        )
        async with self.database.single_statement() as connection:
            return {GameId(game): int(version) for game, version in await connection.execute(query)}

    async def last_pulse(self) -> float | None:
        return await self.database.find_value(select(pulses.c.at))

    async def note_pulse(self, now: float) -> None:
        noted = insert_or_not(pulses).values(id=1, at=now)
        await self.database.write(noted.on_conflict_do_update(index_elements=["id"], set_={"at": now}))


def wait_statements(game_id: GameId, waits: Mapping[SeatNumber, float], now: float) -> Iterator[CompiledStatement]:
    """Enter the waits of these seats, so far as their clocks run, before the clocks stop."""
    if waits:
        yield CompiledStatement(
            ADD_WAIT,
            [
                {"of_game": game_id, "of_seat": seat, "of_now": now, "longest": longest}
                for seat, longest in waits.items()
            ],
        )


def entry_statements(entries: Sequence[LedgerRecord]) -> Iterator[CompiledStatement]:
    if entries:
        yield CompiledStatement(ADD_ENTRIES, [row_of(entry, "id") for entry in entries])
