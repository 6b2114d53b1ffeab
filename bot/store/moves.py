"""What was done to a game, and the positions that came of it."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
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

from .backends.compiled_statements import CompiledStatement
from .backends.sqlalchemy_async import AsyncConnection
from .errors import Conflict, StoreDamaged
from .games import UNDER_WAY, Games, check_return, save_place, seats_saved
from .notices import clocks_set, notices_added
from .orders import orders_ended, seats_left
from .posts import post_set
from .records import Commit, GameRecord, MoveRecord, Notice, Place, SeatRecord
from .rows import record_of, row_of
from .schema import games, moves, snapshots
from .seals import sealed

Row = TypeVar("Row")

KEPT_SNAPSHOTS = 20
"""How many records back every position is kept; of older ones the first, the last of every `SNAPSHOT_SPACING` records,
and those from which a game went on by newer rules."""

SNAPSHOT_SPACING = 50

PRUNING = 10
"""After how many records positions that are not kept are dropped."""

PART = 500
"""So many rows are made and written at once: others are answered between them."""


PACKED: ColumnElement[Any] = literal_column("snapshots.state")
"""Positions as they are kept, whatever that is."""

MOVE_ON = update(games).where(games.c.id == bindparam("of_game"), games.c.version == bindparam("expected_version"))
ADD_MOVES, ADD_SNAPSHOTS = insert(moves), insert(snapshots)
DROP_SNAPSHOTS = delete(snapshots).where(
    snapshots.c.game == bindparam("of_game"), snapshots.c.number >= bindparam("first")
)
_OF_GAME, _BUCKET = snapshots.c.game == bindparam("of_game"), snapshots.c.number // SNAPSHOT_SPACING
_LATEST = select(func.max(snapshots.c.number)).where(_OF_GAME).group_by(_BUCKET)
_TURNED = select(moves.c.number).where(moves.c.game == bindparam("of_game"), moves.c.kind == "rules")
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
    """Records that follow one another, oldest first, and the position kept of the first of them, packed (None where none
    is)."""

    state: object
    records: list[MoveRecord]


class MoveRepository(Games):
    """Records, which are only ever added, and snapshots."""

    async def add_game(
        self,
        record: GameRecord,
        first_seats: Iterable[SeatRecord] = (),
        place: Place | None = None,
        first_notices: Iterable[Notice] = (),
    ) -> int:
        """Save a new game with its place and what is to be posted of it, in which its number is filled in; returns that."""
        async with self.writing() as connection:
            game = await self._add_game(connection, record, first_seats)
            if place is not None:
                await save_place(connection, msgspec.structs.replace(place, game=game))
            told = [msgspec.structs.replace(notice, game=game) for notice in first_notices]
            await self.opened.run(connection, notices_added(told))
        return game

    async def add_played_game(self, record: GameRecord, first_seats: Iterable[SeatRecord], change: Commit) -> int:
        """Save a new game together with moves that have been made in it; the numbers of the game are filled in.

        :raises PlaceTaken: another game is played where it shall be.
        """
        async with self.writing() as connection:
            game = await self._add_game(connection, record, first_seats)
            await self._save(connection, _numbered(change, game))
        return game

    async def commit(self, change: Commit) -> None:
        """Save a change, all of it or nothing.

        :raises Conflict: the game has moved on since `expected_version`, or another is played where it shall be.
        :raises StoreError: the database did not take it.
        """
        async with self.writing() as connection:
            await self._save(connection, change)

    async def _save(self, connection: AsyncConnection, change: Commit) -> None:
        if change.status in UNDER_WAY and change.place is None:
            await check_return(connection, change.game)
        moved_on, *_ = await self.opened.run(connection, _steps(change))
        if moved_on != 1:
            raise Conflict("The game has moved on; nothing was saved.")
        if change.place is not None:
            await save_place(connection, change.place)

    async def moves(self, game: int, after: int = -1, limit: int | None = None) -> list[MoveRecord]:
        """The game's records with numbers above `after`; with a limit the latest of them."""
        query = select(moves).where(moves.c.game == game, moves.c.number > after).order_by(moves.c.number.desc())
        if limit is not None:
            query = query.limit(limit)
        async with self.glance() as connection:
            rows = list((await connection.execute(query)).mappings())
        return [record_of(row, MoveRecord) for row in reversed(rows)]

    async def last_move_for(self, game: int, seat: int) -> int | None:
        """The number of the latest move made for a seat, whether it still stands or not."""
        query = select(func.max(moves.c.number)).where(moves.c.game == game, moves.c.seat == seat)
        async with self.glance() as connection:
            found: int | None = (await connection.execute(query)).scalar_one_or_none()
        return found

    async def line(self, game: int, number: int, limit: int) -> list[MoveRecord]:
        """The records that led to record `number`, itself first, then its parent, and so on; at most `limit`."""
        line = _line(game, number)
        query = (
            select(moves)
            .join(line, moves.c.number == line.c.number)
            .where(moves.c.game == game)
            .order_by(line.c.distance)
            .limit(limit)
        )
        async with self.glance() as connection:
            return [record_of(row, MoveRecord) for row in (await connection.execute(query)).mappings()]

    async def line_numbers(self, game: int, number: int) -> set[int]:
        """The numbers of all records that led to record `number`; every other record has been taken back.

        :raises StoreDamaged: they do not lead back to the first one.
        """
        async with self.glance() as connection:
            found = set((await connection.execute(select(_line(game, number).c.number))).scalars())
        if 0 not in found and (found or number):
            raise broken_log(game, min(found, default=number))
        return found

    async def nearest(self, game: int, number: int) -> SnapshotAndMoves | None:
        """The way to record `number` from the nearest kept position, or from as far back as the log leads.

        None when there is no such record. What is read does not grow with the length of the game.
        """
        async with self.reading() as connection:
            records = await _records(connection, game, _line(game, number, until_snapshot=True))
            if not records:
                return None
            kept = select(PACKED).where(snapshots.c.game == game, snapshots.c.number == records[0].number)
            return SnapshotAndMoves((await connection.execute(kept)).scalar_one_or_none(), records)

    async def whole_line(self, game: int, number: int) -> list[MoveRecord]:
        """The records that led to record `number`, from the first one or from as far back as the log leads."""
        async with self.glance() as connection:
            return await _records(connection, game, _line(game, number))

    async def rules_moves(self, game: int) -> list[MoveRecord]:
        """The records by which a game went over to newer rules, in order."""
        query = select(moves).where(moves.c.game == game, moves.c.kind == "rules").order_by(moves.c.number)
        async with self.glance() as connection:
            return [record_of(row, MoveRecord) for row in (await connection.execute(query)).mappings()]

    async def kept(self, game: int) -> dict[int, object]:
        """All kept positions of a game, packed, by the number of their record."""
        query = select(snapshots.c.number, PACKED).where(snapshots.c.game == game).order_by(snapshots.c.number)
        async with self.glance() as connection:
            return {number: state for number, state in await connection.execute(query)}

    async def keep(self, game: int, states: Mapping[int, bytes], dropped: Collection[int] = ()) -> None:
        """Keep these positions in place of others of the same records, and drop some."""
        async with self.writing() as connection:
            here = snapshots.c.game == game
            await connection.execute(delete(snapshots).where(here, snapshots.c.number.in_([*dropped, *states])))
            await self.opened.run(connection, _kept(game, states))

    async def thin_finished(self, first: float, last: float) -> int:
        """Drop what only saves time while a game is played: of games that were over between two moments the latest positions go
        too, but for the very last one; returns how many. Others are as many moves away as in old parts of a game."""
        over = select(games.c.id).where(games.c.status == "finished", games.c.updated_at.between(first, last))
        other = snapshots.alias()
        bucket = snapshots.c.number // SNAPSHOT_SPACING == other.c.number // SNAPSHOT_SPACING
        newest = select(func.max(other.c.number)).where(other.c.game == snapshots.c.game, bucket).scalar_subquery()
        turned = exists().where(
            moves.c.game == snapshots.c.game, moves.c.number == snapshots.c.number, moves.c.kind == "rules"
        )
        thinned = delete(snapshots).where(
            snapshots.c.game.in_(over), snapshots.c.number > 0, snapshots.c.number < newest, ~turned
        )
        async with self.writing() as connection:
            return (await connection.execute(thinned)).rowcount

    async def snapshot(self, game: int, number: int) -> bytes | None:
        """The kept position after a record, if it is one that is kept.

        :raises StoreDamaged: it was changed behind our back.
        """
        query = select(PACKED).where(snapshots.c.game == game, snapshots.c.number == number)
        async with self.glance() as connection:
            state = (await connection.execute(query)).scalar_one_or_none()
        return None if state is None else unpacked(state, game)


