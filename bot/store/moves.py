"""The records of a game, and the positions after them."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import (
    CTE,
    ColumnElement,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    select,
    update,
)

from bot.engine import GameId, PersonId, SeatNumber

from .backends.compiled_statements import CompiledStatement
from .backends.sqlalchemy_async import AsyncConnection
from .errors import Conflict, StoreDamaged
from .games import UNDER_WAY, check_return, insert_game, save_place, seat_statements
from .kinds import GameStatus, MoveKind
from .ledger import entry_statements, wait_statements
from .notices import clock_statements, notice_statements
from .orders import given_order_statements, left_seat_statements, plan_state_statements, sandbox_statement
from .posts import post_statements
from .questions import save_ballot
from .records import Ballot, Commit, GameRecord, GivenOrder, MoveRecord, PostRecord, SandboxRecord, SeatRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import games, moves, snapshots
from .seals import with_seal

Row = TypeVar("Row")

KEPT_SNAPSHOTS = 20
"""Number of latest records whose positions are all kept; of older positions the first, the last of every
`SNAPSHOT_SPACING` records, and those from which a game went on by newer rules.
"""

SNAPSHOT_SPACING = 50

PRUNING = 10
"""Number of records between two removals of positions that are not kept."""

PART = 500
"""Number of rows made and written at once: others are answered in between."""


PACKED: ColumnElement[Any] = literal_column("snapshots.state")
"""Positions as they are stored, even if damaged."""

MOVE_ON = update(games).where(games.c.id == bindparam("of_game"), games.c.version == bindparam("expected_version"))
ADD_MOVES, ADD_SNAPSHOTS = insert(moves), insert(snapshots)
DROP_SNAPSHOTS = delete(snapshots).where(
    snapshots.c.game == bindparam("of_game"), snapshots.c.number >= bindparam("first")
)
_OF_GAME, _BUCKET = snapshots.c.game == bindparam("of_game"), snapshots.c.number // SNAPSHOT_SPACING
_LATEST = select(func.max(snapshots.c.number)).where(_OF_GAME).group_by(_BUCKET)
_TURNED = select(moves.c.number).where(moves.c.game == bindparam("of_game"), moves.c.kind == MoveKind.RULES)
PRUNE_SNAPSHOTS = delete(snapshots).where(
    _OF_GAME,
    snapshots.c.number < bindparam("recent"),
    snapshots.c.number > 0,
    snapshots.c.number.not_in(_LATEST),
    snapshots.c.number.not_in(_TURNED),
)
"""Positions that are neither recent nor the last of their fifty; the first one stays, and where rules changed."""


@dataclass(frozen=True)
class SnapshotAndMoves:
    """Consecutive records, oldest first, and the kept position of the first, packed (None if there is none)."""

    state: object
    records: list[MoveRecord]


class MoveRepository(Repository):
    """Records, which are only added, and snapshots."""

    async def add_played_game(self, record: GameRecord, first_seats: Iterable[SeatRecord], change: Commit) -> GameId:
        """Save a new game together with moves made in it; the numbers of the game are filled in.

        :raises PlaceTaken: another game is played in its place.
        """
        async with self.database.write_transaction() as connection:
            game = await insert_game(self.database.backend, connection, record, first_seats)
            await self._save(connection, _set_game_number(change, game))
        return game

    async def commit(self, change: Commit) -> None:
        """Save a change, all of it or nothing.

        :raises Conflict: the game has moved on since `expected_version`, or another is played in its place.
        :raises StoreError: the database did not take it.
        """
        async with self.database.write_transaction() as connection:
            await self._save(connection, change)

    async def _save(self, connection: AsyncConnection, change: Commit) -> None:
        if change.status in UNDER_WAY and change.place is None:
            await check_return(connection, change.game)
        moved_on, *_ = await self.database.backend.run(connection, _commit_statements(change))
        if moved_on != 1:
            raise Conflict("The game has moved on; nothing was saved.")
        if change.place is not None:
            await save_place(connection, change.place)
        if isinstance(change.cause, Ballot):
            await save_ballot(self.database.backend, connection, change.cause)

    async def list_of(self, game_id: GameId, after: int = -1, limit: int | None = None) -> list[MoveRecord]:
        """The game's records with numbers above `after`; with a limit the latest of them."""
        query = select(moves).where(moves.c.game == game_id, moves.c.number > after).order_by(moves.c.number.desc())
        if limit is not None:
            query = query.limit(limit)
        rows = list(await self.database.find_rows(query))
        return [record_of(row, MoveRecord) for row in reversed(rows)]

    async def last_move_for(self, game_id: GameId, seat: SeatNumber) -> int | None:
        """Including moves that were taken back."""
        query = select(func.max(moves.c.number)).where(moves.c.game == game_id, moves.c.seat == seat)
        return await self.database.find_value(query)

    async def last_act_of(self, game_id: GameId, person: PersonId) -> float | None:
        """When a person last did something to a game; None if they never did."""
        query = select(func.max(moves.c.made_at)).where(moves.c.game == game_id, moves.c.person == person)
        return await self.database.find_value(query)

    async def branch(self, game_id: GameId, number: int, limit: int) -> list[MoveRecord]:
        """The records that led to record `number`, itself first, then its parent, and so on; at most `limit`."""
        line = _branch(game_id, number)
        query = (
            select(moves)
            .join(line, moves.c.number == line.c.number)
            .where(moves.c.game == game_id)
            .order_by(line.c.distance)
            .limit(limit)
        )
        return [record_of(row, MoveRecord) for row in await self.database.find_rows(query)]

    async def branch_numbers(self, game_id: GameId, number: int) -> set[int]:
        """The numbers of all records that led to record `number`; every other record has been taken back.

        :raises StoreDamaged: they do not lead back to the first record.
        """
        found = set(await self.database.find_values(select(_branch(game_id, number).c.number)))
        if 0 not in found and (found or number):
            raise broken_log(game_id, min(found, default=number))
        return found

    async def nearest_snapshot(self, game_id: GameId, number: int) -> SnapshotAndMoves | None:
        """The path to record `number` from the nearest kept position, or from as far back as the log leads.

        None if there is no such record. The amount read does not grow with the length of the game.
        """
        async with self.database.read_transaction() as connection:
            records = await _records(connection, game_id, _branch(game_id, number, until_snapshot=True))
            if not records:
                return None
            kept = select(PACKED).where(snapshots.c.game == game_id, snapshots.c.number == records[0].number)
            return SnapshotAndMoves((await connection.execute(kept)).scalar_one_or_none(), records)

    async def full_branch(self, game_id: GameId, number: int) -> list[MoveRecord]:
        """The records that led to record `number`, from the first one or from as far back as the log leads."""
        async with self.database.single_statement() as connection:
            return await _records(connection, game_id, _branch(game_id, number))

    async def rules_moves(self, game_id: GameId) -> list[MoveRecord]:
        """The records by which a game went over to newer rules, in order."""
        query = select(moves).where(moves.c.game == game_id, moves.c.kind == MoveKind.RULES).order_by(moves.c.number)
        return [record_of(row, MoveRecord) for row in await self.database.find_rows(query)]

    async def clock_moves(self, game_id: GameId) -> list[MoveRecord]:
        """The records about the clock of a game, in order."""
        query = select(moves).where(moves.c.game == game_id, moves.c.kind == MoveKind.CLOCK).order_by(moves.c.number)
        return [record_of(row, MoveRecord) for row in await self.database.find_rows(query)]

    async def snapshots(self, game_id: GameId) -> dict[int, object]:
        """All kept positions of a game, packed, by the number of their record."""
        query = select(snapshots.c.number, PACKED).where(snapshots.c.game == game_id).order_by(snapshots.c.number)
        async with self.database.single_statement() as connection:
            return {number: state for number, state in await connection.execute(query)}

    async def put_snapshots(self, game_id: GameId, states: Mapping[int, bytes], dropped: Collection[int] = ()) -> None:
        """Save these positions in place of others of the same records, and drop some."""
        async with self.database.write_transaction() as connection:
            here = snapshots.c.game == game_id
            await connection.execute(delete(snapshots).where(here, snapshots.c.number.in_([*dropped, *states])))
            await self.database.backend.run(connection, _snapshot_inserts(game_id, states))

    async def prune_snapshots(self, first: float, last: float) -> int:
        """Drop positions that only save time during play: of games that ended between two moments the latest positions
        go too, except the very last; returns how many. The remaining positions are as many moves apart as in old
        parts of a game.
        """
        over = select(games.c.id).where(games.c.status == GameStatus.FINISHED, games.c.updated_at.between(first, last))
        other = snapshots.alias()
        bucket = snapshots.c.number // SNAPSHOT_SPACING == other.c.number // SNAPSHOT_SPACING
        newest = select(func.max(other.c.number)).where(other.c.game == snapshots.c.game, bucket).scalar_subquery()
        turned = exists().where(
            moves.c.game == snapshots.c.game, moves.c.number == snapshots.c.number, moves.c.kind == MoveKind.RULES
        )
        thinned = delete(snapshots).where(
            snapshots.c.game.in_(over), snapshots.c.number > 0, snapshots.c.number < newest, ~turned
        )
        return await self.database.write(thinned)

    async def snapshot(self, game_id: GameId, number: int) -> bytes | None:
        """The kept position after a record, if it is kept.

        :raises StoreDamaged: it was changed behind our back.
        """
        query = select(PACKED).where(snapshots.c.game == game_id, snapshots.c.number == number)
        state = await self.database.find_value(query)
        return None if state is None else decompress_state(state, game_id)