async def _records(connection: AsyncConnection, game: int, line: CTE) -> list[MoveRecord]:
    """The records of a line, oldest first."""
    query = (
        select(moves)
        .join(line, moves.c.number == line.c.number)
        .where(moves.c.game == game)
        .order_by(line.c.distance.desc())
    )
    return [record_of(row, MoveRecord) for row in (await connection.execute(query)).mappings()]


def packed(state: bytes) -> bytes:
    """A position as it is kept: with a check sum."""
    return zlib.compress(state, 1)


def unpacked(state: object, game: int) -> bytes:
    """A position as it was encoded.

    :raises StoreDamaged: it was changed behind our back.
    """
    try:
        return zlib.decompress(state)  # type: ignore[arg-type]
    except (zlib.error, TypeError) as error:
        raise StoreDamaged("The saved data of game {game} is damaged (state); run: signalbox doctor.", game) from error


def broken_log(game: int, number: int) -> StoreDamaged:
    """The sentence about a record whose parent there is not."""
    return StoreDamaged("The log of game {game} is broken before entry {number}; run: signalbox doctor.", game, number)


def _steps(change: Commit) -> Iterator[CompiledStatement]:
    """What a change writes; the first step changes the game's one row, unless it has moved on."""
    version = change.records[-1].number if change.records else change.expected_version
    values: dict[str, Any] = {"version": version, "updated_at": change.now}
    if change.rules is not None:
        values["rules"] = change.rules
    if change.status:
        values["status"] = change.status
    current = {"of_game": change.game, "expected_version": change.expected_version}
    yield CompiledStatement(MOVE_ON, [current | values])
    if change.seats is not None:
        yield from seats_saved(change.game, change.seats)
    for some in parts(change.records):
        yield CompiledStatement(ADD_MOVES, [sealed("moves", row_of(record)) for record in some])
    yield from _positions_kept(change, version)
    if change.clocks is not None:
        yield from clocks_set(change.game, change.clocks, change.restarted)
    yield from orders_ended(change.ended)
    yield from seats_left(change.game, change.left)
    yield from notices_added(change.notices)
    if change.heard is not None:
        yield from post_set(change.heard)


def _positions_kept(change: Commit, version: int) -> Iterator[CompiledStatement]:
    states = dict(change.kept)
    if change.state is not None:
        states[version] = change.state
    if not states:
        return
    # A position that is kept ahead of the log is none.
    first = change.records[0].number if change.records else version
    yield CompiledStatement(DROP_SNAPSHOTS, [{"of_game": change.game, "first": first}])
    yield from _kept(change.game, states)
    if version // PRUNING != change.expected_version // PRUNING:
        yield CompiledStatement(PRUNE_SNAPSHOTS, [{"of_game": change.game, "recent": version - KEPT_SNAPSHOTS}])


def _kept(game: int, states: Mapping[int, bytes]) -> Iterator[CompiledStatement]:
    for some in parts(list(states.items())):
        yield CompiledStatement(
            ADD_SNAPSHOTS, [{"game": game, "number": number, "state": packed(state)} for number, state in some]
        )


def parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows in order, at most `PART` at once."""
    for start in range(0, len(rows), PART):
        yield rows[start : start + PART]


def _line(game: int, number: int, until_snapshot: bool = False) -> CTE:
    """The way from a record back through its parents, with each one's distance. A parent is older than its child:
    where one is not, the way ends, so that it never goes in a circle."""
    start = select(moves.c.number, moves.c.parent, literal(0).label("distance"))
    line = start.where(moves.c.game == game, moves.c.number == number).cte("line", recursive=True)
    step = select(moves.c.number, moves.c.parent, line.c.distance + 1).where(
        moves.c.game == game, moves.c.number == line.c.parent, line.c.parent < line.c.number
    )
    if until_snapshot:
        step = step.where(~exists().where(snapshots.c.game == game, snapshots.c.number == line.c.number))
    return line.union_all(step)


def _numbered(change: Commit, game: int) -> Commit:
    """The change with the game's number in all its parts."""
    for record in change.records:
        record.game = game
    for clock in change.clocks or ():
        clock.game = game
    for notice in change.notices:
        notice.game = game
    if change.place is not None:
        change.place.game = game
    return replace(change, game=game)