async def _records(connection: AsyncConnection, game_id: GameId, line: CTE) -> list[MoveRecord]:
    query = (
        select(moves)
        .join(line, moves.c.number == line.c.number)
        .where(moves.c.game == game_id)
        .order_by(line.c.distance.desc())
    )
    return [record_of(row, MoveRecord) for row in (await connection.execute(query)).mappings()]


def compress_state(state: bytes) -> bytes:
    """A position as it is stored: with a check sum."""
    return zlib.compress(state, 1)


def decompress_state(state: object, game_id: GameId) -> bytes:
    """A position as it was encoded.

    :raises StoreDamaged: it was changed behind our back.
    """
    try:
        return zlib.decompress(state)  # type: ignore[arg-type]
    except (zlib.error, TypeError) as error:
        raise StoreDamaged(
            "The saved data of game {game} is damaged (state); run: signalbox doctor.", game_id
        ) from error


def broken_log(game_id: GameId, number: int) -> StoreDamaged:
    return StoreDamaged(
        "The log of game {game} is broken before entry {number}; run: signalbox doctor.", game_id, number
    )


def _commit_statements(change: Commit) -> Iterator[CompiledStatement]:
    """The statements of a change; the first changes the game's only row, unless the game has moved on."""
    version = change.records[-1].number if change.records else change.expected_version
    values: dict[str, Any] = {"version": version, "updated_at": change.now}
    if change.rules is not None:
        values["rules"] = change.rules
    if change.status:
        values["status"] = change.status
    values |= change.columns
    current = {"of_game": change.game, "expected_version": change.expected_version}
    yield CompiledStatement(MOVE_ON, [current | values])
    if change.seats is not None:
        yield from seat_statements(change.game, change.seats)
    for some in batches(change.records):
        yield CompiledStatement(ADD_MOVES, [with_seal("moves", row_of(record)) for record in some])
    yield from _snapshot_statements(change, version)
    yield from wait_statements(change.game, change.waits, change.now)
    if change.clocks is not None:
        yield from clock_statements(change.game, change.clocks, change.restarted)
    yield from entry_statements(change.entries)
    if isinstance(change.cause, GivenOrder):
        yield from given_order_statements(change.cause)
    yield from plan_state_statements(change.plan_states)
    yield from left_seat_statements(change.game, change.left)
    yield from notice_statements(change.notices)
    if isinstance(change.cause, PostRecord):
        yield from post_statements(change.cause)
    elif isinstance(change.cause, SandboxRecord):
        yield sandbox_statement(change.cause)


def _snapshot_statements(change: Commit, version: int) -> Iterator[CompiledStatement]:
    states = dict(change.kept)
    if change.state is not None:
        states[version] = change.state
    if not states:
        return
    # A position ahead of the log does not count.
    first = change.records[0].number if change.records else version
    yield CompiledStatement(DROP_SNAPSHOTS, [{"of_game": change.game, "first": first}])
    yield from _snapshot_inserts(change.game, states)
    if version // PRUNING != change.expected_version // PRUNING:
        yield CompiledStatement(PRUNE_SNAPSHOTS, [{"of_game": change.game, "recent": version - KEPT_SNAPSHOTS}])


def _snapshot_inserts(game_id: GameId, states: Mapping[int, bytes]) -> Iterator[CompiledStatement]:
    for some in batches(list(states.items())):
        yield CompiledStatement(
            ADD_SNAPSHOTS,
            [{"game": game_id, "number": number, "state": compress_state(state)} for number, state in some],
        )


def batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), PART):
        yield rows[start : start + PART]


def _branch(game_id: GameId, number: int, until_snapshot: bool = False) -> CTE:
    """The path from a record back through its parents, each with its distance. A parent is older than its child: the
    path ends where it is not, so that it never goes in a circle.
    """
    start = select(moves.c.number, moves.c.parent, literal(0).label("distance"))
    line = start.where(moves.c.game == game_id, moves.c.number == number).cte("line", recursive=True)
    step = select(moves.c.number, moves.c.parent, line.c.distance + 1).where(
        moves.c.game == game_id, moves.c.number == line.c.parent, line.c.parent < line.c.number
    )
    if until_snapshot:
        step = step.where(~exists().where(snapshots.c.game == game_id, snapshots.c.number == line.c.number))
    return line.union_all(step)


def _set_game_number(change: Commit, game_id: GameId) -> Commit:
    for record in change.records:
        record.game = game_id
    for clock in change.clocks or ():
        clock.game = game_id
    for notice in change.notices:
        notice.game = game_id
    for entry in change.entries:
        entry.game = game_id
    if change.place is not None:
        change.place.game = game_id
    return replace(change, game=game_id)
